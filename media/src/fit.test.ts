// @module-tag long
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beeps, turning } from '../test/footage.ts'
import { coverFile, fitFile, makeCover, makeFit, type FitBounds } from './fit.ts'
import { probe, type Probe } from './probe.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fit-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const none: FitBounds = { bytes: 100_000_000, side: null, rate: null, bits: null }

/** Noise over a moving picture, which no encoder makes small, with a tone. */
const clip = async (
  name: string,
  { size = '360x640', rate = 30, encode = '-c:v libx264 -preset ultrafast -crf 12 -c:a aac' },
) => {
  const source = join(folder, name)
  await run('ffmpeg', [
    ...`-v error -f lavfi -i testsrc2=size=${size}:rate=${rate} -f lavfi -i sine=frequency=330:sample_rate=48000 -t 2`.split(
      ' ',
    ),
    ...'-vf noise=alls=40:allf=t,format=yuv420p'.split(' '),
    ...encode.split(' '),
    '-y',
    source,
  ])
  const found = await probe(source)
  if (!found.ok) throw new Error(found.reason)
  return { source, probe: found, outDir: await mkdtemp(join(folder, 'out-')) }
}

const fitOf = async (job: Awaited<ReturnType<typeof clip>>, fit: FitBounds) => {
  expect(await makeFit({ ...job, fit })).toEqual({ ok: true })
  const path = join(job.outDir, fitFile)
  const found = (await probe(path)) as Probe
  return { path, found, bytes: (await stat(path)).size }
}

it('a file is made within bounds of bytes, sides and rate, in the shape and length of the one it is made of', async () => {
  const job = await clip('large.mp4', { rate: 60 })
  const { bytes: before } = { bytes: (await stat(job.source)).size }
  const bounds = { bytes: Math.floor(before / 4), side: 320, rate: { least: 24, most: 30 }, bits: null }
  const { found, bytes } = await fitOf(job, bounds)
  expect(bytes).toBeLessThanOrEqual(bounds.bytes)
  expect(found.video).toMatchObject({ codec: 'h264', width: 180, height: 320, fps: 30, constantRate: true })
  expect(found.audio).toMatchObject({ codec: 'aac', channels: 2, sampleRate: 48_000 })
  expect(Math.abs(found.durationMs - job.probe.durationMs)).toBeLessThan(80)
})

it('another kind of file becomes an MP4 with H.264 that begins at once, has its index in front and no edit list', async () => {
  const job = await clip('other.mov', { rate: 15, encode: '-c:v mjpeg -q:v 3 -c:a pcm_s16le' })
  const { path, found } = await fitOf(job, { ...none, rate: { least: 23, most: 60 } })
  expect(found).toMatchObject({ mp4: true, video: { codec: 'h264', width: 360, height: 640, fps: 30 } })
  const bytes = await readFile(path)
  expect(bytes.includes('elst')).toBe(false)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  const { stdout } = await run('ffprobe', `-v error -show_entries stream=start_time -of csv=p=0 ${path}`.split(' '))
  expect(stdout.trim().split('\n').map(Number)).toEqual([0, 0])
})

