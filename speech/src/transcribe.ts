import { cutText } from '@clear-to-post/domain/cut-text'
import { unrecognised } from '@clear-to-post/edit/drawn'
import { MediaTrouble } from '@clear-to-post/media/ffmpeg'
import type { Probe } from '@clear-to-post/media/probe'
import { voiceOf } from '@clear-to-post/media/voice'
import { align, leastSilence } from './align.ts'
import { againstScript, withGlossary } from './correct.ts'
import { glossaryOf, type Glossary } from './glossary.ts'
import { openAiTranscriber } from './openai.ts'
import { estimateTimes } from './estimate-times.ts'
import { withRoomNoise } from './room-noise.ts'
import { readScript } from './script.ts'
import { levelsOf, quietIn } from './sound.ts'
import { sphinx } from './sphinx.ts'
import { TranscriberTrouble, type HeardWord, type Transcriber } from './transcriber.ts'
import type { Transcript } from './transcript.ts'
import { whisperTranscriber } from './whisper.ts'

const noSound = 'This recording has no sound. An SRT or VTT file gives it words: the times of its captions are used.'

export type TranscribeRequest = {
  file: string
  probe: Probe
  /** The recipe's id of the source. */
  source: string
  /** What was to be read, typed or imported (`scriptOf`); may be empty. */
  script: string
  glossary?: Glossary
  transcriber?: Transcriber | undefined
  /** Somebody says that these are the words, also where they are not recognised: their times are estimated then. */
  isSure?: boolean
  /** How long whoever listens may take at most; what is not found by then stays unknown. Infinity unless said. */
  withinMs?: number
  /** Where the voice may lie while somebody listens; below the system's folder for what is temporary unless said. */
  folder?: string
  signal?: AbortSignal | undefined
}

/**
 * The words of a recording by the best means there are: a known script is aligned; a transcriber hears what stands beside
 * it, or everything where there is no script; without either, times are shared out, or only silences are found. What
 * could not be done stands in `notes`. Throws MediaTrouble when the sound cannot be decoded, and the signal's reason.
 */
export async function transcribe(request: TranscribeRequest): Promise<Transcript> {
  const samples = await voiceOf(request.file, request.probe, request.signal)
  return await transcribeSamples(samples, request)
}

/** The same for sound that is decoded already: 16,000 samples a second. */
export async function transcribeSamples(
  recorded: Int16Array,
  {
    source,
    script,
    transcriber,
    isSure = false,
    withinMs = Infinity,
    folder,
    signal,
    ...rest
  }: Omit<TranscribeRequest, 'file' | 'probe'>,
): Promise<Transcript> {
  let glossary = rest.glossary ?? glossaryOf({})
  const samples = await withRoomNoise(recorded)
  const lengthMs = Math.floor(samples.length / 16)
  const silences = quietIn(await levelsOf(samples), 0, lengthMs, leastSilence).map((one) => ({ source, ...one }))
  const nothing = { words: [], unsaid: [], silences, means: 'shared-out' as const }
  if (lengthMs < 100) return { ...nothing, silences: [], notes: [noSound] }
  const tool = await sphinx()
  const notes: string[] = []
  let beyond: 'broken' | 'slow' | undefined
  const until = performance.now() + withinMs
  const read =
    script.trim() && tool
      ? await align(tool, { samples, script, source, glossary, withinMs, folder, signal }).catch((error: unknown) => {
          // Another try would end the same.
          if (!(error instanceof MediaTrouble) || !(error.reason in beyonds)) throw error
          beyond = beyonds[error.reason as keyof typeof beyonds]
          return undefined
        })
      : undefined
  // Nothing of the script in the recording: then it is no help, and whatever a transcriber hears is better.
  const isElse = read?.words.length === 0
  const spoken = lengthMs - silences.reduce((sum, { start, end }) => sum + end - start, 0)
  if (isElse && isSure && !isTooShort(script, spoken)) return estimateTimes(samples, script, source, 'unlike')
  if (read && (!transcriber || !(isElse || read.words.some(({ text }) => text === unrecognised)))) return read

  // Officers may write down only what is easy to mishear.
  if (isElse) glossary = [...termsIn(script), ...glossary]
  let heard: HeardWord[] | undefined
  if (transcriber) {
    const late = lateAfter(until - performance.now())
    try {
      const request = {
        samples,
        prompt: promptOf(glossary),
        folder,
        signal: signal ? AbortSignal.any([signal, late]) : late,
      }
      heard = withGlossary(await transcriber.hear(request), glossary)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof TranscriberTrouble) && !late.aborted) throw error
      notes.push(`The transcriber (${transcriber.name}) gave no words. Try again later, or type them.`)
    }
  }
  if (read && !(isElse && heard)) return heard ? filled(read, heard) : { ...read, notes: [...read.notes, ...notes] }
  if (heard) {
    const told = await againstScript(heard, isElse ? '' : script, source)
    const silent = outside(silences, told.words)
    return { ...told, silences: silent, means: 'transcribed', notes: [...(read?.notes ?? []), ...notes] }
  }
  if (script.trim()) {
    const shared = await estimateTimes(samples, script, source, beyond ?? 'missing')
    return { ...shared, notes: [...notes, ...shared.notes] }
  }
  const next =
    'There is no script and nothing that could write down what is said. Type the words, or import an SRT or VTT file.'
  return { ...nothing, notes: [...notes, next] }
}

