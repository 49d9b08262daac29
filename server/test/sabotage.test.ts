import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from './random.ts'
import { placed, placeOf, sabotages, type Sabotage } from './sabotage.ts'
import { isInShare, isTimeOver, shareWords } from './share.ts'
import { titlesOf } from './titles.ts'

/**
 * Rules are broken one at a time, in a copy of the code, and each must be noticed by the test that is named for it: in the
 * long form (npm run prove -- sabotage; `SHARE=1/8` an eighth of them, `MINUTES=15` as many as that holds). Here only that each
 * edit still applies. Policies: policies.test.ts.
 */
const root = resolve(import.meta.dirname, '../..')

it('every sabotage applies exactly once', () => {
  const stale = placed
    .map(({ place, sabotage: { what, file, from } }) => {
      const times = readFileSync(join(root, file), 'utf8').split(from).length - 1
      return {
        times,
        says: `“${what}”: its \`from\` (${from.trim()}) stands ${times} times in ${file}. Write it anew in server/test/sabotages/${place}`,
      }
    })
    .filter(({ times }) => times !== 1)
    .map(({ says }) => says)
  expect(stale).toEqual([])
  expect(new Set(sabotages.map(({ what }) => what)).size).toBe(sabotages.length)
  expect(sabotages.length).toBeGreaterThanOrEqual(60)
})

it('every sabotage stands in the file of its room', () => {
  const misplaced = placed
    .filter(({ place, sabotage }) => place !== placeOf(sabotage.file))
    .map(({ place, sabotage }) => `“${sabotage.what}” stands in ${place}, and belongs in ${placeOf(sabotage.file)}`)
  expect(misplaced).toEqual([])
})

it('every test that a sabotage names exists', () => {
  const files = new Set(sabotages.map(({ noticed: [file] }) => file))
  const titles = new Map([...files].map((file) => [file, titlesOf(join(root, file))]))
  const unknown = sabotages
    .filter(({ noticed: [file, test] }) => !titles.get(file)!.some((title) => title.includes(test ?? '')))
    .map(({ what, noticed: [file, test] }) => `“${what}” names “${test ?? 'every test'}”, which is not in ${file}`)
  expect(unknown).toEqual([])
})

describe.runIf(isLong)('a sabotaged copy of the code fails the named test', () => {
  const copy = join(tmpdir(), `clear-to-post-sabotage-${process.pid}`)
  const chosen = sabotages.filter(({ what }) => isInShare(what))
  const count = { noticed: 0, unnoticed: 0 }
  beforeAll(() => copyOfTheCode(copy))
  afterAll(() => {
    rmSync(copy, { recursive: true, force: true })
    const left = chosen.length - count.noticed - count.unnoticed
    console.log(
      `${shareWords}, ${chosen.length} of ${sabotages.length} sabotages: ${count.noticed} noticed, ${count.unnoticed} unnoticed, ${left} not tried`,
    )
  })

  it.each(chosen.map((one) => [one.what, one] as const))(
    '%s',
    (_what, one) => {
      if (isTimeOver()) return
      const path = join(copy, one.file)
      const before = readFileSync(path, 'utf8')
      writeFileSync(
        path,
        before.replace(one.from, () => one.to),
      )
      try {
        const failed = failuresOf(copy, one)
        count[failed.length > 0 ? 'noticed' : 'unnoticed'] += 1
        expect(failed).not.toEqual([])
        console.log(
          `${one.what}: noticed by “${failed[0]}”${failed.length > 1 ? ` and ${failed.length - 1} more` : ''}`,
        )
      } finally {
        writeFileSync(path, before)
      }
    },
    300_000,
  )
})

/** The names of the tests that fail, among those that are to notice it. */
const failuresOf = (folder: string, { noticed: [file, test] }: Sabotage): string[] => {
  // A test of another room may have a process of its own, beside those of media (vitest.config.ts).
  const projects = (file.startsWith('server') ? ['server*'] : ['media', 'pure']).flatMap((one) => ['--project', one])
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const named = test === undefined ? [] : ['-t', test]
  const vitest = join(folder, 'node_modules/.bin/vitest')
  const { PROVE: _prove, TESTS: _part, TEST_POSTGRES: _server, VITEST: _runner, ...env } = process.env
  const args = [vitest, 'run', ...projects, file, ...named, '--reporter=json', `--outputFile.json=${report}`]
  // Some rows make a loop without an end: `timeout` ends the whole group of processes, and that was noticed.
  const bounded = ['-s', 'KILL', '240', process.execPath, ...args]
  const { stderr, signal } = spawnSync('timeout', bounded, { cwd: folder, env, encoding: 'utf8' })
  if (signal === 'SIGKILL') return ['the run did not end']
  const { testResults } = JSON.parse(readOr(report, stderr)) as Report
  // A file that could not be read in has no test that failed, and none that asked.
  if (!testResults.some(({ assertionResults }) => assertionResults.some(({ status }) => /passed|failed/.test(status))))
    throw new Error(`None of the named tests was run: ${testResults.map(({ message }) => message).join()}`)
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
}
type Report = { testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[] }

const readOr = (path: string, words: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error(`The tests did not even run: ${words.slice(-2000)}`)
  }
}

/** Our code copied, the packages linked; a workspace's package leads to the copy. */
function copyOfTheCode(to: string) {
  const left = new Set(['node_modules', 'dist', '.git', 'releases'])
  mkdirSync(to, { recursive: true })
  for (const name of [
    'domain',
    'contract',
    'edit',
    'media',
    'speech',
    'server',
    'web',
    'docs',
    'bin',
    'bench',
    'deploy',
    'e2e',
  ])
    cpSync(join(root, name), join(to, name), {
      recursive: true,
      filter: (path) => !left.has(path.split('/').at(-1)!) || path === join(root, name),
    })
  for (const name of ['package.json', 'tsconfig.json', 'vitest.config.ts'])
    writeFileSync(join(to, name), readFileSync(join(root, name)))
  linkPackages(join(root, 'node_modules'), join(to, 'node_modules'))
  for (const name of readdirSync(to))
    if (name !== 'node_modules' && existsSync(join(root, name, 'node_modules')))
      linkPackages(join(root, name, 'node_modules'), join(to, name, 'node_modules'))
}

function linkPackages(from: string, to: string) {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from))
    if (name === '@clear-to-post') {
      mkdirSync(join(to, name))
      for (const room of readdirSync(join(from, name))) symlinkSync(join('../..', room), join(to, name, room))
    } else if (!name.startsWith('.vite')) symlinkSync(join(from, name), join(to, name))
}
