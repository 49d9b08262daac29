import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob, relative } from 'node:path'
import { expect, test } from 'vitest'
import { longJourneys } from '../../e2e/walks.ts'

/** Every long form under `npm run prove` is there, and asks something: `bin/prove.mjs` finds them as this does. */
const root = join(import.meta.dirname, '../..')
type Proof = { name: string; file: string; project?: string }
const { proofs }: { proofs: () => Proof[] } = await import(join(root, 'bin/proofs.mjs'))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const ofTests = proofs().filter(({ project }) => project)
const programs = proofs().filter(({ project }) => !project)

test('no two long forms have one name', () => {
  const names = proofs().map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('Vitest runs each long form’s file, in the project that the proof asks for', () => {
  const vitest = join(root, 'node_modules/.bin/vitest')
  const listed = execFileSync(process.execPath, [vitest, 'list', '--filesOnly', '--json'], { cwd: root })
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

test('each program that walks journeys names journeys that are there', () => {
  const journeys = readdirSync(join(root, 'e2e')).filter((name) => name.endsWith('.e2e.ts'))
  const walking = programs.filter(({ file }) => textOf(file).includes('playwright.config.ts'))
  expect(walking.length).toBeGreaterThan(0)
  const dead = walking.filter(({ file }) => {
    const text = textOf(file)
    const [, named = ''] = /'(?:e2e\/)?([\w-]+)\\*\.e2e/.exec(text) ?? []
    const [, title = ''] = /'-g',\s*'([^']+)'/.exec(text) ?? []
    return !journeys.some((journey) => {
      const itself = textOf(join('e2e', journey))
      return journey.startsWith(named) && itself.includes(title) && /\bis(Long|Every)\b|atOneScreen/.test(itself)
    })
  })
  expect(dead).toEqual([])
})

test('the journeys that npm test leaves out are there', () => {
  const journeys = readdirSync(join(root, 'e2e'))
  expect(longJourneys.filter((name) => !journeys.includes(`${name}.e2e.ts`))).toEqual([])
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
