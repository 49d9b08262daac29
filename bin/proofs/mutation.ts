// npm run prove -- mutation [domain | identity | files of theirs]: changes the rules one by one and runs their tests on each
// change (Stryker). A change that no test notices fails the proof, unless mutation-explained.json says why it does not matter.
// SHARE=1/8 changes an eighth of the files; MINUTES=15 begins no group of them after so many.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isInShare, isTimeOver, shareWords } from '../../server/test/share.ts'
import { groups, unchangedRules, type Group } from '../mutation-groups.ts'
import { environmentWith, npmOn } from '../node.mjs'

const root = resolve(import.meta.dirname, '../..')
const version = '10.1.1'

const unchanged = unchangedRules()
if (unchanged.length > 0) {
  console.error(`✗ In no group and no table of bin/mutation-groups.ts: ${unchanged.join(', ')}`)
  process.exit(1)
}

type Change = { file: string; mutator: string; original: string; replacement: string }
type Explained = Change & { why: string }
type Report = {
  files: Record<string, { source: string; mutants: Mutant[] }>
}
type Place = { line: number; column: number }
type Mutant = { mutatorName: string; replacement?: string; status: string; location: { start: Place; end: Place } }

const asked = process.argv.slice(2)
const chosen = groups
  .map((group) => ({
    ...group,
    files: group.files
      .filter((one) => asked.length === 0 || asked.includes(group.room) || asked.includes(one))
      .filter(isInShare),
  }))
  .filter(({ files }) => files.length > 0)
if (chosen.length === 0) {
  const files = groups.flatMap((group) => group.files)
  console.error(`✗ Which? domain, identity, or some of:\n  ${files.join('\n  ')}`)
  process.exit(1)
}
const explained = JSON.parse(readFileSync(join(import.meta.dirname, 'mutation-explained.json'), 'utf8')) as Explained[]
const folder = mkdtempSync(join(tmpdir(), 'clear-to-post-mutation-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

let noticed = 0
const done: string[] = []
const unnoticed: Change[] = []
const stale: Explained[] = []
copyWithStryker()
for (const group of chosen)
  if (!isTimeOver()) {
    compare(group, reportOf(group))
    done.push(...group.files)
  }

const all = groups.flatMap(({ files }) => files).length
console.log(`\n${shareWords}: ${done.length} of ${all} files changed: ${done.join(', ')}`)
console.log(`${noticed} passed, ${unnoticed.length + stale.length} failed`)
process.exitCode = unnoticed.length + stale.length > 0 ? 1 : 0

/** A copy of the work tree with its packages, so that nothing here is changed, and Stryker beside them. */
function copyWithStryker() {
  console.log(`→ Bringing Stryker ${version}`)
  const files = run('git', ['ls-files', '-co', '--exclude-standard', '-z'], root).split('\0').filter(Boolean)
  for (const file of files) cpSync(join(root, file), join(folder, file))
  // Links are enough: npm replaces files, but for its own list, which it writes anew.
  run('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')], root)
  rmSync(join(folder, 'node_modules/.package-lock.json'), { force: true })
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`)
  const [npm, ...before] = npmOn(dirname(process.execPath)) as [string, ...string[]]
  run(npm, [...before, 'install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder)
}

/** Stryker's report in the schema of mutation testing elements. */
function reportOf({ files, tests, needsDatabase }: Group): Report {
  console.log(`→ Changing ${files.join(', ')}`)
  // The same random tests on each change: what they notice today they notice tomorrow.
  const seeds = `import fc from 'fast-check'\nfc.configureGlobal({ seed: 1 })\n`
  writeFileSync(join(folder, 'same-seed.mutation.ts'), seeds)
  const config = `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: ${JSON.stringify({
    include: tests,
    setupFiles: ['same-seed.mutation.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    ...(needsDatabase ? { globalSetup: 'server/test/database.ts' } : {}),
  })} })\n`
  writeFileSync(join(folder, 'vitest.mutation.config.ts'), config)
  const options = {
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate: files,
    coverageAnalysis: 'perTest',
    concurrency: Math.max(1, availableParallelism() - 1),
    // It is our own copy already.
    inPlace: true,
    reporters: ['json', 'progress-append-only'],
    allowConsoleColors: false,
    ignorePatterns: ['e2e', 'bench', 'web'],
    timeoutMS: 30_000,
  }
  writeFileSync(join(folder, 'stryker.config.json'), JSON.stringify(options))
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { PROVE: _long, ...env } = {
    ...environmentWith(dirname(process.execPath)),
    PROVE_SEED: '1',
  } as NodeJS.ProcessEnv
  const { status } = spawnSync(process.execPath, [stryker, 'run'], { cwd: folder, env, stdio: 'inherit' })
  if (status !== 0) throw new Error('Stryker did not come to its end: its last words say why')
  return JSON.parse(readFileSync(join(folder, 'reports/mutation/mutation.json'), 'utf8')) as Report
}

function compare({ files: asked }: Group, { files }: Report) {
  const known = explained.filter(({ file }) => asked.includes(file))
  const met = new Set<Explained>()
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    noticed += mutants.length - survivors.length
    for (const mutant of survivors) {
      const change = {
        file,
        mutator: mutant.mutatorName,
        original: oneLine(textAt(source, mutant.location)),
        replacement: oneLine(mutant.replacement ?? ''),
      }
      if (isSentence(change)) continue
      const reason = known.find((one) => keyOf(one) === keyOf(change))
      if (reason) met.add(reason)
      else {
        unnoticed.push(change)
        console.log(
          `✗ ${file}:${mutant.location.start.line} ${change.mutator}\n    ${change.original}\n  → ${change.replacement}`,
        )
      }
    }
    console.log(`${file}: ${mutants.length - survivors.length} of ${mutants.length} changes noticed`)
  }
  for (const one of known.filter((one) => !met.has(one))) {
    stale.push(one)
    console.log(`✗ explained, but noticed or gone: ${one.file}: ${one.original} → ${one.replacement}`)
  }
}

/** Words that people read decide nothing; the generated pages and the browser journeys hold them. */
function isSentence({ mutator, original }: Change): boolean {
  return mutator === 'StringLiteral' && /\p{L}[^\s\p{L}]* [^\s\p{L}]*\p{L}/u.test(original)
}

function keyOf({ file, mutator, original, replacement }: Change): string {
  return [file, mutator, original, replacement].join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}

/** Lines and columns count from one. */
function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1)
  lines[0] = lines[0]!.slice(start.column - 1)
  return lines.join('\n')
}

function run(file: string, args: string[], cwd: string): string {
  const env = environmentWith(dirname(process.execPath))
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`${file} ${args.slice(0, 3).join(' ')} failed:\n${stderr}`)
  return stdout
}