it('picture and sound stay together', async () => {
  const source = join(folder, 'beat.mp4')
  // A second of black and silence, then white with a tone.
  await run('ffmpeg', [
    ...'-v error -f lavfi -i color=black:size=180x320:rate=30:duration=1 -f lavfi -i color=white:size=180x320:rate=30:duration=1'.split(
      ' ',
    ),
    ...'-f lavfi -i aevalsrc=if(gte(t\\,1)\\,sin(2000*t)\\,0):s=48000:d=2 -filter_complex [0][1]concat=n=2,format=yuv420p[v]'.split(
      ' ',
    ),
    ...'-map [v] -map 2:a -c:v libx264 -preset ultrafast -c:a aac -y'.split(' '),
    source,
  ])
  const found = (await probe(source)) as Probe
  const outDir = await mkdtemp(join(folder, 'beat-'))
  expect(await makeFit({ source, probe: found, outDir, fit: none })).toEqual({ ok: true })
  const path = join(outDir, fitFile)
  const samples = (
    await run('ffmpeg', ['-v', 'error', '-i', path, ...'-f f32le -ac 1 -ar 48000 -'.split(' ')], {
      encoding: 'buffer',
      maxBuffer: 2 ** 24,
    })
  ).stdout
  const sound = new Float32Array(
    samples.buffer.slice(samples.byteOffset, samples.byteOffset + (samples.byteLength & ~3)),
  )
  const pictures = (
    await run('ffmpeg', ['-v', 'error', '-i', path, ...'-vf scale=1:1 -f rawvideo -pix_fmt gray -'.split(' ')], {
      encoding: 'buffer',
    })
  ).stdout
  const heard = sound.findIndex((value) => Math.abs(value) > 0.2) / 48_000
  const seen = pictures.findIndex((value) => value > 128) / 30
  expect(Math.abs(heard - seen)).toBeLessThan(0.02)
})

it('a picture that turns on the way leaves the sound where it was', async () => {
  const source = turning(join(folder, 'turning.mkv'))
  const found = (await probe(source)) as Probe
  const { path } = await fitOf({ source, probe: found, outDir: await mkdtemp(join(folder, 'turned-')) }, none)
  const { at, of } = beeps(path)
  for (const tenth of [6, 26]) expect(at).toContain(tenth)
  expect(Math.abs(of - 40)).toBeLessThan(3)
})

it('bits a second are kept within their bound', async () => {
  const job = await clip('heavy.mp4', {})
  expect((job.probe.bytes * 8000) / job.probe.durationMs).toBeGreaterThan(2_000_000)
  const { found, bytes } = await fitOf(job, { ...none, bits: 1_500_000 })
  expect((bytes * 8000) / found.durationMs).toBeLessThanOrEqual(1_500_000)
})

it('a rate within the bounds stays as it is', async () => {
  const job = await clip('film.mp4', { rate: 25, size: '180x320' })
  expect((await fitOf(job, { ...none, rate: { least: 23, most: 60 } })).found.video).toMatchObject({ fps: 25 })
})

it('a cover is the picture at its moment, upright and of the video’s shape', async () => {
  const source = join(folder, 'colours.mp4')
  // Red for a second, then blue.
  await run('ffmpeg', [
    ...'-v error -f lavfi -i color=red:size=360x640:rate=30:duration=1 -f lavfi -i color=blue:size=360x640:rate=30:duration=1'.split(
      ' ',
    ),
    ...'-filter_complex [0][1]concat=n=2,format=yuv420p -c:v libx264 -preset ultrafast -y'.split(' '),
    source,
  ])
  const found = (await probe(source)) as Probe
  for (const [atMs, isRed] of [
    [200, true],
    [1500, false],
    [2000, false],
  ] as const) {
    const outDir = await mkdtemp(join(folder, 'cover-'))
    expect(await makeCover({ source, probe: found, outDir, atMs })).toEqual({ ok: true })
    const path = join(outDir, coverFile)
    expect(await probe(path)).toMatchObject({ kind: 'picture', video: { width: 360, height: 640 } })
    const { stdout } = await run(
      'ffmpeg',
      [...'-v error -i'.split(' '), path, ...'-vf scale=1:1 -f rawvideo -pix_fmt rgb24 -'.split(' ')],
      {
        encoding: 'buffer',
      },
    )
    expect(stdout[0]! > stdout[2]!, `at ${atMs}`).toBe(isRed)
  }
})

it('a recording of sound alone is made into no file and has no cover', async () => {
  const job = await clip('sound.mp4', { size: '180x320' })
  const heard = { ...job, probe: { ...job.probe, video: null } }
  expect(await makeFit({ ...heard, fit: none })).toMatchObject({ ok: false })
  expect(await makeCover({ ...heard, atMs: 0 })).toMatchObject({ ok: false })
})
