// @module-tag long
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keeping, paintGrey, type Grey } from '../test/recipes.ts'
import { ingest } from './ingest.ts'
import { onTheClock } from './input.ts'
import { mend } from './mend.ts'
import { probe, type Probe } from './probe.ts'
import { plan, run as render } from './render.ts'

const run = promisify(execFile)
let folder: string
const kinds = {
  // As recorders in browsers write them: a fragment or cluster a second, no length in front, pictures at uneven times.
  'fragments.mp4':
    '-c:v libx264 -preset ultrafast -c:a aac -movflags empty_moov+default_base_moof+frag_keyframe -f mp4',
  'live.webm': '-c:v libvpx -deadline realtime -cpu-used 8 -b:v 500k -c:a libopus -live 1 -f webm',
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mend-'))
  for (const [name, encoding] of Object.entries(kinds))
    await run('ffmpeg', [
      ...'-v error -f lavfi -i testsrc2=size=180x320:rate=30 -f lavfi -i sine=frequency=330:sample_rate=48000'.split(
        ' ',
      ),
      ...'-t 6 -fps_mode vfr -g 30 -keyint_min 25 -vf'.split(' '),
      "select='mod(n,7)-2',format=yuv420p",
      ...encoding.split(' '),
      join(folder, name),
    ])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

for (const name of Object.keys(kinds))
  it(`${name} becomes a whole file of the same length, in which a player can go anywhere`, async () => {
    const { found, file } = await mended(name)
    expect(found.durationMs / 1000).toBeCloseTo(6, 0)
    expect(found.video).toMatchObject({ width: 180, height: 320, constantRate: false })
    expect(found.audio).not.toBeNull()
    expect(await pictureAt(file, 5)).toBe(true)
    expect(await lengthOf(file)).toBeCloseTo(6, 0)
  })

for (const name of Object.keys(kinds))
  it(`${name} cut anywhere keeps all that was whole, within its last second`, async () => {
    const { size } = await stat(join(folder, name))
    for (const share of [0.35, 0.77, 0.999]) {
      const cut = `cut-${Math.round(share * 1000)}-${name}`
      await copyFile(join(folder, name), join(folder, cut))
      await truncate(join(folder, cut), Math.floor(share * size))
      const { found } = await mended(cut)
      expect({ share, ms: found.durationMs }).toMatchObject({ share, ms: expect.any(Number) })
      expect(found.durationMs).toBeGreaterThan(6000 * share - 1700)
      expect(found.durationMs).toBeLessThan(6300)
    }
  })

for (const [name, encoding] of Object.entries(kinds))
  it(`sound of ${name} that lies 100 ms behind its picture stays there through mend, ingest and render`, async () => {
    // The later a fragmented file writes its index, the more it says of when its tracks begin.
    await makeClaps(`late-${name}`, encoding.replace('empty_moov', 'empty_moov+delay_moov'), 0.1)
    const said = (await latenessIn(join(folder, `late-${name}`)))[0]!
    // This ffmpeg takes off what its encoder of Opus holds back, 6.5 ms, where it writes WebM.
    expect(Math.abs(said - 100)).toBeLessThan(8)
    const { found, file } = await mended(`late-${name}`)
    for (const [station, made] of Object.entries({ mended: file, ...(await shownAndRendered(file, found)) }))
      for (const late of await latenessIn(made))
        expect(Math.abs(late - said), `${station}: ${late} ms instead of ${said}`).toBeLessThan(5)
  })

it('sound behind pieces of 30 ms that a browser lost is shown and rendered within 20 ms of when it was heard', async () => {
  await makeClaps('all.webm', kinds['live.webm'], 0.1)
  const lost = 'if(gt(PTS,500),30)+if(gt(PTS,1500),30)+if(gt(PTS,2500),30)'.replaceAll(',', '\\,')
  const losing = `-c copy -bsf:a setts=pts=PTS+${lost}:dts=DTS+${lost} -live 1`.split(' ')
  await run('ffmpeg', ['-v', 'error', '-i', join(folder, 'all.webm'), ...losing, join(folder, 'lost.webm')])
  const { found, file } = await mended('lost.webm')
  for (const [station, made] of Object.entries(await shownAndRendered(file, found)))
    for (const [n, late] of (await latenessIn(made)).entries())
      expect(Math.abs(late - 87 - 30 * (n + 1)), `${station}, clap ${n + 1}: ${late} ms`).toBeLessThan(21)
})

it('sound that Chromium’s recorder writes down late comes 46.5 ms earlier, and no other recorder’s moves', async () => {
  await makeClaps('other.webm', `${kinds['live.webm']} -frame_duration 60`, 0.1065)
  await writeFile(join(folder, 'chromium.webm'), asChromiumWrites(await readFile(join(folder, 'other.webm'))))
  for (const late of await latenessIn(join(folder, 'chromium.webm')))
    expect(Math.abs(late - 106.5), `as it came: ${late} ms`).toBeLessThan(2)
  const { found, file } = await mended('chromium.webm')
  for (const [station, made] of Object.entries({ mended: file, ...(await shownAndRendered(file, found)) }))
    for (const late of await latenessIn(made)) expect(Math.abs(late - 60), `${station}: ${late} ms`).toBeLessThan(5)
  for (const late of await latenessIn((await mended('other.webm')).file))
    expect(Math.abs(late - 100), `another’s: ${late} ms`).toBeLessThan(2)
})

it('a file that no recorder left half way is taken as it is, a cut one and one of another kind, too', async () => {
  const plain = join(folder, 'plain.mp4')
  await run('ffmpeg', ['-v', 'error', '-i', join(folder, 'fragments.mp4'), '-c', 'copy', plain])
  const bytes = await readFile(plain)
  for (const [name, part] of [
    ['plain.mp4', bytes],
    ['plain-cut.mp4', bytes.subarray(0, bytes.length - 2000)],
    ['head-only.mp4', (await readFile(join(folder, 'fragments.mp4'))).subarray(0, 900)],
    ['words.txt', Buffer.from('ftyp moof mdat')],
  ] as const) {
    await writeFile(join(folder, name), part)
    const asked: string[] = []
    const outDir = async () => (asked.push(name), folder)
    expect({ name, mended: await mend(join(folder, name), { outDir }) }).toEqual({ name, mended: null })
    expect(asked).toEqual([])
  }
})

const mended = async (name: string): Promise<{ found: Probe; file: string }> => {
  const outDir = await mkdtemp(join(folder, 'out-'))
  const made = await mend(join(folder, name), { outDir: async () => outDir })
  expect(made).toMatch(/^original\.(mp4|mkv)$/)
  const file = join(outDir, made!)
  const found = await probe(file)
  if (!found.ok) throw new Error(found.reason)
  return { found, file }
}

/** Three claps, seen and heard at the whole seconds; the sound written down so many seconds late. */
const makeClaps = async (name: string, encoding: string, late: number): Promise<void> => {
  const clap = 'lt(mod(t,1),0.2)*gte(t,1)'
  const picture = `color=black:size=180x320:rate=30,drawbox=color=white:thickness=fill:enable='${clap}',format=yuv420p`
  const sound = `aevalsrc='0.5*${clap}*sin(6283*t)':sample_rate=48000`
  const inputs = [
    '-f',
    'lavfi',
    '-t',
    '4',
    '-i',
    picture,
    '-itsoffset',
    `${late}`,
    '-f',
    'lavfi',
    '-t',
    '4',
    '-i',
    sound,
  ]
  await run('ffmpeg', ['-v', 'error', ...inputs, '-g', '30', ...encoding.split(' '), join(folder, name)])
}

/** By how many ms each clap is heard later than it is seen, both on the file’s own clock. */
const latenessIn = async (file: string): Promise<number[]> => {
  const read = async (...out: string[]) => {
    const place = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const
    return (await run('ffmpeg', ['-v', 'error', '-i', file, ...out, 'pipe:1'], place)).stdout
  }
  // A picture for each millisecond.
  const pictures = await read(...'-map 0:v -vf fps=1000:start_time=0,scale=1:1,format=gray -f rawvideo'.split(' '))
  const pcm = await read(...`-map 0:a -ac 1 -af aresample=48000:${onTheClock} -f s16le`.split(' '))
  const seen = beginnings(pictures.length, 1, (at) => pictures[at]! > 128)
  const heard = beginnings(pcm.length >> 1, 48, (at) => Math.abs(pcm.readInt16LE(2 * at)) > 2500)
  expect([seen.length, heard.length]).toEqual([3, 3])
  return heard.map((ms, n) => ms - seen[n]!)
}

/** When something begins that was not for half a second, ms. */
const beginnings = (count: number, perMs: number, is: (at: number) => boolean): number[] => {
  const found: number[] = []
  let last = -Infinity
  for (let at = 0; at < count; at++) {
    if (!is(at)) continue
    if (at - last > 500 * perMs) found.push(at / perMs)
    last = at
  }
  return found
}

const shownAndRendered = async (file: string, found: Probe): Promise<Record<'shown' | 'rendered', string>> => {
  const [shown, outDir] = [`${file}-shown`, `${file}-rendered`]
  for (const made of [shown, outDir]) await mkdir(made)
  const derived = await ingest({ source: file, outDir: shown, probe: found })
  if (!derived.ok) throw new Error(derived.reason)
  const materials = new Map([['A', { hash: file, probe: found }]])
  const recipe = keeping('A', found.durationMs, [[0, 3600]])
  const planned = plan<Grey>(recipe, { materials, painted: { tracks: [], cards: [] } })
  const place = { cacheDir: join(folder, 'cache'), outDir }
  const answer = await render(planned, { files: new Map([['A', file]]), paint: paintGrey, ...place })
  if (!answer.ok) throw new Error(answer.reason)
  return { shown: join(shown, derived.proxy!.file), rendered: join(outDir, 'video.mp4') }
}

/** Named as Chromium names what it writes, and without what its encoder holds back. */
const asChromiumWrites = (bytes: Buffer): Buffer => {
  const text = bytes.toString('latin1')
  const app = text.indexOf('\x4d\x80')
  const length = text.charCodeAt(app + 2) & 0x7f
  const named = `\x4d\x80\x86Chrome\xec${String.fromCharCode(0x80 | (length - 8))}${'\0'.repeat(length - 8)}`
  const head = text.indexOf('OpusHead') + 10
  const made = text
    .replace(text.slice(app, app + 3 + length), named)
    .replace(text.slice(head - 10, head + 2), `${text.slice(head - 10, head)}\0\0`)
    .replace(/\x56\xaa\x83.../s, '\x56\xaa\x83\0\0\0')
  expect(made.length).toBe(text.length)
  return Buffer.from(made, 'latin1')
}

/** Whether a picture comes out where a player goes there at once. */
const pictureAt = async (file: string, seconds: number): Promise<boolean> => {
  const options = `-v error -ss ${seconds} -i`.split(' ')
  const { stdout } = await run('ffmpeg', [...options, file, '-frames:v', '1', '-f', 'framemd5', '-'])
  return stdout.split('\n').some((line) => line.startsWith('0,'))
}

const lengthOf = async (file: string): Promise<number> => {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-of', 'csv=p=0', '-show_entries', 'format=duration', file])
  return Number(stdout)
}

/** The boxes of an MP4, by their type, in their order. */
const boxesOf = (bytes: Buffer): { type: string; bytes: Buffer }[] => {
  const found: { type: string; bytes: Buffer }[] = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
    found.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      bytes: bytes.subarray(at, at + bytes.readUInt32BE(at)),
    })
  return found
}
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const words = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length)
  numbers.forEach((number, i) => bytes.writeUInt32BE(number, 4 * i))
  return bytes
}

