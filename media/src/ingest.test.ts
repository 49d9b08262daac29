import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beeps, ffmpeg, growing, lights, pointAt, quick, scratch, tracks, turning } from '../test/footage.ts'
import { filmstripLayout, filmstripPlan } from './filmstrip.ts'
import { ingest, overall, type Derivatives, type Stage } from './ingest.ts'
import { peaksPlan, type Peaks } from './peaks.ts'
import { posterPlan } from './poster.ts'
import { probe, type Probe, type VideoTrack } from './probe.ts'
import { proxyPlan, proxyRate } from './proxy.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const video: VideoTrack = {
  stream: 0,
  codec: 'hevc',
  width: 2160,
  height: 3840,
  rotation: 90,
  fps: 29.97,
  constantRate: false,
  pixelFormat: 'yuv420p10le',
  hdr: 'hlg',
  matrix: 'bt2020',
  alpha: false,
}
const audio = { stream: 1, codec: 'aac', channels: 1, sampleRate: 44_100 }
const phone: Probe = {
  ok: true,
  kind: 'video',
  container: 'mov',
  mp4: false,
  bytes: 9e8,
  durationMs: 121_400,
  video,
  audio,
}

describe('the ffmpeg arguments', () => {
  const plain = { ...phone, video: { ...video, hdr: null, matrix: 'bt709' } } satisfies Probe
  const old = {
    ...phone,
    audio: null,
    video: { ...video, hdr: null, matrix: 'bt601', width: 640, height: 480 },
  } satisfies Probe
  const pq = { ...video, hdr: 'pq' } satisfies VideoTrack
  const logo = { ...video, matrix: 'rgb', hdr: null, alpha: true, width: 400, height: 200 } satisfies VideoTrack

  it('of a poster are as reviewed', () => {
    expect(shown(posterPlan('/in/take.mov', plain, plain.video, 2))).toMatchSnapshot()
    expect(shown(posterPlan('/in/logo.png', { ...plain, container: 'png', durationMs: 0 }, logo, 2))).toMatchSnapshot()
  })
  it('of the waveform peaks are as reviewed', () =>
    expect(shown(peaksPlan('/in/take.mov', phone, audio, 2))).toMatchSnapshot())
  it('of a proxy of ordinary video are as reviewed', () =>
    expect(shown(proxyPlan('/in/take.mov', plain, 2))).toMatchSnapshot())
  it('of a proxy of HLG video are as reviewed', () =>
    expect(shown(proxyPlan('/in/take.mov', phone, 2))).toMatchSnapshot())
  it('of a proxy of PQ video are as reviewed', () =>
    expect(shown(proxyPlan('/in/take.mov', { ...phone, video: pq }, 2))).toMatchSnapshot())
  it('of a proxy of BT.601 video without sound are as reviewed', () =>
    expect(shown(proxyPlan('/in/take.mov', old, 2))).toMatchSnapshot())
  it('of a proxy of few pictures scale each of them once, and of many only those that are shown', () => {
    const chain = (pictures: number) =>
      shown(proxyPlan('/in/take.mov', { ...plain, video: { ...plain.video, pictures } }, 2))
    const seconds = plain.durationMs / 1000
    expect(chain(seconds)).toMatch(/scale=.*fps=30/)
    expect(chain(60 * seconds)).toMatch(/fps=30.*scale=/)
  })
  it('of a proxy of sound alone are as reviewed', () =>
    expect(shown(proxyPlan('/in/take.mov', { ...phone, video: null }, 2))).toMatchSnapshot())
  it('of a filmstrip are as reviewed, and its layout covers any length with at most 120 pictures', () => {
    for (const ms of [400, 8000, 29_999, 30_001, 121_400, 3_600_000]) {
      const strip = filmstripLayout(ms, { width: 720, height: 1280 })
      expect(strip.count * strip.intervalMs, `${ms}`).toBeGreaterThanOrEqual(ms - 40 - strip.intervalMs)
      expect((strip.count - 1) * strip.intervalMs, `${ms}`).toBeLessThan(ms)
      expect(strip.count).toBeLessThanOrEqual(120)
      expect(strip.rows * strip.columns).toBeGreaterThanOrEqual(strip.count)
    }
    expect(shown(filmstripPlan(filmstripLayout(121_400, { width: 720, height: 1280 }), 2))).toMatchSnapshot()
  })
})

