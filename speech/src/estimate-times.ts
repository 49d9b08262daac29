import { firstPlace } from '@clear-to-post/edit/sorted'
import { readScript } from './script.ts'
import { levelsOf, quietIn } from './sound.ts'
import { leastSilence } from './align.ts'
import type { Transcript } from './transcript.ts'

/**
 * Times for a known script where no recogniser is at hand: the words are shared out over the stretches of sound by the
 * length of what is said, sentences beginning after pauses where they can. Right to about a second, and it says so.
 */
export async function estimateTimes(
  samples: Int16Array,
  script: string,
  source: string,
  recogniser: keyof typeof whyEstimated = 'missing',
): Promise<Transcript> {
  const lengthMs = Math.floor(samples.length / 16)
  const silences = quietIn(await levelsOf(samples), 0, lengthMs, leastSilence)
  const words = readScript(script).map((word) => ({ ...word, weight: weightOf(word.units) }))
  const note = `The times of the words are only estimated, because ${whyEstimated[recogniser]}. Check captions before sending.`
  const blank = {
    words: [],
    unsaid: [],
    silences: silences.map((one) => ({ source, ...one })),
    means: 'shared-out' as const,
    notes: [note],
  }
  const stretches = [{ end: 0 }, ...silences].flatMap(({ end }, i) => {
    const until = silences[i]?.start ?? lengthMs
    return until - end > 60 ? [{ start: end, end: until }] : []
  })
  const spoken = stretches.reduce((sum, { start, end }) => sum + end - start, 0)
  const weights = words.reduce((sum, { weight }) => sum + weight, 0)
  if (spoken === 0 || weights === 0) return blank
  // The ends of stretches, as parts of all that is spoken: a sentence that would end near one ends there.
  let sum = 0
  const ends = stretches.map(({ start, end }) => (sum += (end - start) / spoken))
  let done = 0
  const cuts = words.map((word, i) => {
    done += word.weight / weights
    const last = words[i + 1]?.sentence !== word.sentence
    const near = ends[firstPlace(ends.length, (place) => (done - ends[place]!) * spoken < 700)]
    return i === words.length - 1 ? 1 : last && near !== undefined && (near - done) * spoken < 700 ? near : done
  })
  let before = 0
  const list = words.flatMap((word, i) => {
    const start = placed(before, stretches, ends, spoken, 'start')
    const cut = Math.max(cuts[i]!, before)
    const end = placed(cut, stretches, ends, spoken, 'end')
    before = cut
    if (end <= start) return []
    const id = `${source}-w${i + 1}`
    return [
      { id, source, start, end, text: word.text, confidence: 0.3, origin: 'script' as const, estimated: true as const },
    ]
  })
  return { ...blank, words: list }
}

const whyEstimated = {
  missing: 'the recogniser (PocketSphinx) is not installed',
  broken: 'the recogniser could not read this script',
  slow: 'finding them took too long',
  unlike: 'they were not recognised in the sound',
}

type Stretch = { start: number; end: number }

/** A part of all that is spoken → its moment. Between two stretches it is the end of one or the start of the next. */
function placed(part: number, stretches: Stretch[], ends: number[], spoken: number, side: 'start' | 'end'): number {
  const hair = 1e-9
  const found = firstPlace(ends.length, (place) =>
    side === 'end' ? part <= ends[place]! + hair : part < ends[place]! - hair,
  )
  const at = Math.min(found, stretches.length - 1)
  const stretch = stretches[at]!
  return Math.round(Math.min(stretch.end, Math.max(stretch.start, stretch.end - (ends[at]! - part) * spoken)))
}

/** How long something takes to say: about its letters, the longest reading aside. */
function weightOf(units: readonly string[][][]): number {
  return units.reduce((sum, unit) => sum + 1 + unit[0]!.join('').length, 0)
}
