import { existsSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MediaTrouble } from '@clear-to-post/media/ffmpeg'
import { locate, runBoxed } from '@clear-to-post/media/sandbox'
import type { Grammar } from './grammar.ts'

/** Where the recogniser and its model are. */
export type Sphinx = { program: string; model: string; dictionary: string }

/** A stretch of the recording under one word of the grammar. `score`: how well it fits, a frame of 10 ms; 0 is best. */
export type Heard = { word: string; start: number; end: number; score: number }

/**
 * PocketSphinx and its US-English model: POCKETSPHINX_PATH and POCKETSPHINX_MODEL (the folder that holds `en-us` and
 * `cmudict-en-us.dict`), else where Debian's packages put them. Undefined when either is missing.
 */
export async function sphinx(): Promise<Sphinx | undefined> {
  const program = await locate(process.env['POCKETSPHINX_PATH'] || 'pocketsphinx_batch')
  const model = process.env['POCKETSPHINX_MODEL'] || '/usr/share/pocketsphinx/model/en-us'
  const dictionary = join(model, 'cmudict-en-us.dict')
  if (!program || !existsSync(dictionary) || !existsSync(join(model, 'en-us'))) return undefined
  return { program, model, dictionary }
}

/** Processor seconds that the recogniser has used in this process so far; benchmarks read it. */
export const used = { cpuSeconds: 0 }

/**
 * `withinMs`: how long it may take at most; the recording's length bounds it, too. `folder`: where the sound lies meanwhile;
 * the system's own for what is temporary unless said, where a kill leaves it behind.
 */
type RecogniseOptions = {
  extra?: readonly string[]
  withinMs?: number
  folder?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finds the best way through the grammar for the whole recording (16,000 samples a second), in a locked-down child.
 * Empty when no way fits. Throws MediaTrouble when the child fails, and the signal's reason.
 */
export async function recognise(
  { program, model }: Sphinx,
  samples: Int16Array,
  grammar: Grammar,
  { extra = [], withinMs = Infinity, folder: parent = tmpdir(), signal }: RecogniseOptions = {},
): Promise<Heard[]> {
  const folder = await realpath(await mkdtemp(join(parent, 'speech-')))
  try {
    const put = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content)
    await Promise.all([
      put('sound.raw', new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)),
      put('grammar.fsg', grammar.fsg),
      put('words.dict', grammar.dictionary),
      put('fillers.dict', grammar.fillers),
      put('list', 'sound\n'),
    ])
    const ran = await runBoxed({
      program,
      args: [
        options('-fsg grammar.fsg -dict words.dict -fdict fillers.dict -ctl list -hypseg found -logfn log'),
        options('-cepdir . -cepext .raw -adcin yes'),
        // Its own hunt for silence would cut pieces out and with them the clock.
        options('-remove_silence no -backtrace no -bestpath no -fsgusefiller no'),
        // The grammar's numbers as they are, and room for a way that looks bad for a while.
        options('-lw 1 -wip 1 -wbeam 1e-48'),
        ['-hmm', join(model, 'en-us'), ...extra],
      ].flat(),
      reads: [model],
      writes: folder,
      // Measured: 60 MB and 0.05 of the recording's time.
      limits: {
        memoryBytes: 2 ** 30,
        cpuSeconds: 60 + samples.length / 16_000,
        wallMs: Math.max(1, Math.min(120_000 + samples.length / 4, withinMs)),
        fileBytes: 64 * 2 ** 20,
      },
      signal,
    })
    if (!ran.ok) {
      // It says why in its own log, and nothing aloud.
      const said = ran.stderr.trim() || (await readFile(join(folder, 'log'), 'utf8').catch(() => ''))
      throw new MediaTrouble(ran.why === 'time' ? 'timeout' : ran.why === 'memory' ? 'memory' : 'failed', said)
    }
    const took = /TOTAL [\d.]+ seconds speech, ([\d.]+) seconds CPU/.exec(await readFile(join(folder, 'log'), 'utf8'))
    used.cpuSeconds += Number(took?.[1] ?? 0)
    return read(await readFile(join(folder, 'found'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Options that hold no path, written as on a command line. */
function options(line: string): string[] {
  return line.split(' ')
}

/** `name S 0 T -1 A -1 L -1`, then start frame, acoustic and grammar score and word again and again, then the last frame. */
function read(line: string): Heard[] {
  const parts = line.trim().split(/\s+/)
  const found: Heard[] = []
  for (let at = parts.indexOf('L') + 2; at + 4 < parts.length; at += 4) {
    const start = Number(parts[at])
    const end = Number(parts[at + 4])
    const word = parts[at + 3]!.replace(/\(\d+\)$/, '')
    // A step between states without a sound; the frame it is given belongs to what came before.
    if (word === '(NULL)') {
      const before = found.at(-1)
      if (before && before.end === start * 10) before.end = end * 10
      continue
    }
    if (end <= start) continue
    found.push({ word, start: start * 10, end: end * 10, score: Number(parts[at + 1]) / (end - start) })
  }
  return found
}