/** The arguments, one option a line; the list that all plans share is shown once. */
function shown(args: string[]): string {
  const line = args.join(' ').replace(/(-codec_whitelist) (\S+)/, (_, name, list) => {
    expect(list).toMatch(/^h264,hevc,/)
    return `${name} …`
  })
  return line.replaceAll(/ -(?=[a-z])/g, '\n-').replaceAll(/[;\]],?(?=\[)/g, (end) => `${end}\n    `)
}

async function digest(file: string, name: string) {
  const found = await probe(file)
  if (!found.ok) throw new Error(found.code)
  const outDir = path(name)
  mkdirSync(outDir)
  const progress: [Stage, number][] = []
  const ready: (keyof Derivatives)[] = []
  const made = await ingest({
    source: file,
    outDir,
    probe: found,
    onProgress: (stage, fraction) => void progress.push([stage, fraction]),
    onReady: (part) => void ready.push(...(Object.keys(part) as (keyof Derivatives)[])),
  })
  if (!made.ok) throw new Error(made.code)
  const proxy = made.proxy ? join(outDir, made.proxy.file) : ''
  return { found, made, outDir, progress, ready, proxy, codes: made.verdicts.map(({ code }) => code) }
}

// A steady tone, so that every verdict about sound has its file.
const tone = (volume: string) => `-f lavfi -i sine=f=300:d=2,volume=${volume}`
// Red on the left, blue on the right, as it should be seen.
const halves = (size: string, rate: number, seconds = 2) =>
  `-f lavfi -i color=0xC02020:s=${size}:r=${rate}:d=${seconds},drawbox=x=iw/2:w=iw/2:c=0x2030C0:t=fill`

