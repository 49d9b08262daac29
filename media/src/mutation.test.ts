// @module-tag long
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { ffmpeg, quick, scratch } from '../test/footage.ts'
import { dice } from './clip-paint.ts'
import { MediaTrouble } from './ffmpeg.ts'
import { ingest } from './ingest.ts'
import { probe } from './probe.ts'

// The long form: MUTATIONS=10000 SEED=7 npx vitest run media/src/mutation.test.ts
const count = Number(process.env['MUTATIONS'] ?? 15)
const seed = Number(process.env['SEED'] ?? 20_250_607)
const { folder, path, write, bin } = scratch()
afterAll(bin)

/**
 * For any damage inside a file the answer is a probe or a refusal, nothing is written outside of its folder, and this process
 * and the file stay as they were. Only a file that needs more memory than its child may have counts as a lack of memory,
 * which is thrown; few are.
 */
it(
  `${count} damaged files (seed ${seed}) crash no process but their own child`,
  { timeout: 60_000 + count * 4000 },
  async () => {
    const sound = '-f lavfi -i sine=d=1'
    const picture = '-f lavfi -i testsrc2=s=96x160:r=10:d=1'
    ffmpeg(`${picture} ${sound} ${quick} -g 5 -c:a aac @`, path('a.mp4'))
    ffmpeg('-i @ -c copy -movflags +faststart -metadata:s:v:0 rotate=90 @', path('a.mp4'), path('b.mov'))
    ffmpeg('-i @ -c copy -movflags frag_keyframe+empty_moov @', path('a.mp4'), path('c.mp4'))
    ffmpeg(`${picture} ${sound} -c:v libvpx -deadline realtime -c:a libopus @`, path('d.webm'))
    ffmpeg(`${picture} -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1 @`, path('e.mov'))
    ffmpeg(`${sound} @`, path('f.mp3'))
    ffmpeg(`${sound} @`, path('g.wav'))
    for (const still of ['h.png', 'i.jpg', 'j.webp']) ffmpeg(`${picture} -frames:v 1 @`, path(still))
    const originals = readdirSync(folder).map((name) => readFileSync(path(name)))
    const before = readdirSync(folder).length

    const random = dice(seed)
    const tally: Record<string, number> = {}
    const note = (name: string) => (tally[name] = (tally[name] ?? 0) + 1)
    let next = 0
    let judged = 0
    const worker = async () => {
      for (let n = next++; n < count; n = next++) {
        const bytes = damaged(originals[n % originals.length] ?? Buffer.alloc(0), random)
        const file = write(`case-${n}`, bytes)
        const outDir = path(`out-${n}`)
        mkdirSync(outDir)
        const found = await probe(file).catch(lackOfMemory)
        judged++
        note(found.ok ? `taken: ${found.kind}` : found.code)
        // A digest costs ten times a probe; in the short form every third is enough: each of the ten kinds once.
        if (found.ok && (count > 1000 || n % 3 === 0)) {
          const made = await ingest({ source: file, outDir, probe: found }).catch(lackOfMemory)
          note(made.ok ? 'digested' : `then ${made.code}`)
          if (made.ok)
            for (const name of readdirSync(outDir)) expect(statSync(join(outDir, name)).size).toBeGreaterThan(0)
        }
        if (!found.ok) expect(found.reason.length).toBeGreaterThan(20)
        expect(digest(readFileSync(file))).toBe(digest(bytes))
        for (const name of [file, outDir]) rmSync(name, { recursive: true })
      }
    }
    await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker))
    console.log(`seed ${seed}: ${JSON.stringify(tally)}`)
    expect(readdirSync(folder).length).toBe(before)
    expect(judged).toBe(count)
    expect((tally['no memory'] ?? 0) + (tally['then no memory'] ?? 0)).toBeLessThanOrEqual(count / 50)
  },
)

function lackOfMemory(error: unknown) {
  if (!(error instanceof MediaTrouble) || error.reason !== 'memory') throw error
  return { ok: false, code: 'no memory', reason: error.message } as const
}

/** One to eight wounds of the kinds that disks, networks and ill will make. */
function damaged(original: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(original)
  const at = (most = bytes.length) => Math.floor(random() * most)
  // The head and the index are where a byte does most.
  const place = () => (random() < 0.6 ? at(Math.min(bytes.length, 2000)) : at())
  for (let wounds = 1 + at(8); wounds > 0 && bytes.length > 20; wounds--) {
    const kind = at(7)
    const from = place()
    if (kind === 0) bytes[from] = at(256)
    if (kind === 1) for (let i = from; i < Math.min(bytes.length, from + at(64)); i++) bytes[i] = at(256)
    if (kind === 2 && from + 4 <= bytes.length)
      bytes.writeUInt32BE([0, 1, 0x7fffffff, 0xffffffff, 0x80000000][at(5)] ?? 0, from)
    if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + at(200))])
    if (kind === 4)
      bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(at(), at() + 300), bytes.subarray(from)])
    if (kind === 5 && random() < 0.3) bytes = bytes.subarray(0, Math.max(20, at()))
    if (kind === 6) bytes[from] = (bytes[from] ?? 0) ^ (1 << at(8))
  }
  return bytes
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