/** How the recogniser fails where another try would end the same → why times are only estimated. */
const beyonds = { failed: 'broken', timeout: 'slow' } as const

/** Aborts when this time is over; never for a time without end. */
const lateAfter = (ms: number): AbortSignal =>
  ms === Infinity ? new AbortController().signal : AbortSignal.timeout(Math.max(0, Math.ceil(ms)))

/** WHISPER_MODEL names a model on this machine; TRANSCRIBER_URL a server that speaks OpenAI's call. Undefined without either. */
export function transcriberFrom(env: Record<string, string | undefined> = process.env): Transcriber | undefined {
  const { WHISPER_MODEL, WHISPER_PATH, TRANSCRIBER_URL, TRANSCRIBER_KEY, TRANSCRIBER_MODEL } = env
  if (WHISPER_MODEL) return whisperTranscriber({ model: WHISPER_MODEL, program: WHISPER_PATH || 'whisper-cli' })
  if (!TRANSCRIBER_URL) return undefined
  return openAiTranscriber({
    url: TRANSCRIBER_URL,
    model: TRANSCRIBER_MODEL || 'whisper-1',
    ...(TRANSCRIBER_KEY ? { key: TRANSCRIBER_KEY } : {}),
  })
}

/** The words of what stands beside the script, as the transcriber heard them there. */
function filled(read: Transcript, heard: readonly HeardWord[]): Transcript {
  const words = read.words.flatMap((word) => {
    if (word.text !== unrecognised) return [word]
    const inside = heard.filter(({ start, end }) => (start + end) / 2 >= word.start && (start + end) / 2 < word.end)
    if (inside.length === 0) return [word]
    let from = word.start
    return inside.map((one, i) => {
      const end = i === inside.length - 1 ? word.end : Math.min(word.end - 1, Math.max(from + 1, one.end))
      const part = {
        ...word,
        id: `${word.id}.${i + 1}`,
        text: cutText(one.text, 100),
        start: from,
        end,
        confidence: one.confidence,
        ...(one.estimated ? { estimated: one.estimated } : {}),
      }
      from = end
      return part
    })
  })
  return { ...read, words: words.filter(({ start, end }) => end > start) }
}

/** Names to spell right, said in a video of a minute, are no words to spread over it: people say two or three a second. */
function isTooShort(script: string, spokenMs: number): boolean {
  return readScript(script).length < (spokenMs / 1000) * 0.25
}

/** A list of names, places and numbers → what a transcriber is to spell like that. Sentences are none. */
function termsIn(script: string): Glossary {
  return script
    .split(/[\n,;•]+/)
    .map((term) => term.replace(/^[\s*–-]+/, '').replace(/(?<![\s.])[\s.]+$/, ''))
    .filter((term) => term && term.length <= 60 && term.split(/\s+/).length <= 4)
    .slice(0, 100)
    .map((term) => ({ term }))
}

/** What of the silences lies in no word. */
function outside(silences: Transcript['silences'], words: Transcript['words']): Transcript['silences'] {
  return silences.flatMap((silence) => {
    let parts = [silence]
    for (const { start, end } of words.filter((word) => word.end > silence.start && word.start < silence.end))
      parts = parts.flatMap((part) =>
        end <= part.start || start >= part.end
          ? [part]
          : [
              { ...part, end: start },
              { ...part, start: end },
            ],
      )
    return parts.filter((part) => part.end - part.start >= leastSilence)
  })
}

/** Transcribers take some two hundred words of context. */
function promptOf(glossary: Glossary): string {
  return glossary
    .map(({ term }) => term)
    .join(', ')
    .slice(0, 800)
}
