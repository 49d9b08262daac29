import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { wholeRecipe } from '@clear-to-post/edit/recipe'
import { bitmapOf } from '@clear-to-post/media/bitmap'
import { probe } from '@clear-to-post/media/probe'
import { painting } from './painting.ts'

it('a logo decoded in the sandbox keeps its transparency and is painted whole on the card', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-logo-'))
  const file = join(folder, 'logo.png')
  const source = 'color=c=red@1:s=160x80,format=rgba,pad=200:80:40:0:color=black@0'
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '1', file])
  const found = await probe(file)
  if (!found.ok) throw new Error(found.reason)
  const logo = await bitmapOf(file, found, { width: 100, height: 100 })
  await rm(folder, { recursive: true })
  expect(logo).toMatchObject({ width: 100, height: 40 })
  const at = (x: number, y: number) => [...logo.rgba.subarray((y * 100 + x) * 4, (y * 100 + x) * 4 + 4)]
  expect(at(5, 20)[3]).toBe(0)
  expect(at(60, 20)).toEqual([255, 0, 0, 255].map((value) => expect.closeTo(value, -1)))

  const fps = { num: 30, den: 1 }
  const take = { id: 's1', assetId: 'a', name: 'a.mp4', durationMs: 1000, width: 360, height: 640, fps, hasSound: true }
  const brand = { primary: '#2647e0', secondary: '#ff5a3c', logo: 'l', name: 'An officer', line: '', legal: '' }
  const recipe = {
    ...wholeRecipe([take], brand),
    close: { on: true, lengthMs: 1000, title: '', call: 'Send me a message' },
    output: { shortSide: 360, fps },
  }
  const { painted, paint } = await painting(recipe, logo)
  const [card] = painted.cards
  expect(card).toMatchObject({ from: 30, to: 60, box: { x: 0, y: 0, width: 360, height: 640 } })
  const picture = await paint(card!.what, card!.box)
  expect(picture).toHaveLength(360 * 640 * 4)
  const reds = Array.from({ length: 360 * 640 }, (_, i) => picture.subarray(i * 4, i * 4 + 3)).filter(
    ([r = 0, g = 0, b = 0]) => r > 200 && g < 60 && b < 60,
  ).length
  // 80 of 100 columns of a logo that is 34 % of the card's width.
  expect(reds).toBeGreaterThan(0.8 * 122 * 49 * 0.9)
  expect((await painting(recipe, null)).painted.cards[0]!.key).not.toBe(card!.key)
})
