import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
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