describe('a rotated phone video with a variable frame rate and mono sound', () => {
  let result: Awaited<ReturnType<typeof digest>>
  beforeAll(async () => {
    const drop = `select='not(eq(mod(n\\,11)\\,5))'`
    ffmpeg(
      `${halves('360x640', 30)} ${tone('1')} -vf transpose=2,${drop} -fps_mode vfr ${quick} -c:a aac @`,
      path('l.mov'),
    )
    ffmpeg('-i @ -c copy -metadata:s:v:0 rotate=270 @', path('l.mov'), path('phone.mov'))
    const turned = tracks(path('phone.mov'))
    expect(turned.video).toMatchObject({ width: 640, height: 360 })
    result = await digest(path('phone.mov'), 'phone')
  })

  it('becomes an upright proxy of a constant rate, in Rec. 709, with stereo sound', () => {
    const seen = tracks(result.proxy)
    expect(seen.all.length).toBe(2)
    expect(seen.video).toMatchObject({
      codec_name: 'h264',
      width: 360,
      height: 640,
      pix_fmt: 'yuv420p',
      r_frame_rate: '30/1',
      avg_frame_rate: '30/1',
      color_space: 'bt709',
      color_transfer: 'bt709',
      color_primaries: 'bt709',
      color_range: 'tv',
    })
    expect(seen.video?.['side_data_list']).toBeUndefined()
    expect(seen.audio).toMatchObject({ codec_name: 'aac', channels: 2, sample_rate: '48000' })
    expect(Math.abs(seen.seconds - 2)).toBeLessThan(0.1)
    expect(Number(seen.video?.['nb_frames'])).toBeGreaterThanOrEqual(59)
    const index = readFileSync(result.proxy)
    expect(index.indexOf('moov')).toBeLessThan(index.indexOf('mdat'))
  })

  it('keeps its left on the left and its colours, in proxy and poster', () => {
    const [left, right] = [pointAt(result.proxy, 1, 60, 300), pointAt(result.proxy, 1, 300, 300)]
    const poster = join(result.outDir, 'poster.jpg')
    for (const [one, other] of [
      [left, right],
      [pointAt(poster, 0, 60, 300), pointAt(poster, 0, 300, 300)],
    ]) {
      near(one, [0xc0, 0x20, 0x20])
      near(other, [0x20, 0x30, 0xc0])
    }
  })

  it('reports its stages in order, and each derivative as soon as it is made', () => {
    const stages = [...new Set(result.progress.map(([stage]) => stage))]
    expect(stages).toEqual(['poster', 'peaks', 'proxy', 'filmstrip'])
    const whole = result.progress.map(([stage, fraction]) => overall(stage, fraction))
    expect(whole).toEqual(whole.toSorted((a, b) => a - b))
    expect(whole.at(-1)).toBe(1)
    expect(result.ready).toEqual(['poster', 'thumb', 'light', 'peaks', 'proxy', 'filmstrip', 'verdicts'])
    expect(readdirSync(result.outDir).toSorted()).toEqual(
      ['filmstrip.jpg', 'peaks.json', 'poster.jpg', 'proxy.mp4', 'thumb.jpg'].toSorted(),
    )
  })

  it('gets 50 peaks a second and a filmstrip of the promised size', () => {
    const peaks: Peaks = JSON.parse(readFileSync(join(result.outDir, 'peaks.json'), 'utf8'))
    expect(peaks.perSecond).toBe(50)
    expect(Math.abs(peaks.peaks.length - 100)).toBeLessThan(4)
    expect(Math.max(...peaks.peaks)).toBeLessThanOrEqual(255)
    const strip = result.made.filmstrip
    expect(tracks(join(result.outDir, 'filmstrip.jpg')).video).toMatchObject({
      width: (strip?.width ?? 0) * (strip?.columns ?? 0),
      height: (strip?.height ?? 0) * (strip?.rows ?? 0),
    })
  })

  it('with a tone as its sound gets the verdict that no voice is heard', () =>
    expect(result.codes).toEqual(['no-voice', 'small']))
})

describe('colour conversion', () => {
  it.each([
    ['hlg', 'arib-std-b67', 0.744],
    ['pq', 'smpte2084', 0.5807],
  ] as const)(
    '%s video converts to Rec. 709 with white paper just under white and skin brightness kept',
    async (name, transfer, white) => {
      // Signal values of grey: white paper as BT.2408 has it, and two steps below.
      const y = (value: number) => Math.round(64 + 876 * value)
      const grey = (value: number) =>
        `-f lavfi -i color=black:s=160x90:r=10:d=1,format=yuv420p10,lutyuv=y=${y(value)}:u=512:v=512`
      const hevc = `-c:v libx265 -preset ultrafast -x265-params log-level=none:lossless=1`
      const colours = `-color_primaries bt2020 -color_trc ${transfer} -colorspace bt2020nc -color_range tv`
      ffmpeg(`${grey(white)} ${hevc} -pix_fmt yuv420p10le ${colours} @`, path(`${name}.mov`))
      const { found, proxy } = await digest(path(`${name}.mov`), name)
      expect(found.video?.hdr).toBe(name)
      expect(tracks(proxy).video).toMatchObject({ color_space: 'bt709', color_transfer: 'bt709', pix_fmt: 'yuv420p' })
      const [r = 0, g = 0, b = 0] = pointAt(proxy, 0.5, 80, 40)
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(8)
      expect(g).toBeGreaterThan(222)
      expect(g).toBeLessThan(248)
    },
  )

  it('BT.601 video is converted to BT.709, not only relabelled', async () => {
    const tags = '-color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m -color_range tv'
    ffmpeg(
      `${halves('320x240', 25)} -vf scale=out_color_matrix=bt601:out_range=tv,format=yuv420p ${quick} ${tags} @`,
      path('old.mp4'),
    )
    const { proxy } = await digest(path('old.mp4'), 'old')
    near(pointAt(proxy, 1, 60, 100), [0xc0, 0x20, 0x20])
    near(pointAt(proxy, 1, 260, 100), [0x20, 0x30, 0xc0])
  })
})

