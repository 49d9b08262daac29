import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { browserStores, patternOf } from './browser-stores.ts'

const root = import.meta.dirname
const sources = globSync(['**/*.{ts,tsx}', '../public/*.js'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file),
)
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What puts something into a browser. */
const writes =
  /\b(?:onDevice|inTab)\.keep\(|localStorage\.setItem\(|indexedDB\.open\(|browserTable\(|getDirectoryHandle\([^)]*create: true|caches\.open\(/
/** They write what others tell them to, or only take away. */
const tools = ['panel/edits/browser-table.ts', 'forget.ts']

it('every file that keeps something in a browser stands in the list of browser stores, and no other', () => {
  const writing = sources.filter((file) => writes.test(textOf(file)) && !tools.includes(file))
  const declared = new Set(browserStores.filter(({ library }) => library === undefined).map(({ by }) => by))
  expect(writing.toSorted()).toEqual([...declared].toSorted())
})

it('every store of the list is named in the file that keeps it', () => {
  const unnamed = browserStores
    .filter(({ library }) => library === undefined)
    .filter(({ name, by }) =>
      name
        .replaceAll('{person}', '*')
        .split(/[*/]/)
        .map((part) => part.trim())
        .some((part) => part.length > 1 && !textOf(by).includes(part)),
    )
  expect(unnamed.map(({ name, by }) => `${name} in ${by}`)).toEqual([])
})

it('each browser store is listed once, and one that stays says why', () => {
  const names = browserStores.map((one) => `${one.in} ${one.name}`)
  expect(new Set(names).size).toBe(names.length)
  for (const one of browserStores) {
    expect(one.holds.length, one.name).toBeGreaterThan(5)
    if (one.atSignOut === 'stays') expect(one.why, one.name).toMatch(/^[A-Z].*\.$/)
  }
})

it('a name with a person in it is one person’s key and nobody else’s', () => {
  const [anna, bo] = ['0198f2c1-anna', '0198f2c1-bo']
  expect(patternOf('draft {person}', anna).test(`draft ${anna}`)).toBe(true)
  expect(patternOf('draft {person}', anna).test(`draft ${bo}`)).toBe(false)
  expect(patternOf('draft {person}').test(`draft ${bo}`)).toBe(true)
  expect(patternOf('tus::upload|{person}|*', anna).test(`tus::upload|${anna}||a.mp4|12|1::7`)).toBe(true)
  expect(patternOf('tus::upload|{person}|*', bo).test(`tus::upload|${anna}|${bo}|a.mp4|12|1::7`)).toBe(false)
  expect(patternOf('takes/*').test('takes/probe')).toBe(true)
  expect(patternOf('theme').test('theme2')).toBe(false)
})