it('a file whose samples are all the same bytes does not become longer than it came', async () => {
  const parts = boxesOf(await readFile(join(folder, 'fragments.mp4')))
  const [ftyp, moov] = [parts[0]!.bytes, parts.find(({ type }) => type === 'moov')!.bytes]
  const filler = Buffer.concat([
    words(900 * 1024 + 2),
    Buffer.from([0x0c]),
    Buffer.alloc(900 * 1024, 0xff),
    Buffer.from([0x80]),
  ])
  const sample = Buffer.concat([parts.find(({ type }) => type === 'mdat')!.bytes.subarray(8, 4000), filler])
  const moof = (offset: number) =>
    box(
      'moof',
      box('mfhd', words(0, 1)),
      box(
        'traf',
        box('tfhd', words(0x020028, 1, 512, 0x02000000)),
        box('tfdt', words(0x01000000, 0, 0)),
        ...Array.from({ length: 100 }, () => box('trun', words(0x201, 1, offset, sample.length))),
      ),
    )
  const file = join(folder, 'same-bytes.mp4')
  await writeFile(file, Buffer.concat([ftyp, moov, moof(moof(0).length + 8), box('mdat', sample)]))
  const out = await mkdtemp(join(folder, 'out-'))
  const name = await mend(file, { outDir: async () => out })
  const longest = (await stat(file)).size + 2 ** 24
  expect(name === null ? 0 : (await stat(join(out, name))).size).toBeLessThanOrEqual(longest)
  expect(await readdir(out)).toEqual(name === null ? [] : [name])
})

