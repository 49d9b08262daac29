import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { leftOutMs } from './left-out.ts'
import { probe } from './probe.ts'

const { path, write, bin } = scratch()
afterAll(bin)

beforeAll(() => {
  const inputs = '-f lavfi -i testsrc=s=96x64:r=10:d=6 -f lavfi -i sine=d=6'
  ffmpeg(`${inputs} -c:v libx264 -bf 2 -g 100 -sc_threshold 0 -pix_fmt yuv420p -c:a aac @`, path('whole.mp4'))
})

const leftOut = async (file: string) => {
  const found = await probe(file)
  if (!found.ok) throw new Error(`${file} was refused: ${found.code}`)
  return { durationMs: found.durationMs, ms: await leftOutMs(file, found) }
}

it('an edit list that only puts pictures and sound in order leaves out next to nothing', async () => {
  expect((await leftOut(path('whole.mp4'))).ms).toBeLessThan(100)
  ffmpeg('-i @ -c copy @', path('whole.mp4'), path('whole.mov'))
  expect((await leftOut(path('whole.mov'))).ms).toBeLessThan(100)
  ffmpeg(`-f lavfi -i testsrc=s=96x64:r=10:d=2 ${quick} @`, path('whole.webm.mkv'))
  expect((await leftOut(path('whole.webm.mkv'))).ms).toBe(0)
})

it('leftOutMs finds the end of either track that an edit list leaves out', async () => {
  const file = readFileSync(path('whole.mp4'))
  const lists = [file.indexOf('elst'), file.lastIndexOf('elst')]
  expect(lists[0]).toBeLessThan(lists[1]!)
  for (const list of lists) {
    const bytes = Buffer.from(file)
    bytes.writeUInt32BE(2000, list + 12)
    const { ms } = await leftOut(write('end.mp4', bytes))
    expect(Math.round(ms / 500)).toBe(8)
  }
})

it('leftOutMs finds the beginning that an edit leaves out, as in a cut without encoding', async () => {
  ffmpeg('-ss 3 -i @ -c copy @', path('whole.mp4'), path('begin.mp4'))
  const { durationMs, ms } = await leftOut(path('begin.mp4'))
  expect([durationMs, ms].map((one) => Math.round(one / 500))).toEqual([6, 6])
})
