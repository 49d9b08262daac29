import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ffmpeg, growing, scratch } from '../test/footage.ts'
import { begunPictures } from './begun-pictures.ts'
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
    expect(decoded).toEqual({ packets: 40, pictures: 40, missing: 0, isSteady: false })
  })

  it('not at all has all that it holds', async () => {
    const { refused, decoded } = await asked(film('same.mkv', one, one))
    expect([refused, decoded]).toEqual([null, { packets: 40, pictures: 40, missing: 0, isSteady: true }])
  })
})

describe('a cut with pictures that no decoder of ours gives out', () => {
  it('is refused as damaged where they are many', async () => {
    const file = growing(path('grows.mp4'))
    const { found, video } = await asked(file)
    // As if the large ones stood between those that the probe looks at.
    const hidden = { ...found, video: { ...video, largest: { width: 96, height: 64 } } }
    expect(await decodedPictures(file, hidden)).toMatchObject({ missing: 20, isSteady: true })
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

/** A film of which each packet holds a picture and, behind that, a second whole one. */
const packed = (name: string, first: Buffer, second: Buffer): string => {
  const sliceOf = (picture: Buffer) => picture.subarray(picture.indexOf(Buffer.from('00000165', 'hex')) + 3)
  // ffmpeg would part them: until they are in a file, the second is of a kind that is only kept.
  const kept = pictures(second).map((picture) => Buffer.concat([Buffer.from([0x7f]), sliceOf(picture).subarray(1)]))
  const file = film(name, ...pictures(first).flatMap((picture, i) => [picture, Buffer.from([0, 0, 0, 1]), kept[i]!]))
  const bytes = readFileSync(file)
  for (const slice of kept) bytes[bytes.indexOf(slice)] = 0x65
  writeFileSync(file, bytes)
  return file
}

describe('a cut whose packets hold two pictures each', () => {
  it.each(['mkv', 'mp4'])('in %s is told to be exported anew: only one of them is in the copy', async (ending) => {
    const file = packed(`packed.${ending}`, one, raw('other.h264', '-pix_fmt yuv420p -vf negate'))
    const { refused, found, decoded } = await asked(file)
    expect(decoded).toEqual({ packets: 20, pictures: 20, missing: 0, isSteady: true })
    expect(await begunPictures(file, found)).toBe(40)
    expect(refused).toMatch(/more than one where players expect one.*Export it again without interlacing/)
  })
})

/** The pictures of an IVF file, two of them to a packet: as VP9 writes such packets (its annex B), all of them to be shown. */
const inPairs = (ivf: Buffer): Buffer => {
  const [parts, frames] = [[ivf.subarray(0, 32)], [] as Buffer[]]
  for (let at = 32; at < ivf.length; at += 12 + ivf.readUInt32LE(at))
    frames.push(ivf.subarray(at + 12, at + 12 + ivf.readUInt32LE(at)))
  for (let i = 0; i + 1 < frames.length; i += 2) {
    const two = [frames[i]!, frames[i + 1]!]
    const index = Buffer.alloc(10)
    index[0] = index[9] = 0b11011001
    two.forEach(({ length }, n) => index.writeUInt32LE(length, 1 + 4 * n))
    const packet = Buffer.concat([...two, index])
    const head = Buffer.alloc(12)
    head.writeUInt32LE(packet.length)
    head.writeBigUInt64LE(BigInt(i / 2), 4)
    parts.push(head, packet)
  }
  return Buffer.concat(parts)
}

describe('a cut whose packets are decoded to two pictures each', () => {
  it('is told to be exported anew: of both only one is in the copy', async () => {
    const encoder = '-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -lag-in-frames 0 -auto-alt-ref 0 -pix_fmt yuv420p'
    ffmpeg(`-f lavfi -i testsrc=s=96x64:r=20:d=4 ${encoder} @`, path('each.ivf'))
    ffmpeg('-i @ -c copy @', write('pairs.ivf', inPairs(readFileSync(path('each.ivf')))), path('pairs.webm'))
    const { refused, decoded } = await asked(path('pairs.webm'))
    expect(decoded).toMatchObject({ packets: 40, pictures: 80, missing: 0 })
    expect(refused).toMatch(/more than one where players expect one/)
  })
})

describe('the pictures that begin in the stream of a cut', () => {
  const encoders = {
    'H.264 in slices': '-c:v libx264 -pix_fmt yuv420p -x264-params slices=4 slices.mp4',
    'H.264 with interlaced blocks': '-c:v libx264 -pix_fmt yuv420p -flags +ildct+ilme -x264-params tff=1 blocks.mp4',
    'HEVC in slices': '-c:v libx265 -pix_fmt yuv420p -x265-params log-level=error:slices=2 -tag:v hvc1 slices.mov',
    'MPEG-4 with pictures told by later ones': '-c:v mpeg4 -pix_fmt yuv420p -bf 2 later.mp4',
  }
  it.each(Object.entries(encoders))('are as many as it has packets: %s', async (_, encoder) => {
    const line = encoder.split(' ')
    const file = path(line.pop()!)
    ffmpeg(`-f lavfi -i testsrc2=s=192x128:r=30:d=2 ${line.join(' ')} @`, file)
    const { refused, found, decoded } = await asked(file)
    expect(await begunPictures(file, found)).toBe(60)
    expect([decoded?.packets, refused]).toEqual([60, null])
  })
})
