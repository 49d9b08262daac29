import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { steadyPath, type Shake } from '@clear-to-post/edit/steady'
import { longKit } from '../../test/recipes.ts'
import type { Original } from '../assets/actions.ts'
import { measuredOf } from './measured.ts'

test('how a take is held steady is read and counted once, however often it is rendered, and of no other take or rate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-measured-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const recipe = JSON.parse(longKit(40).recipe) as Recipe
  const steady = { ...recipe, keep: recipe.keep.map((one) => ({ ...one, steady: true as const })) }
  const id = recipe.sources.find((one) => one.id === recipe.keep[0]!.source)!.assetId!
  const { fps } = recipe.output
  const shakeOf = (step: number, at = fps): Shake => ({
    version: 1,
    fps: at,
    x: [0, step, -step, step],
    y: [0, 0, step, 0],
    turn: [0, 0, 0, 0],
  })
  const file = join(folder, 'shake.json')
  let read = 0
  const context = {
    database: {} as never,
    signal: new AbortController().signal,
    local: {
      of: async () => {
        read += 1
        return file
      },
    } as never,
  }
  const ask = async (path: string, at = fps) => {
    const original = { id, path: '', probe: {}, shake: { path, fps: at } } as unknown as Original
    const output = { ...steady.output, fps: at }
    return (await measuredOf(context, { ...steady, output }, new Map([[id, original]]))).get(id)?.steady
  }
  await writeFile(file, JSON.stringify(shakeOf(900)))
  for (let n = 0; n < 5; n++) expect(await ask('001/a')).toEqual(steadyPath(shakeOf(900)))
  expect(read).toBe(1)
  const other = { num: fps.num * 2, den: fps.den }
  await writeFile(file, JSON.stringify(shakeOf(500, other)))
  expect(await ask('001/b', other)).toEqual(steadyPath(shakeOf(500, other)))
  expect(read).toBe(2)
  // Short takes are remembered however many one project has of them.
  await writeFile(file, JSON.stringify(shakeOf(900)))
  for (let round = 0; round < 3; round++) for (let n = 0; n < 30; n++) await ask(`001/more-${n}`)
  expect(read).toBe(32)
  // So much is remembered: who was not asked for longest is read again.
  const still = Array.from({ length: 600_000 }, () => 0)
  await writeFile(file, JSON.stringify({ ...shakeOf(0), x: still, y: still, turn: still }))
  for (let n = 0; n < 3; n++) await ask(`001/long-${n}`)
  expect(read).toBe(35)
  await ask('001/long-2')
  expect(read).toBe(35)
  await ask('001/long-0')
  expect(read).toBe(36)
})
