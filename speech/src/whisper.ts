import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { locate, runBoxed } from '@clear-to-post/media/sandbox'
import { TranscriberTrouble, wav, type HeardWord, type Transcriber } from './transcriber.ts'

/**
 * whisper.cpp on this machine. `model` is a ggml file; the program is WHISPER_PATH, else `whisper-cli` on PATH. It runs as
 * a locked-down child, without a network.
 */
export function whisperTranscriber({
  model,
  program = 'whisper-cli',
}: {
  model: string
  program?: string
}): Transcriber {
  return {
    name: 'whisper.cpp',
    async hear({ samples, prompt, folder: parent = tmpdir(), signal }) {
      const found = await locate(program)
      if (!found)
        throw new TranscriberTrouble('refused', `${program} was not found. Install whisper.cpp, or set WHISPER_PATH.`)
      const there = await realpath(model).catch(() => undefined)
      if (!there)
        throw new TranscriberTrouble('refused', `There is no model at ${model}. Set WHISPER_MODEL to a ggml file.`)
      const folder = await realpath(await mkdtemp(join(parent, 'whisper-')))
      try {
        await writeFile(join(folder, 'voice.wav'), wav(samples))
        const ran = await runBoxed({
          program: found,
          // Full JSON (-ojf) holds each token with its time and probability.
          args: ['-m', there, '-f', 'voice.wav', '-l', 'en', '-ojf', '-of', 'found', '-np']
            .concat('-t', `${Math.min(4, availableParallelism())}`)
            .concat(prompt ? ['--prompt', prompt] : []),
          reads: [there],
          writes: folder,
          limits: { memoryBytes: 8 * 2 ** 30, cpuSeconds: 3600, wallMs: 1_800_000, fileBytes: 256 * 2 ** 20 },
          signal,
        })
        if (!ran.ok)
          throw new TranscriberTrouble('refused', `${basename(found)} ended by ${ran.why}: ${ran.stderr.trim()}`)
        return readWhisper(await readFile(join(folder, 'found.json'), 'utf8'))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

type Told = { transcription?: { tokens?: { text: string; offsets: { from: number; to: number }; p: number }[] }[] }

/** whisper.cpp's full JSON: tokens, of which those that begin with a space begin a word. Throws TranscriberTrouble. */
export function readWhisper(json: string): HeardWord[] {
  let told: Told
  try {
    told = JSON.parse(json)
  } catch (error) {
    throw new TranscriberTrouble('nonsense', 'whisper.cpp wrote no JSON', { cause: error })
  }
  if (!Array.isArray(told.transcription)) throw new TranscriberTrouble('nonsense', 'whisper.cpp wrote no transcript')
  const words: (HeardWord & { tokens: number })[] = []
  for (const { tokens = [] } of told.transcription) {
    tokens.forEach(({ text, offsets, p }, i) => {
      // [_BEG_], [_TT_150]: its own marks.
      if (/^\[_.*\]$/.test(text) || !text.trim()) return
      const last = words.at(-1)
      if (last && i > 0 && !text.startsWith(' ')) {
        last.text += text
        last.end = Math.max(last.end, offsets.to)
        last.confidence += p
        last.tokens++
      } else {
        words.push({
          text: text.trim(),
          start: offsets.from,
          end: Math.max(offsets.to, offsets.from + 1),
          confidence: p,
          tokens: 1,
        })
      }
    })
  }
  return words
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ tokens, confidence, ...word }) => ({ ...word, confidence: Math.round((confidence / tokens) * 100) / 100 }))
}
