import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ffmpeg, quick, scratch, tracks } from '../test/footage.ts'
import { withSecondKind } from '../test/second-kind.ts'
import { ingest } from './ingest.ts'
import { leftOutMs } from './left-out.ts'
import { hasMixedSamples } from './mixed-samples.ts'
import { probe } from './probe.ts'

const { path, write, bin, folder } = scratch()
afterAll(bin)

beforeAll(() => {
  const inputs = '-f lavfi -i testsrc=s=96x64:r=10:d=12 -f lavfi -i sine=d=12'
  ffmpeg(`${inputs} ${quick} -g 10 -c:a aac @`, path('whole.mp4'))
  ffmpeg('-i @ -c copy @', path('whole.mp4'), path('whole.mov'))
  ffmpeg('-i @ -c copy -movflags +faststart @', path('whole.mp4'), path('front.mp4'))
})

const pictures = async (file: string) => {
  const found = await probe(file)
  if (!found.ok) throw new Error(`${file} was refused: ${found.code}`)
  return { found, count: found.video?.pictures, leftOut: await leftOutMs(file, found) }
}

it('a track whose later samples are said to be of another kind, which ffmpeg passes over, is found', async () => {
  const file = write('mixed.mp4', withSecondKind(path('whole.mp4'), 'hvc1'))
  const { count, leftOut } = await pictures(file)
  expect(count).toBeLessThan(80)
  expect(leftOut).toBeLessThan(1000)
  expect(await hasMixedSamples(file)).toBe(true)
})

it('a track with two descriptions of one kind is taken, and read and copied to its end', async () => {
  const file = write('same.mp4', withSecondKind(path('whole.mp4'), 'avc1'))
  expect(tracks(file).video).toMatchObject({ nb_frames: '120' })
  expect(await hasMixedSamples(file)).toBe(false)
  const { count, found } = await pictures(file)
  expect(count).toBe(120)
  const made = await ingest({ source: file, outDir: folder, probe: found })
  expect(made).toMatchObject({ ok: true })
  expect(tracks(path('proxy.mp4')).seconds).toBeGreaterThan(11.9)
})

it('files as programs write them are of one kind, a time code and an index in front included', async () => {
  ffmpeg('-i @ -c copy -timecode 01:00:00:00 @', path('whole.mov'), path('timed.mov'))
  for (const name of ['whole.mp4', 'whole.mov', 'front.mp4', 'timed.mov'])
    expect(await hasMixedSamples(path(name)), name).toBe(false)
})

it('an index that is packed, or says more than it holds, counts as mixed', async () => {
  const packed = readFileSync(path('whole.mp4'))
  packed.write('cmov', packed.indexOf('mvhd'), 'latin1')
  expect(await hasMixedSamples(write('packed.mp4', packed))).toBe(true)
  const longer = readFileSync(path('whole.mp4'))
  longer.writeUInt32BE(2, longer.indexOf('stsd') + 8)
  expect(await hasMixedSamples(write('longer.mp4', longer))).toBe(true)
})
