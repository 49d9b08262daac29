import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { outcome } from '../../test/service.ts'
import { KeptTexts } from './kept-texts.ts'
import { KitLine } from './kit-line.ts'
import type { KitTexts } from './kit-texts.ts'
import { longKit } from '../../test/recipes.ts'

const short = longKit(2)

test('eight kits wait to be written at most, three of them of one company, and the next is refused', async () => {
  const line = new KitLine()
  const writes = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c'].map((owner) => line.write(owner, short))
  expect(line.waiting).toBe(8)
  expect(await outcome(line.write('d', short))).toBe('service.crowded')
  const [first, ...others] = await Promise.all(writes)
  expect(first!.texts.map(({ name }) => name)).toEqual([
    'READ ME.txt',
    ...['edl', 'otio', 'fcpxml', 'srt', 'vtt'].map((ending) => `CTP.${ending}`),
    'recipe.json',
    'script.txt',
  ])
  expect(others).toEqual(others.map(() => first))
  expect(line.waiting).toBe(0)
  const again = [line.write('a', short), line.write('a', short), line.write('a', short)]
  expect(await outcome(line.write('a', short))).toBe('service.crowded')
  expect(await line.write('b', short)).toEqual(first)
  await Promise.all(again)
})

test('a long kit is written while this thread goes on, and the other thread ends when it is idle', async () => {
  const line = new KitLine(1)
  expect(line.isAwake).toBe(false)
  let isDone = false
  const writing = line.write('a', longKit(3000)).finally(() => (isDone = true))
  let rounds = 0
  for (; !isDone; rounds++) await setImmediate()
  expect((await writing)!.texts.length).toBeGreaterThan(5)
  expect(rounds).toBeGreaterThan(100)
  await expect.poll(() => line.isAwake).toBe(false)
  expect(await line.write('a', short)).not.toBe(null)
})

test('a kit that ends its thread fails alone, and the next one gets a new thread', async () => {
  const line = new KitLine()
  const broken = line.write('a', { ...short, recipe: '{' })
  const next = line.write('a', short)
  await expect(broken).rejects.toThrow(/JSON/)
  expect((await next)!.texts.length).toBeGreaterThan(5)
  expect(await line.write('a', { ...short, recipe: '{}' })).toBe(null)
  expect(line.waiting).toBe(0)
})

test('texts of kits are written by their thread alone', () => {
  const room = import.meta.dirname
  const files = readdirSync(join(room, '..'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const importing = (what: RegExp) =>
    files.filter((name) => what.test(readFileSync(join(room, '..', name), 'utf8'))).toSorted()
  expect(importing(/from '@clear-to-post\/edit\/(edl|otio|fcpxml)'/)).toEqual(['edits/kit-texts.ts'])
  expect(importing(/import \{ writeKit\b/)).toEqual(['edits/kit-thread.ts'])
})

test('texts are kept up to their bytes, and one company’s push out none of the others', () => {
  const kept = new KeptTexts(4000)
  const texts = (bytes: number): KitTexts => ({
    names: new Map(),
    files: [],
    texts: [{ name: 'x', text: new Uint8Array(bytes) }],
  })
  kept.keep('other', 'b', texts(500))
  for (let n = 0; n < 50; n++) kept.keep(`own ${n}`, 'a', texts(400))
  expect(kept.find('other')).toBeDefined()
  expect(kept.find('own 49')).toBeDefined()
  expect(kept.find('own 48')).toBeDefined()
  expect(kept.find('own 47')).toBeUndefined()
  expect(kept.bytes('a')).toBeLessThanOrEqual(1000)
  // More than anybody's part.
  kept.keep('large', 'a', texts(1001))
  expect(kept.find('large')).toBeUndefined()
  // Of many together, what was asked for longest ago goes.
  kept.find('other')
  for (let n = 0; n < 6; n++) kept.keep(`of ${n}`, `company ${n}`, texts(700))
  expect(kept.bytes()).toBeLessThanOrEqual(4000)
  expect(kept.find('own 49')).toBeUndefined()
  expect(kept.find('of 5')).toBeDefined()
})