it('a recording of more covers than are looked at is left to the probe, which refuses it in words', async () => {
  const [cover, file] = [join(folder, 'cover.png'), join(folder, 'covers.webm')]
  const deep = '-f lavfi -i color=red:s=4096x4096:r=1 -frames:v 1 -pix_fmt rgb48be'
  await run('ffmpeg', ['-v', 'error', ...deep.split(' '), cover])
  const covers = Array.from({ length: 28 }, () => ['-attach', cover]).flat()
  const live = '-map 0 -c copy -metadata:s:t mimetype=image/png -live 1 -f matroska'
  await run('ffmpeg', ['-v', 'error', '-i', join(folder, 'live.webm'), ...covers, ...live.split(' '), file])
  const outDir = () => Promise.reject(new Error('nothing is to be written'))
  expect(await mend(file, { outDir })).toBeNull()
  expect(await probe(file)).toMatchObject({ ok: false, code: 'too-many-tracks' })
})

it('a file with two indexes is none of a recorder’s, and nothing is written of it', async () => {
  const parts = boxesOf(await readFile(join(folder, 'fragments.mp4')))
  const file = join(folder, 'two-indexes.mp4')
  await writeFile(file, Buffer.concat(parts.flatMap(({ type, bytes }) => (type === 'moov' ? [bytes, bytes] : [bytes]))))
  const outDir = () => Promise.reject(new Error('nothing is to be written'))
  expect(await mend(file, { outDir })).toBeNull()
})
