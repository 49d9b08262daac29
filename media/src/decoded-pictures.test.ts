import { chmodSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ffmpeg, growing, scratch } from '../test/footage.ts'
import { refusedCut } from './cut.ts'
import { decodedPictures } from './decoded-pictures.ts'
import { probe } from './probe.ts'

const { path, write, bin } = scratch()
afterAll(bin)

/** Two seconds of H.264 of which each picture stands for itself. */
const raw = (name: string, line: string): Buffer => {
  ffmpeg(`-f lavfi -i testsrc=s=96x64:r=10:d=2 -c:v libx264 -preset ultrafast -g 1 ${line} @`, path(name))
  return readFileSync(path(name))
}

let one: Buffer
beforeAll(() => (one = raw('one.h264', '-pix_fmt yuv420p')))

/** A film of those bytes. */
const film = (name: string, ...parts: Buffer[]): string => {
  ffmpeg('-r 10 -f h264 -i @ -c copy @', write(`${name}.h264`, Buffer.concat(parts)), path(name))
  return path(name)
}

/** Its pictures, each with all that describes it. */
const pictures = (bytes: Buffer): Buffer[] => {
  const begin = Buffer.from('0000000167', 'hex')
  const at = [...bytes.toString('latin1').matchAll(new RegExp(begin.toString('latin1'), 'g'))].map(({ index }) => index)
  return at.map((from, i) => bytes.subarray(from, at[i + 1]))
}

const asked = async (file: string) => {
  const found = await probe(file)
  if (!found.ok || !found.video) throw new Error('it is a film')
  return {
    found,
    video: found.video,
    refused: await refusedCut(file, found),
    decoded: await decodedPictures(file, found),
  }
}

/** What comes behind the first two seconds, in which way it is another thing. */
const others = {
  size: '-pix_fmt yuv420p -s 96x48',
  format: '-pix_fmt yuv422p',
  range: '-pix_fmt yuv420p -color_range pc',
  turn: '-pix_fmt yuv420p -bsf:v h264_metadata=display_orientation=insert:rotate=90',
}

describe('a cut whose pictures change on the way', () => {
  it.each(Object.entries(others))('in %s is told to be exported in one', async (way, line) => {
    const { refused, decoded } = await asked(film(`${way}.mkv`, one, raw(`${way}.h264`, line)))
    expect(decoded).toMatchObject({ isSteady: false })
    expect(refused).toMatch(/change their size, colors or format.*Export it again at one size/)
  })

  it('in size from each one to the next is told so, too', async () => {
    const low = pictures(raw('low.h264', others.size))
    const both = pictures(one).flatMap((picture, i) => [picture, low[i]!])
    const { decoded } = await asked(film('both.mkv', ...both))
    expect(decoded).toEqual({ missing: 0, isSteady: false })
  })

  it('not at all has all that it holds', async () => {
    const { refused, decoded } = await asked(film('same.mkv', one, one))
    expect([refused, decoded]).toEqual([null, { missing: 0, isSteady: true }])
  })
})

describe('a cut with pictures that no decoder of ours gives out', () => {
  it('is refused as damaged where they are many', async () => {
    const file = growing(path('grows.mp4'))
    const { found, video } = await asked(file)
    // As if the large ones stood between those that the probe looks at.
    const hidden = { ...found, video: { ...video, largest: { width: 96, height: 64 } } }
    expect(await decodedPictures(file, hidden)).toEqual({ missing: 20, isSteady: true })
    expect(await refusedCut(file, hidden)).toMatch(/are damaged.*missing in the copy.*Export it again/)
  })

  it('is taken where a trim left a few that are told by others', async () => {
    const open = `-c:v libx264 -pix_fmt yuv420p -g 30 -bf 8 -x264-params open-gop=1:b-adapt=0:scenecut=0`
    ffmpeg(`-f lavfi -i testsrc2=s=96x64:r=30:d=6 ${open} @`, path('open.mkv'))
    ffmpeg('-ss 2 -i @ -c copy @', path('open.mkv'), path('trim.mkv'))
    const { refused, decoded } = await asked(path('trim.mkv'))
    expect(decoded).toMatchObject({ isSteady: true })
    expect(decoded?.missing).toBeGreaterThan(0)
    expect(refused).toBeNull()
  })

  it('is told that it is too much work where the decoder needs more than it may', async () => {
    const file = film('work.mkv', one, one)
    const { found } = await asked(file)
    const script = '#!/bin/sh\ncase "$*" in *frame=pts*) kill -XCPU $$;; esac\nexec ffprobe "$@"\n'
    const busy = write('ffprobe', script)
    chmodSync(busy, 0o755)
    vi.stubEnv('FFPROBE_PATH', busy)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await refusedCut(file, found)).toMatch(/far more work.*Export it again/)
  })
})
