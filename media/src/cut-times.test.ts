// @module-tag long
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ffmpeg, lights, quick, scratch, tracks } from '../test/footage.ts'
import { refusedCut } from './cut.ts'
import { ingest } from './ingest.ts'
import { probe } from './probe.ts'

const { path, bin } = scratch()
afterAll(bin)

/** Each picture is lighter than the one before, and every eighth is black again. */
const steps = (rate: string, seconds: number) =>
  `-f lavfi -i color=black:s=32x32:r=${rate}:d=${seconds},geq=lum=16+27*mod(N\\,8):cb=128:cr=128 -f lavfi -i sine=d=${seconds}`

/** How many pictures a copy passes over. */
function passedOver(copy: string): number {
  const seen = lights(copy).map((light) => Math.round(light / 31.4) % 8)
  return seen.slice(1).reduce((sum, step, i) => sum + Math.max(0, ((step - seen[i]! + 8) % 8) - 1), 0)
}

async function copied(name: string, line: string) {
  const file = path(name)
  ffmpeg(`${line} ${quick} -qp 10 -c:a aac @`, file)
  const outDir = path(`out-${name}`)
  mkdirSync(outDir)
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  expect(await ingest({ source: file, outDir, probe: found, isCut: true })).toMatchObject({ ok: true })
  const copy = join(outDir, 'proxy.mp4')
  const rate = tracks(copy).video?.['r_frame_rate']
  return {
    refused: await refusedCut(file, found),
    unseen: found.video?.unseen?.at60 ?? 0,
    lost: passedOver(copy),
    rate,
  }
}

describe('a cut whose times are whole milliseconds', () => {
  it('of 59.94 pictures a second is taken, and its copy has every picture', async () => {
    const cut = await copied('minute.mkv', steps('60000/1001', 40))
    expect(cut).toEqual({ refused: null, unseen: 0, lost: 0, rate: '60/1' })
  })

  it.each([
    ['29.97 in Matroska', 'half.mkv', steps('30000/1001', 40), '30/1'],
    [
      '60 in MP4, in the middle between two places',
      'late.mp4',
      `${steps('60', 20)} -bsf:v setts=ts=TS+8/1000/TB -video_track_timescale 1000`,
      '60/1',
    ],
    ['59.94 in MP4', 'minute.mp4', `${steps('60000/1001', 40)} -video_track_timescale 1000`, '60/1'],
  ])('of %s is taken, and its copy has every picture', async (_, name, line, rate) => {
    expect(await copied(name, line)).toEqual({ refused: null, unseen: 0, lost: 0, rate })
  })
})

it('as many pictures as are counted are missing in the copy of a cut with too many in one second', async () => {
  const crowd =
    '-vf setpts=if(between(N\\,60\\,179)\\,(1+(N-60)/120)/TB\\,PTS-if(gt(N\\,179)\\,1/TB\\,0)) -fps_mode passthrough'
  const cut = await copied(
    'crowd.mp4',
    `${steps('60', 4)} ${crowd} -video_track_timescale 15360 -enc_time_base 1/15360`,
  )
  expect(cut.unseen).toBeGreaterThan(50)
  expect(cut.lost).toBe(cut.unseen)
  expect(cut.refused).toMatch(/ export it /i)
})
