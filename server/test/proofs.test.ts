import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { expect, test } from 'vitest'
import { groups, unchangedRules } from '../../bin/mutation-groups.ts'
import { longJourneys } from '../../e2e/walks.ts'
import { longInPart, longTests } from './long-tests.ts'
import { sabotages } from './sabotage.ts'
import { partOf, readShare } from './share.ts'

/** Every long form under `npm run prove` is there, and asks something: `bin/prove.mjs` finds them as this does. */
const root = join(import.meta.dirname, '../..')
type Journey = { walks?: string; of?: string; only?: string }
type Proof = { name: string; file: string; project?: string; journey?: Journey }
const { proofs }: { proofs: () => Proof[] } = await import(join(root, 'bin/proofs.mjs'))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const ofTests = proofs().filter(({ project }) => project)

test('no two long forms have one name', () => {
  const names = proofs().map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('Vitest runs each long form’s file, in the project that the proof asks for', () => {
  const vitest = join(root, 'node_modules/.bin/vitest')
  const { TESTS: _, ...env } = process.env
  const listed = execFileSync(process.execPath, [vitest, 'list', '--filesOnly', '--json'], { cwd: root, env })
  const files = JSON.parse(listed.toString()) as { file: string; projectName: string }[]
  const dead = ofTests.filter(
    ({ file, project }) =>
      !files.some((one) => relative(root, one.file) === file && matchesGlob(one.projectName, project!)),
  )
  expect(dead).toEqual([])
})

test('each test that has a long form does something by it', () => {
  const imports = /^import .*$/gm
  const idle = ofTests.filter(({ file }) => !/\bis(Long|Proof)\b/.test(textOf(file).replace(imports, '')))
  expect(idle).toEqual([])
})

test('each long form of a journey names one that is there, and has a long form', () => {
  const journeys = proofs().flatMap(({ name, journey }) => (journey ? [{ name, ...journey }] : []))
  expect(journeys.length).toBeGreaterThan(0)
  const dead = journeys.filter(({ walks, of, only = '' }) => {
    if (walks) return walks !== 'all' && walks !== 'long'
    const file = join(root, 'e2e', `${of}.e2e.ts`)
    if (!existsSync(file)) return true
    const itself = readFileSync(file, 'utf8')
    return !itself.includes(only) || !/\bis(Long|Every)\b|atOneScreen/.test(itself)
  })
  expect(dead).toEqual([])
})

test('the journeys and tests that npm test leaves out are there, and CI runs both after it', () => {
  const journeys = readdirSync(join(root, 'e2e'))
  expect(longJourneys.filter((name) => !journeys.includes(`${name}.e2e.ts`))).toEqual([])
  expect(longTests.length).toBeGreaterThan(0)
  expect(longInPart.length).toBeGreaterThan(0)
  const run = textOf('.ci/run')
  expect(['npm test', 'npm run prove -- long-tests'].filter((one) => !run.includes(`\n${one}\n`))).toEqual([])
  // Files of which npm test walks a part: CI walks the rest.
  const inPart = journeys.filter(
    (name) => name.endsWith('.e2e.ts') && /\btag: '@long'|\bisSeen\(/.test(textOf(join('e2e', name))),
  )
  const [, walks = ''] = /\nnpm run prove -- long-journeys (.+)\n/.exec(run) ?? []
  const asked = walks.split(' ')
  // A word asks for each path that holds it: `pages.e2e` is in `still-pages.e2e.ts`, too.
  const askedBy = (one: string) => journeys.filter((name) => name.endsWith('.e2e.ts') && `/e2e/${name}`.includes(one))
  expect(inPart.filter((name) => !asked.some((one) => askedBy(one).includes(name)))).toEqual([])
  expect(asked.map((one) => [one, askedBy(one).length]).filter(([, count]) => count !== 1)).toEqual([])
  expect(asked.length).toBeGreaterThan(inPart.length)
})

test('each test that npm test leaves out is found by its tag, and run after it', () => {
  const all = globSync('*/**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  const tagged = all.filter((file) => /@module-tag|\btags:\s*\[?\s*["'`]long["'`]|\bpartOfWalk\(\d/.test(textOf(file)))
  // This file names the tag in its own words.
  const found = [...longTests, ...longInPart, 'server/test/proofs.test.ts']
  expect(tagged.toSorted()).toEqual([...new Set(found)].toSorted())
  expect(textOf('bin/test.mjs')).toContain(`'--tags-filter=!long'`)
  expect(textOf('bin/prove.mjs')).toContain('`--tags-filter=${tests}`')
})

test('every rule of the domain is changed by the proof of mutations, or stands in its list of tables', () => {
  expect(unchangedRules()).toEqual([])
})

test('the proof of mutations names files and tests that are there', () => {
  const named = groups.flatMap(({ files, tests }) => [...files, ...tests])
  // Of a choice in braces each must be there.
  const single = named.flatMap((path) => {
    const [, before, choice, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
    return choice === undefined ? [path] : choice.split(',').map((one) => `${before}${one}${after}`)
  })
  expect(single.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([])
})

test('the shares of a long form are together all of it, and none is empty or most of it', () => {
  const parts = 8
  const sizes = Array.from({ length: parts }, () => 0)
  for (const { what } of sabotages) sizes[partOf(what, parts) - 1]! += 1
  expect(sizes.reduce((sum, size) => sum + size)).toBe(sabotages.length)
  for (const size of sizes) {
    expect(size).toBeGreaterThan(sabotages.length / parts / 2)
    expect(size).toBeLessThan((sabotages.length / parts) * 2)
  }
  expect(readShare('3/8')).toEqual([3, 8])
  for (const wrong of ['0/8', '9/8', '8', 'a/b']) expect(() => readShare(wrong)).toThrow('SHARE=3/8')
})

test('CONTRIBUTING lists exactly the long forms that there are', () => {
  const [, section = ''] = /\n## The long forms\n([^]*?)(?=\n## |$)/.exec(textOf('CONTRIBUTING.md')) ?? []
  const listed = [...section.matchAll(/^- ([^:]+):/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  expect(listed.toSorted()).toEqual(
    proofs()
      .map(({ name }) => name)
      .toSorted(),
  )
})
