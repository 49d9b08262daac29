import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ffmpeg, growing, quick, scratch } from '../test/footage.ts'
import { pointingTo } from '../test/reference.ts'
import { sameBytes } from '../test/same-bytes.ts'
import { safeInput } from './input.ts'
import { playableAsIs, probe, type Probe } from './probe.ts'
import { runBoxed } from './sandbox.ts'
import { ffmpegPath, ffprobePath } from './tools.ts'

const { path, write, bin } = scratch()
afterAll(bin)

const testsrc = (size: string, rate = 10, seconds = 1) => `-f lavfi -i testsrc=s=${size}:r=${rate}:d=${seconds}`
const sine = '-f lavfi -i sine=d=1'

async function taken(file: string): Promise<Probe> {
  const found = await probe(file)
  if (!found.ok) throw new Error(`${file} was refused: ${found.code}`)
  return found
}

describe('the probe accepts', () => {
  it('an upright phone video with a variable frame rate', async () => {
    const drop = `-vf select='not(eq(mod(n\\,5)\\,3))' -fps_mode vfr`
    ffmpeg(`${testsrc('192x108', 30, 2)} ${sine} ${drop} ${quick} -c:a aac @`, path('lying.mov'))
    ffmpeg('-i @ -c copy -metadata:s:v:0 rotate=270 @', path('lying.mov'), path('phone.mov'))
    const found = await taken(path('phone.mov'))
    expect(found).toMatchObject({ kind: 'video', container: 'mov', mp4: false })
    expect(found.video).toMatchObject({ width: 108, height: 192, codec: 'h264', constantRate: false, hdr: null })
    expect([90, 270]).toContain(found.video?.rotation)
    expect(found.durationMs).toBeGreaterThan(1900)
    expect(found.audio).toMatchObject({ codec: 'aac', channels: 1, sampleRate: 44100 })
    expect(playableAsIs(found)).toBe(false)
  })

  it('a video whose pictures come late, with all of them', async () => {
    const late = `-vf select='lt(t\\,11)*not(mod(n\\,30))+gte(t\\,11)' -fps_mode vfr`
    ffmpeg(`${testsrc('96x64', 30, 14)} ${late} ${quick} @`, path('late.mp4'))
    expect((await taken(path('late.mp4'))).video).toMatchObject({ fps: 1, constantRate: true, pictures: 11 + 3 * 30 })
  })

  it('a video that goes on behind the end that it names, as long as it goes on, and not to be played as it is', async () => {
    ffmpeg(`${testsrc('96x64', 10, 4)} ${sine} ${quick} -c:a aac @`, path('whole.mkv'))
    const bytes = readFileSync(path('whole.mkv'))
    const named = bytes.indexOf(Buffer.from('448988', 'hex')) + 3
    expect(bytes.readDoubleBE(named)).toBeGreaterThan(3900)
    bytes.writeDoubleBE(1000, named)
    write('less.mkv', bytes)
    expect((await taken(path('less.mkv'))).durationMs).toBeGreaterThan(3900)

    ffmpeg(`${testsrc('96x64', 10, 4)} ${quick} -c:a aac -use_editlist 0 @`, path('whole.mp4'))
    const mp4 = readFileSync(path('whole.mp4'))
    const unit = (box: string, at: number) => mp4.indexOf(box) + at
    mp4.writeUInt32BE(mp4.readUInt32BE(unit('mvhd', 16)), unit('mvhd', 20))
    mp4.writeUInt32BE(mp4.readUInt32BE(unit('mdhd', 16)), unit('mdhd', 20))
    mp4.writeUInt32BE(1000, unit('tkhd', 24))
    write('less.mp4', mp4)
    const [whole, less] = [await taken(path('whole.mp4')), await taken(path('less.mp4'))]
    expect(less).toMatchObject({ durationMs: whole.durationMs, namesLessTime: true })
    expect([whole, less].map(playableAsIs)).toEqual([true, false])
  })

  it('a take whose picture begins seconds after its sound', async () => {
    for (const [name, coded] of [
      ['late.mp4', `${quick} -c:a aac`],
      ['late.webm', '-c:v libvpx -deadline realtime -c:a libopus'],
      ['late.mkv', `${quick} -c:a aac`],
    ] as const)
      for (const late of [1.2, 7.9]) {
        ffmpeg(
          `-itsoffset ${late} ${testsrc('96x64', 10, 8 - late)} -f lavfi -i sine=d=8 -fps_mode vfr ${coded} @`,
          path(name),
        )
        expect((await taken(path(name))).video?.lastMs).toBeGreaterThan(7700)
      }
  })

  it('a film that begins seconds late on its own clock, as a part of a longer one does', async () => {
    ffmpeg(`${testsrc('96x64', 10, 6)} -f lavfi -i sine=d=6 ${quick} -c:a aac @`, path('part.mp4'))
    for (const name of ['part.mkv', 'later.mp4', 'part.mov']) {
      ffmpeg('-i @ -c copy -output_ts_offset 3 @', path('part.mp4'), path(name))
      const { durationMs, video } = await taken(path(name))
      expect(
        [durationMs, video?.lastMs].map((ms) => Math.round(Number(ms) / 100)),
        name,
      ).toEqual([60, 59])
    }
  })

  it('a silent film whose last picture stands for seconds, as screen recorders write it', async () => {
    ffmpeg(`${testsrc('96x64', 10, 3)} ${quick} @`, path('film.mp4'))
    ffmpeg('-i @ -c copy -bsf:v setts=duration=if(eq(N\\,29)\\,5/TB\\,DURATION) @', path('film.mp4'), path('still.mp4'))
    expect(await taken(path('still.mp4'))).toMatchObject({ durationMs: 7900, video: { lastMs: 2900 } })
  })

  it('a recording whose pictures grow on the way, with the size of the largest, which its work is reckoned by', async () => {
    const found = await taken(growing(path('grows.mp4')))
    expect(found.video).toMatchObject({ width: 96, height: 64, largest: { width: 1920, height: 1080 }, pictures: 40 })
    ffmpeg(`${testsrc('1280x720', 10, 2)} -c:v libvpx -deadline realtime -b:v 1M @`, path('whole.webm'))
    expect((await taken(path('whole.webm'))).video?.largest).toEqual({ width: 1280, height: 720 })
  })

  it('an HDR video with a text track', async () => {
    const colours = '-color_primaries bt2020 -color_trc arib-std-b67 -colorspace bt2020nc'
    const hevc = '-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1 -x265-params log-level=none'
    ffmpeg(`${testsrc('192x108')} ${hevc} ${colours} @`, path('hlg.mov'))
    write('words.srt', '1\n00:00:00,000 --> 00:00:01,000\nhello\n')
    ffmpeg('-i @ -i @ -map 0 -map 1 -c copy -c:s mov_text @', path('hlg.mov'), path('words.srt'), path('words.mov'))
    const found = await taken(path('words.mov'))
    expect(found.video).toMatchObject({ codec: 'hevc', hdr: 'hlg', matrix: 'bt2020', pixelFormat: 'yuv420p10le' })
  })

  it('a browser’s recording that states no length', async () => {
    ffmpeg(
      `${testsrc('96x64', 10, 2)} ${sine} -c:v libvpx -deadline realtime -c:a libopus -live 1 @`,
      path('live.webm'),
    )
    const found = await taken(path('live.webm'))
    expect(found).toMatchObject({ container: 'matroska', video: { codec: 'vp8' }, audio: { codec: 'opus' } })
    expect(Math.abs(found.durationMs - 2000)).toBeLessThan(60)
    expect(found.video?.pictures).toBe(20)
  })

  it('a browser’s recording with clear parts, with as many pictures as it has', async () => {
    const clear = '-c:v libvpx -deadline realtime -pix_fmt yuva420p -auto-alt-ref 0'
    ffmpeg(`${testsrc('96x64', 10, 2)} ${clear} @`, path('clear.webm'))
    expect((await taken(path('clear.webm'))).video).toMatchObject({ pictures: 20 })
  })

  it('any video, and playableAsIs is true only for those that every browser plays', async () => {
    ffmpeg(`${testsrc('192x108')} ${sine} ${quick} -c:a aac @`, path('plain.mp4'))
    expect(playableAsIs(await taken(path('plain.mp4')))).toBe(true)
    ffmpeg(`${testsrc('192x108')} -c:v libx264 -preset ultrafast -pix_fmt yuv444p @`, path('studio.mp4'))
    expect(playableAsIs(await taken(path('studio.mp4')))).toBe(false)
    ffmpeg('-i @ -c copy -f mov @', path('plain.mp4'), path('plain.mov'))
    expect(playableAsIs(await taken(path('plain.mov')))).toBe(false)
  })

  it('a video with pixels that are not square, at its shown size', async () => {
    ffmpeg(`${testsrc('180x144')} -vf setsar=16/15 ${quick} @`, path('wide.mp4'))
    expect((await taken(path('wide.mp4'))).video).toMatchObject({ width: 192, height: 144 })
  })

  it('sound files', async () => {
    for (const [name, codec] of [
      ['a.wav', 'pcm_s16le'],
      ['a.mp3', 'mp3'],
      ['a.m4a', 'aac'],
    ] as const) {
      ffmpeg(`${sine} @`, path(name))
      expect(await taken(path(name))).toMatchObject({ kind: 'audio', video: null, audio: { codec } })
    }
  })

  it('pictures, also one with an orientation mark', async () => {
    for (const name of ['a.png', 'a.jpg', 'a.webp']) {
      ffmpeg(`${testsrc('96x64')} -frames:v 1 @`, path(name))
      const found = await taken(path(name))
      expect(found, name).toMatchObject({ kind: 'picture', durationMs: 0, video: { width: 96, height: 64 } })
    }
    expect((await taken(turnedJpeg())).video).toMatchObject({ width: 64, height: 96, rotation: 90 })
  })
})

