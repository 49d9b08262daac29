// @module-tag long
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { framesOf, numberedSource, numberOf } from '../test/barcode.ts'
import { ffmpeg, scratch, tracks } from '../test/footage.ts'
import { isLong } from '../test/long.ts'
import { keeping, paintGrey, type Grey } from '../test/recipes.ts'
import { ingest } from './ingest.ts'
import { playableAsIs, probe, stillMs, withPictureEnd, type Probe } from './probe.ts'
import { plan, run } from './render.ts'
import { voiceOf } from './voice.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const size = { width: 180, height: 320 }
const h264 = '-c:v libx264 -preset ultrafast -bf 2 -g 30 -c:a aac'
const vp8 = '-c:v libvpx -deadline realtime -c:a libopus'
const clear = '-pix_fmt yuva420p -auto-alt-ref 0'

type Take = {
  onlyLong?: true
  take: string
  file: string
  pictures: number
  sound: number
  late?: number
  coded?: string
}

/** Numbered pictures, 30 a second from `late` seconds on, beside so many seconds of a tone. */
function makeTake({ file, pictures, sound, late = 0, coded = h264 }: Take): string {
  const { picture } = numberedSource({ ...size, frames: pictures })
  ffmpeg(
    `-itsoffset ${late} -f rawvideo -pix_fmt yuv420p -video_size 180x320 -framerate 30 -i @ ` +
      `-f lavfi -i sine=f=300:r=48000:d=${sound} -fps_mode vfr ${coded} -b:a 96k @`,
    write(`${file}.yuv`, picture),
    path(file),
  )
  return path(file)
}

async function seen(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.reason)
  return found
}

let count = 0
/** Renders those passages, and reads the number off every picture. */
async function rendered(file: string, found: Probe, passages: [number, number][]) {
  const outDir = path(`out-${count++}`)
  mkdirSync(outDir)
  const materials = new Map([['A', { hash: file, probe: found }]])
  const planned = plan<Grey>(keeping('A', found.durationMs, passages), {
    materials,
    painted: { tracks: [], cards: [] },
  })
  const place = { cacheDir: path('cache'), outDir }
  const answer = await run(planned, { files: new Map([['A', file]]), paint: paintGrey, ...place })
  if (!answer.ok) throw new Error(answer.reason)
  const frames = framesOf(join(outDir, 'video.mp4'), size)
  return Array.from({ length: frames.count }, (_, i) => numberOf(frames.blocks(i)))
}

describe('a take whose sound and picture are not equally long', { timeout: 120_000 }, () => {
  const takes: Take[] = [
    { onlyLong: true, take: 'with half a second more sound', file: 'half.mp4', pictures: 90, sound: 3.5 },
    { onlyLong: true, take: 'with nine tenths of a second more sound', file: 'second.mov', pictures: 90, sound: 3.9 },
    { take: 'with many seconds more sound', file: 'much.mp4', pictures: 60, sound: 9 },
    { onlyLong: true, take: 'of half a second of picture', file: 'little.mp4', pictures: 15, sound: 9 },
    { take: 'of one picture', file: 'one.mp4', pictures: 1, sound: 3 },
    { take: 'whose picture begins late and ends early', file: 'late.mp4', pictures: 45, sound: 4, late: 1 },
    { take: 'whose picture begins seconds after its sound', file: 'later.mp4', pictures: 90, sound: 9, late: 3.4 },
    {
      take: 'from a browser, whose picture begins seconds after its sound',
      file: 'later.webm',
      pictures: 60,
      sound: 8.5,
      late: 6.2,
      coded: vp8,
    },
    { take: 'from a browser', file: 'much.webm', pictures: 60, sound: 4, coded: vp8 },
    { take: 'from a browser, with clear parts', file: 'clear.webm', pictures: 5, sound: 4, coded: `${vp8} ${clear}` },
    { take: 'with many seconds more picture', file: 'silent.mp4', pictures: 180, sound: 1 },
  ]
  const asked = takes.filter(({ onlyLong }) => isLong || !onlyLong)
  it.each(asked)('is accepted, shown and rendered $take', async (take) => {
    const { pictures, sound, late = 0 } = take
    const file = makeTake(take)
    const found = await seen(file)
    const seconds = Math.max(late + pictures / 30, sound)
    expect(Math.abs(found.durationMs - 1000 * seconds)).toBeLessThan(40)
    expect(Math.abs((found.video?.lastMs ?? 0) - 1000 * (late + (pictures - 1) / 30))).toBeLessThan(30)

    // The proxy has a picture for every moment.
    const outDir = path(`${take.file}-shown`)
    mkdirSync(outDir)
    const shown = await ingest({ source: file, outDir, probe: found })
    if (!shown.ok) throw new Error(shown.reason)
    const { video } = tracks(join(outDir, shown.proxy!.file))
    expect(Math.abs(Number(video?.['duration']) - seconds)).toBeLessThan(0.1)
    expect(shown.poster && shown.thumb && shown.filmstrip).toBeTruthy()
    const ends = seconds - late - pictures / 30 > 1
    expect(shown.verdicts.some(({ code }) => code === 'picture-ends')).toBe(ends)
    expect(ends && playableAsIs(found)).toBe(false)

    // What listens hears the whole, silent after the sound has ended.
    expect(Math.abs((await voiceOf(file, found)).length / 16 - 1000 * seconds)).toBeLessThan(60)

    // Passages of which some reach beyond the last picture, or begin there.
    const end = found.durationMs
    const passages: [number, number][] = [
      [0, 600],
      [end - 1500, end - 1000],
      [end - 900, end - 300],
      [end - 200, end],
    ]
    const frameAt = (ms: number) => Math.floor((ms * 30) / 1000 + 0.5)
    const wanted = passages.flatMap(([from, to]) =>
      Array.from({ length: frameAt(to) - frameAt(from) }, (_, i) =>
        Math.min(pictures - 1, Math.max(0, frameAt(from) + i - Math.round(late * 30))),
      ),
    )
    const numbers = await rendered(file, found, passages)
    expect(numbers.length).toBe(wanted.length)
    // Files of whole milliseconds may show a picture one frame late.
    numbers.forEach((number, i) => expect(Math.abs(number - wanted[i]!), `frame ${i}`).toBeLessThanOrEqual(1))
  })

  it('that an earlier release checked is measured when it is rendered', async () => {
    const file = makeTake({ take: '', file: 'old.mp4', pictures: 30, sound: 5 })
    const found = await seen(file)
    const { lastMs, ...video } = found.video!
    const old = { ...found, video }
    expect(stillMs(old)).toBe(0)
    await expect(rendered(file, old, [[3500, 4500]])).rejects.toThrow('damaged')
    const again = await withPictureEnd(file, old)
    expect([again.video?.lastMs, stillMs(again)]).toEqual([lastMs, 4000])
    expect(await rendered(file, again, [[3500, 4500]])).toEqual(Array(30).fill(29))
  })
})
