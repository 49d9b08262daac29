import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mend } from './mend.ts'
import { probe, type Probe } from './probe.ts'

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

it('a file with two indexes is none of a recorder’s, and nothing is written of it', async () => {
  const parts = boxesOf(await readFile(join(folder, 'fragments.mp4')))
  const file = join(folder, 'two-indexes.mp4')
  await writeFile(file, Buffer.concat(parts.flatMap(({ type, bytes }) => (type === 'moov' ? [bytes, bytes] : [bytes]))))
  const outDir = () => Promise.reject(new Error('nothing is to be written'))
  expect(await mend(file, { outDir })).toBeNull()
})