describe('the probe refuses', () => {
  beforeAll(() => ffmpeg(`${testsrc('96x64', 10, 2)} ${quick} @`, path('base.mp4')))

  const code = async (file: string) => {
    const found = await probe(file)
    return found.ok ? 'taken' : found.code
  }

  it('a header that claims ten hours, and a file over the allowed length', async () => {
    const file = readFileSync(path('base.mp4'))
    for (const [box, offset] of [
      ['mvhd', 16],
      ['tkhd', 20],
      ['mdhd', 16],
    ] as const)
      file.writeUInt32BE(0x02_20_00_00, file.indexOf(box) + 4 + offset)
    expect(await code(write('ten-hours.mp4', file))).toBe('too-long')
    expect(await probe(path('base.mp4'), { limits: { maxDurationMs: 1000 } })).toMatchObject({ code: 'too-long' })
  })

  it('a header that claims an hour that the file does not contain', async () => {
    const file = readFileSync(path('base.mp4'))
    for (const [box, offset] of [
      ['mvhd', 16],
      ['tkhd', 20],
      ['mdhd', 16],
    ] as const)
      file.writeUInt32BE(file.readUInt32BE(file.indexOf(box) + offset) * 600, file.indexOf(box) + 4 + offset)
    expect(['damaged', 'too-long']).toContain(await code(write('an-hour.mp4', file)))
  })

  it('a picture whose decoding would exhaust the memory', async () => {
    ffmpeg('-f lavfi -i color=black:s=12000x12000:r=1:d=1,format=gray -c:v png -f mov @', path('bomb.mp4'))
    expect(await probe(path('bomb.mp4'))).toMatchObject({ code: 'too-big-picture', reason: /12000 × 12000/ })
  })

  it('a photograph of a hundred megapixels, in words with its size', async () => {
    ffmpeg('-f lavfi -i color=black:s=12000x8400:r=1:d=1,format=gray -frames:v 1 @', path('huge.png'))
    const found = await probe(path('huge.png'))
    expect(found).toMatchObject({ ok: false, code: 'too-big-picture', reason: /^The picture is 12000 × 8400 points/ })
  })

  it('a picture that is too small, a video that is too short, and a frame rate that is too high', async () => {
    ffmpeg(`${testsrc('8x8')} ${quick} @`, path('tiny.mp4'))
    expect(await code(path('tiny.mp4'))).toBe('too-small-picture')
    ffmpeg(`${testsrc('96x64', 10, 0.3)} ${quick} @`, path('blink.mp4'))
    expect(await code(path('blink.mp4'))).toBe('too-short')
    ffmpeg(`${testsrc('32x32', 600)} ${quick} @`, path('flood.mp4'))
    expect(await code(path('flood.mp4'))).toBe('too-many-pictures')
  })

  it('a film without one picture that can be decoded, beside sound that goes on to its end', async () => {
    ffmpeg(`${testsrc('96x64', 10, 8)} -f lavfi -i sine=d=8 ${quick} -c:a aac @`, path('no-picture.mp4'))
    const bytes = readFileSync(path('no-picture.mp4'))
    const { stdout } = spawnSync(process.env['FFPROBE_PATH'] || 'ffprobe', [
      ...'-v error -select_streams v -show_entries packet=pos,size -of csv=p=0'.split(' '),
      path('no-picture.mp4'),
    ])
    for (const line of stdout.toString().trim().split('\n')) {
      const [size, at] = line.split(',').map(Number)
      bytes.fill(0, at, at! + size!)
    }
    expect(await code(write('no-picture.mp4', bytes))).toBe('damaged')
  })

  it('a file with hundreds of tracks', async () => {
    ffmpeg(`-i @ ${'-map 0:v '.repeat(300)}-c copy @`, path('base.mp4'), path('tracks.mp4'))
    expect(await code(path('tracks.mp4'))).toBe('too-many-tracks')
  })

  const covered = (cover: string, count: number, name: string) => {
    const maps = Array.from({ length: count }, (_, i) => `-map 1 -disposition:v:${i + 1} attached_pic`).join(' ')
    ffmpeg(`-i @ -i @ -map 0 ${maps} -c copy @`, path('base.mp4'), path(cover), path(name))
    return path(name)
  }

  const deepCover = () =>
    ffmpeg('-f lavfi -i color=red:s=4096x4096:r=1 -frames:v 1 -pix_fmt rgb48be @', path('deep-cover.png'))

  it('a small file with more covers than are looked at, each of which takes 134 MB, in words', async () => {
    deepCover()
    const file = covered('deep-cover.png', 28, 'covers.mp4')
    expect(statSync(file).size).toBeLessThan(10_000_000)
    expect(await code(file)).toBe('too-many-tracks')
  })

  it('a file whose covers cannot be counted, and take all memory, because its sound has no channels', async () => {
    deepCover()
    const covers = `-attach ${path('deep-cover.png')} `.repeat(28)
    const pcm = `${testsrc('96x64')} ${sine} ${quick} -c:a pcm_s16le -ac 1 ${covers}-metadata:s:t mimetype=image/png @`
    ffmpeg(pcm, path('uncounted.mkv'))
    const bytes = readFileSync(path('uncounted.mkv'))
    expect(await code(path('uncounted.mkv'))).toBe('too-many-tracks')
    bytes[bytes.indexOf(Buffer.from('9f8101', 'hex')) + 2] = 0
    expect(await code(write('uncounted.mkv', bytes))).toBe('too-heavy')
  })

  it('a file whose few covers are too large together; a large one, and four small ones, are taken', async () => {
    for (const side of [300, 3000, 4096])
      ffmpeg(`-f lavfi -i color=red:s=${side}x${side}:r=1 -frames:v 1 -pix_fmt gray @`, path(`cover-${side}.png`))
    expect(await code(covered('cover-4096.png', 2, 'large.mp4'))).toBe('too-many-tracks')
    expect(await code(covered('cover-3000.png', 1, 'one.mp4'))).toBe('taken')
    expect(await code(covered('cover-300.png', 4, 'four.mp4'))).toBe('taken')
    expect(await code(covered('cover-300.png', 5, 'five.mp4'))).toBe('too-many-tracks')
  })

  it('a codec that is not supported', async () => {
    ffmpeg(`${testsrc('96x64', 25)} -c:v mpeg2video @`, path('mpeg2.mp4'))
    expect(await code(path('mpeg2.mp4'))).toBe('unsupported-codec')
  })

  it('a film of more packets than any camera and recorder writes in its time', async () => {
    const inPieces = (samples: number, name: string) => {
      const sound = `-c:a pcm_s16le -bsf:a pcm_rechunk=nb_out_samples=${samples}`
      ffmpeg(`${testsrc('96x64', 10, 8)} -f lavfi -i sine=r=48000:d=8 ${quick} ${sound} @`, path(name))
      return code(path(name))
    }
    expect(await inPieces(8, 'pieces-8.mkv')).toBe('too-heavy')
    expect(await inPieces(120, 'pieces-120.mkv')).toBe('taken')
  })

  it('a file whose index names the same bytes for all its pictures, however many', async () => {
    ffmpeg('-f lavfi -i testsrc2=s=96x96:d=1:r=1 -frames:v 1 @', path('one.png'))
    const png = readFileSync(path('one.png'))
    expect(await code(sameBytes(path('twenty.mov'), png, { side: 96, count: 20 }))).toBe('too-heavy')
    // As many pictures with bytes of their own are work that was sent.
    ffmpeg('-loop 1 -framerate 10 -i @ -t 2 -c:v png @', path('one.png'), path('own-bytes.mov'))
    expect(await code(path('own-bytes.mov'))).toBe('taken')
  })

  it('moving pictures of 16 bits a colour, which no camera and no screen recorder makes; a still one is taken', async () => {
    const deep = (format: string, name: string) =>
      ffmpeg(`${testsrc('96x64')} -vf format=${format} -c:v png @`, path(name))
    for (const format of ['rgba64be', 'rgb48be', 'gray16be']) {
      deep(format, 'deep.mov')
      expect(await code(path('deep.mov')), format).toBe('unsupported-codec')
    }
    deep('rgba', 'plain.mov')
    expect(await code(path('plain.mov'))).toBe('taken')
    ffmpeg(`${testsrc('96x64')} -frames:v 1 -vf format=rgba64be @`, path('deep.png'))
    expect(await code(path('deep.png'))).toBe('taken')
  })

  it('sound of more samples a second, or more channels, than any studio has', async () => {
    const pcm = (rate: number, channels: number) =>
      ffmpeg(`-f lavfi -i aevalsrc=${'0|'.repeat(channels - 1)}0:s=${rate}:d=1 -c:a pcm_u8 @`, path('studio.wav'))
    for (const [rate, channels, then] of [
      [384_000, 2, 'taken'],
      [400_000, 2, 'too-heavy'],
      [48_000, 16, 'taken'],
      [48_000, 64, 'too-heavy'],
    ] as const) {
      pcm(rate, channels)
      expect(await code(path('studio.wav')), `${rate} ${channels}`).toBe(then)
    }
  })

  it('data that do not match the index', async () => {
    const file = readFileSync(path('base.mp4'))
    const from = file.indexOf('mdat') + 4
    file.fill(0, from, from + file.readUInt32BE(from - 8) - 8)
    expect(await code(write('zeros.mp4', file))).toBe('damaged')
  })

  it('a recording that ends half way', async () => {
    ffmpeg(`${testsrc('96x64', 10, 8)} -c:v libvpx -deadline realtime -g 10 @`, path('long.webm'))
    const whole = readFileSync(path('long.webm'))
    expect(await code(write('half.webm', whole.subarray(0, whole.length / 2)))).toBe('truncated')
  })

  it('an animated picture where a still one is expected', async () => {
    ffmpeg(`${testsrc('32x32', 5)} @`, path('moving.webp'))
    expect(await code(path('moving.webp'))).toBe('picture-format')
  })
})

