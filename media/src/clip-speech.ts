import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dice } from './clip-paint.ts'
import type { Voice } from './clip-voice.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { options } from './input.ts'
import { ffmpegPath } from './tools.ts'

/** Voices of the synthesizer Flite (Carnegie Mellon, BSD-like licence), as ffmpeg's filter has them. */
export type Speaker = 'slt' | 'rms' | 'awb'

/** A text to be said, or a pause in seconds. */
export type Saying = string | number

const rate = 16_000

/**
 * Says the texts one after the other in a synthetic voice, with when each is said, in seconds. Null where ffmpeg has no
 * synthesizer (Debian's has). Throws an Error with ffmpeg's words when it fails.
 */
export async function speech(
  says: readonly Saying[],
  { speaker, folder, signal }: { speaker: Speaker; folder: string; signal?: AbortSignal | undefined },
): Promise<(Voice & { seconds: number; said: [from: number, to: number][] }) | null> {
  if (!(await canSpeak())) return null
  const texts = says.filter((one) => typeof one === 'string')
  await Promise.all(texts.map((text, i) => writeFile(join(folder, `say-${i}.txt`), text)))
  // Flite breathes before and after each text; how long a pause is, is said here.
  const trim = 'silenceremove=start_periods=1:start_threshold=-50dB,areverse'
  const spoken = texts.flatMap((_, i) => [
    ...options('-f lavfi -i'),
    `flite=textfile=say-${i}.txt:voice=${speaker},${trim},${trim}`,
  ])
  const written = texts.flatMap((_, i) =>
    options(`-map ${i}:a -ar ${rate} -ac 1 -c:a pcm_s16le -f s16le -y file:say-${i}.raw`),
  )
  const ran = await runFfmpeg({
    args: [...spoken, ...written],
    outDir: folder,
    signal,
  })
  if (!ran.ok) throw new Error(`A sample voice could not be made: ${ran.stderr}`)
  const random = dice(texts.length)
  const parts: Buffer[] = []
  const said: [number, number][] = []
  let at = 0
  let text = 0
  for (const one of says) {
    const sound =
      typeof one === 'number'
        ? Buffer.alloc(Math.round(one * rate) * 2)
        : await readFile(join(folder, `say-${text++}.raw`))
    const seconds = sound.length / 2 / rate
    if (typeof one === 'string') said.push([at, at + seconds])
    parts.push(sound)
    at += seconds
  }
  const samples = Buffer.concat(parts)
  // The room: no recording is still.
  for (let i = 0; i < samples.length; i += 2)
    samples.writeInt16LE(clamped(samples.readInt16LE(i) + 40 * (random() - 0.5)), i)
  return { rate, samples, seconds: at, syllables: syllablesIn(samples), said }
}

let speaks: Promise<boolean> | undefined

async function canSpeak(): Promise<boolean> {
  speaks ??= ffmpegPath().then(async () => {
    const ran = await runFfmpeg({ args: ['-h', 'filter=flite'] })
    return ran.ok && ran.stdout.includes('textfile')
  })
  return await speaks
}

/** When the mouth is open, in seconds: where the voice is loud beside what is around it. */
function syllablesIn(samples: Buffer): Voice['syllables'] {
  const step = rate / 50
  const loud = Array.from({ length: Math.floor(samples.length / 2 / step) }, (_, n) => {
    let sum = 0
    for (let i = n * step; i < (n + 1) * step; i++) sum += samples.readInt16LE(2 * i) ** 2
    return Math.sqrt(sum / step)
  })
  const list: [from: number, to: number][] = []
  loud.forEach((level, n) => {
    const around = Math.max(...loud.slice(Math.max(0, n - 8), n + 9))
    if (level < 300 || level < 0.42 * around) return
    const last = list.at(-1)
    if (last && last[1] >= n / 50) last[1] = (n + 1) / 50
    else list.push([n / 50, (n + 1) / 50])
  })
  return list
}

const clamped = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value)))