describe('incomplete or poor sources', () => {
  it('a picture of noise that stands, small as a file, gets a copy of a bounded size', async () => {
    const still = '-vf select=not(n),loop=-1:1,setpts=N/30/TB -t 8'
    ffmpeg(`-f lavfi -i nullsrc=s=1280x720:r=30:d=8,noise=alls=100:allf=t ${still} ${quick} @`, path('noise.mp4'))
    const { proxy } = await digest(path('noise.mp4'), 'noise')
    expect(statSync(proxy).size).toBeLessThan((8 * 1.25 * proxyRate) / 8)
  })

  it('a file whose copy takes more of a processor than it may is refused as too heavy', async () => {
    const file = path('heavy.mp4')
    ffmpeg(`-f lavfi -i testsrc2=s=1280x720:r=30:d=20 ${quick} @`, file)
    const found = await probe(file)
    if (!found.ok) throw new Error('the file is good')
    const outDir = path('heavy')
    mkdirSync(outDir)
    expect(await ingest({ source: file, outDir, probe: found, cpuSeconds: 1 })).toMatchObject({ code: 'too-heavy' })
  })

  it('a video without sound gets a silent stereo track, and verdicts say so', async () => {
    ffmpeg(`${halves('320x240', 60)} ${quick} @`, path('mute.mp4'))
    const { made, codes, proxy } = await digest(path('mute.mp4'), 'mute')
    expect(made.peaks).toBeNull()
    expect(tracks(proxy).audio).toMatchObject({ codec_name: 'aac', channels: 2 })
    expect(codes).toEqual(['no-sound', 'wide', 'small'])
  })

  it('a dark, quiet video gets the verdicts too-dark and too-quiet', async () => {
    ffmpeg(`-f lavfi -i color=0x101010:s=320x640:r=10:d=2 ${tone('0.05')} ${quick} -c:a aac @`, path('dark.mp4'))
    const { codes } = await digest(path('dark.mp4'), 'dark')
    expect(codes).toEqual(expect.arrayContaining(['too-quiet', 'too-dark']))
  })

  it('a sound file gets a proxy and peaks, and no pictures', async () => {
    ffmpeg(`${tone('1')} @`, path('tone.wav'))
    const { made, proxy } = await digest(path('tone.wav'), 'tone')
    expect(made).toMatchObject({ poster: null, thumb: null, filmstrip: null, proxy: { file: 'proxy.m4a' } })
    expect(tracks(proxy).all.map((track) => track['codec_name'])).toEqual(['aac'])
  })

  it('the transparent parts of a logo do not become black in its poster', async () => {
    ffmpeg('-f lavfi -i color=black@0:s=200x100:d=1,format=rgba -frames:v 1 @', path('logo.png'))
    const { outDir, made } = await digest(path('logo.png'), 'logo')
    expect(made).toMatchObject({ proxy: null, peaks: null, poster: { width: 200, height: 100 } })
    expect(pointAt(join(outDir, 'poster.jpg'), 0, 50, 50)[0]).toBeGreaterThan(150)
  })

  it('a recording whose pictures grow on the way is digested, and none larger than the probe found is decoded', async () => {
    const file = growing(path('grows.mp4'))
    const { made } = await digest(file, 'grows')
    expect(made.proxy).toMatchObject({ width: 96, height: 64 })
    expect(Math.round((made.proxy?.durationMs ?? 0) / 100)).toBe(40)
    // Between the pictures that the probe looks at, a hostile one may be larger: as if the large ones here were such.
    const found = await probe(file)
    if (!found.ok || !found.video) throw new Error('the file is good')
    const hidden = { ...found, video: { ...found.video, largest: { width: 96, height: 64 } } }
    const outDir = path('grows-hidden')
    mkdirSync(outDir)
    expect(await ingest({ source: file, outDir, probe: hidden })).toMatchObject({ ok: false, code: 'damaged' })
    expect(readdirSync(outDir)).not.toContain('proxy.mp4')
  })

  it('a recording whose picture turns on the way is heard in its copy where it was said, and as long', async () => {
    const { proxy } = await digest(turning(path('turns.mkv')), 'turns')
    const { at, of } = beeps(proxy)
    for (const second of [0.5, 2.5]) expect(at).toContain(10 * second + 1)
    expect(at.length).toBeLessThan(10)
    expect(Math.abs(of - 40)).toBeLessThan(3)
    expect(Math.abs(lights(proxy).length - 40 * 3)).toBeLessThan(3)
  })

  it('a small video with a larger second picture track, or a larger cover, is digested', async () => {
    ffmpeg(`-f lavfi -i testsrc=s=96x64:r=10:d=1 ${quick} @`, path('first.mp4'))
    ffmpeg(`-f lavfi -i testsrc=s=1280x720:r=10:d=1 ${quick} @`, path('second.mp4'))
    ffmpeg('-i @ -i @ -map 0 -map 1 -c copy @', path('first.mp4'), path('second.mp4'), path('two-pictures.mp4'))
    ffmpeg('-f lavfi -i testsrc=s=1500x1500 -frames:v 1 @', path('cover.png'))
    const covered = '-map 0 -map 1 -map 1 -map 1 -c copy -disposition:v:1 attached_pic -disposition:v:2 attached_pic'
    ffmpeg(`-i @ -i @ ${covered} @`, path('first.mp4'), path('cover.png'), path('covered.mp4'))
    for (const name of ['two-pictures', 'covered'])
      expect((await digest(path(`${name}.mp4`), name)).made.proxy).toMatchObject({ width: 96, height: 64 })
  })

  it('a file’s name with quotes, percent signs and brackets is processed', async () => {
    const file = write(`it's 100%d [a], b;c: "x" .mp4`, readFileSync(path('mute.mp4')))
    expect((await digest(file, `out's 100%d [a], b;c:`)).made.ok).toBe(true)
  })
})