describe('files that point to a network address', () => {
  let calls = 0
  const server = createServer((socket) => {
    calls++
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: video/mp4\r\n\r\nhello')
  }).listen(0, '127.0.0.1')
  const port = () => (server.address() as { port: number }).port
  afterAll(() => server.close())

  /** A file for every known way to refer to another file or address. */
  const tricks = () => {
    ffmpeg(`${testsrc('96x64')} ${quick} @`, path('canary.mov'))
    const inside = readFileSync(path('canary.mov'))
    const address = `http://127.0.0.1:${port()}/x.mp4`
    return [
      write('hls.mp4', `#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${address}\n#EXT-X-ENDLIST\n`),
      write('hls-file.mp4', `#EXTM3U\n#EXTINF:5,\nfile://${path('canary.mov')}\n#EXT-X-ENDLIST\n`),
      write('concat.mp4', `ffconcat version 1.0\nfile ${address}\nfile ${path('canary.mov')}\n`),
      write('dash.mp4', `<?xml version="1.0"?><MPD><BaseURL>${address}</BaseURL><Period/></MPD>`),
      write('svg.mp4', `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`),
      write('reference.mov', pointingTo(inside, address)),
      write('reference-file.mov', pointingTo(inside, `file://${path('canary.mov')}`)),
    ]
  }

  it('do make a plain ffmpeg open a connection', async () => {
    const child = spawn(await ffmpegPath(), [
      '-v',
      'quiet',
      '-i',
      `http://127.0.0.1:${port()}/x.mp4`,
      '-f',
      'null',
      '-',
    ])
    await once(child, 'exit')
    expect(calls).toBeGreaterThan(0)
    calls = 0
  })

  it('are refused by the probe without a connection', async () => {
    for (const file of tricks()) expect((await probe(file)).ok, file).toBe(false)
    expect(calls).toBe(0)
  })

  it('open no connection with our input options alone, without sniffing or sandbox', async () => {
    const program = await ffprobePath()
    for (const file of tricks())
      for (const container of ['mov', 'matroska', 'mp3'] as const) {
        const args = ['-v', 'quiet', '-show_packets', ...safeInput(file, { container, video: null })]
        const ran = spawnSync(program, args, { timeout: 10_000 })
        // A reference is followed nowhere: the file itself is read in its place, and its own packets may be shown.
        if (!file.includes('reference')) expect(ran.stdout.toString(), file).not.toContain('PACKET')
      }
    expect(calls).toBe(0)
  })

  it('open no connection in the sandbox alone, with ffmpeg told to use the network', async () => {
    const address = `http://127.0.0.1:${port()}/x.mp4`
    const [playlist] = tricks()
    const all = ['-protocol_whitelist', 'file,http,tcp,crypto,data', '-allowed_extensions', 'ALL']
    const program = await ffmpegPath()
    for (const args of [
      ['-i', address, '-f', 'null', '-'],
      [...all, '-f', 'hls', '-i', playlist ?? '', '-f', 'null', '-'],
    ])
      expect((await runBoxed({ program, args, reads: [playlist ?? ''] })).ok).toBe(false)
    expect(calls).toBe(0)
  })
})

/** A JPEG with the mark "turn me to the right" that phones write. */
function turnedJpeg(): string {
  const jpeg = readFileSync(path('a.jpg'))
  const exif = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0', 'latin1')
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return write('turned.jpg', Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]))
}
