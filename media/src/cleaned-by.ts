import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { soundCleaner } from './clean-sound.ts'
import { soundRate } from './encoder.ts'
import { MediaTrouble, runFfmpeg } from './ffmpeg.ts'
import { options, safeInput } from './input.ts'
import type { Probe } from './probe.ts'
import { inFolder } from './render-cache.ts'
import { even, loudnessFrom, measured } from './sound.ts'

/** A voice is the same after two minutes; cleaning takes a twelfth of what is listened to. Seconds. */
const listened = 120

/**
 * By how many decibels a recording is heard to be louder once its voice is cleaned (EBU R 128): mostly quieter, so less than
 * 0; 0 where there is no sound to tell by, null where it cannot be read. `place`: a folder for what is made meanwhile. Throws as `runFfmpeg` does, and
 * MediaTrouble where memory or time ran out.
 */
export async function cleanedBy(
  file: string,
  { audio, container, video }: Probe,
  { place, signal }: { place: string; signal: AbortSignal },
): Promise<number | null> {
  if (!audio) return 0
  return await inFolder(place, async (folder) => {
    const cleaner = soundCleaner(join(folder, 'clean.raw'))
    const loudness = async (name: string) =>
      loudnessFrom(await readFile(join(folder, `${name}.txt`), 'utf8').catch(() => '')).integrated
    const run = { outDir: folder, limits: { wallMs: 600_000 }, signal }
    const args = [
      ...options(`-threads 1 -vn -t ${listened}`),
      ...safeInput(file, { container, video }),
      ...options(`-map 0:${audio.stream}`),
      ...options(`-af ${even},${measured('before')},aformat=sample_fmts=flt -c:a pcm_f32le -f f32le pipe:1`),
    ]
    let decoded
    try {
      decoded = await runFfmpeg({ ...run, args, reads: [file], onOutput: cleaner.take })
    } finally {
      cleaner.end()
    }
    const raw = options(`-f s16le -ar ${soundRate} -ac 2 -i file:clean.raw`)
    const heard = decoded.ok
      ? await runFfmpeg({ ...run, args: [...raw, ...options(`-af ${measured('after')} -f null -`)] })
      : decoded
    // Whether a file is damaged is for the render to say.
    if (!heard.ok && (heard.why === 'exit' || heard.why === 'crash')) return null
    if (!heard.ok) throw new MediaTrouble(heard.why === 'memory' ? 'memory' : 'timeout', heard.stderr)
    const [before, after] = [await loudness('before'), await loudness('after')]
    return Math.min(before, after) <= -70 ? 0 : Math.round((after - before) * 10) / 10
  })
}