describe('an ingest that ends early', () => {
  it('leaves no child process and throws the reason when it is aborted', async () => {
    ffmpeg(`${halves('640x360', 30, 20)} ${quick} @`, path('long.mp4'))
    const found = await probe(path('long.mp4'))
    if (!found.ok) throw new Error(found.code)
    mkdirSync(path('aborted'))
    const stop = new AbortController()
    const job = ingest({
      source: path('long.mp4'),
      outDir: path('aborted'),
      probe: found,
      signal: stop.signal,
      onProgress: (stage) => void (stage === 'proxy' && stop.abort(new Error('not wanted any more'))),
    })
    await expect(job).rejects.toThrow('not wanted any more')
    expect(readdirSync(path('aborted'))).not.toContain('filmstrip.jpg')
  })

  it('refuses a file that was damaged after its probe, and leaves no proxy', async () => {
    const found = await probe(path('long.mp4'))
    if (!found.ok) throw new Error(found.code)
    const file = readFileSync(path('long.mp4'))
    const broken = write('apart.mp4', file.fill(0, file.indexOf('mdat') + 200, file.indexOf('moov')))
    mkdirSync(path('apart'))
    expect(await ingest({ source: broken, outDir: path('apart'), probe: found })).toMatchObject({
      ok: false,
      code: 'damaged',
    })
    expect(readdirSync(path('apart'))).not.toContain('proxy.mp4')
  })
})

function near(seen: number[] | undefined, wanted: number[]): void {
  for (const [i, value] of wanted.entries())
    expect(Math.abs((seen?.[i] ?? 999) - value), `${seen} is not ${wanted}`).toBeLessThan(14)
}
