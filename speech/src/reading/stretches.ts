import { otherSound, silenceWord } from '../grammar.ts'
import type { Heard } from '../sphinx.ts'

/** A stretch of the recording as far as it is understood; times in ms, `score` as the recogniser gives it (0 is best). */
export type Stretch = { start: number; end: number } & (
  | { kind: 'place'; place: number; score: number }
  | { kind: 'filler'; text: 'um' | 'uh' }
  | { kind: 'other'; sounds: string[] }
  | { kind: 'silence' }
)
export type PlaceStretch = Extract<Stretch, { kind: 'place' }>

/** A pause that sets sounds apart from the words around them, ms: a shorter one is the closing of a consonant. */
export const pauseApart = 60

/** What the recogniser heard, as stretches: sounds beside the script that follow each other are one, fillers among them. */
export function stretchesOf(heard: readonly Heard[]): Stretch[] {
  const list: Stretch[] = []
  for (const one of heard) {
    const next = stretchOf(one)
    const last = list.at(-1)
    if (next.kind === 'silence' && last?.kind === 'silence') last.end = next.end
    else if (next.kind === 'other' && last?.kind === 'other') lengthen(last, next)
    else list.push(next)
  }
  return joinOverShortPauses(list)
}

/** Takes words for something beside the script, whose sounds nobody knows, and joins them to what stands beside it there. */
export function setAside(list: readonly Stretch[], words: ReadonlySet<Stretch>): Stretch[] {
  const out: Stretch[] = []
  // The last one as a copy of its own, which grows: a copy for each word would be a square of the recording.
  let growing: Stretch | undefined
  for (const one of list) {
    const next: Stretch = words.has(one) ? { kind: 'other', sounds: ['?'], start: one.start, end: one.end } : one
    const before = out.at(-1)
    if (next.kind !== 'other' || before?.kind !== 'other') out.push(next)
    else {
      const grown = before === growing ? before : { ...before, sounds: [...before.sounds] }
      lengthen(grown, next)
      out[out.length - 1] = growing = grown
    }
  }
  return out
}

/** For each stretch the next word of the script after it; undefined where none follows. */
export function placesAfter(list: readonly Stretch[]): (PlaceStretch | undefined)[] {
  const after: (PlaceStretch | undefined)[] = []
  let next: PlaceStretch | undefined
  for (let i = list.length - 1; i >= 0; i--) {
    after[i] = next
    const one = list[i]!
    if (one.kind === 'place') next = one
  }
  return after
}

/** Is here no speech for long enough to set sounds apart, or nothing at all? */
export const isApart = (one: Stretch | undefined): boolean =>
  !one || (one.kind === 'silence' && one.end - one.start >= pauseApart)

function stretchOf({ word, start, end, score }: Heard): Stretch {
  if (word === silenceWord) return { kind: 'silence', start, end }
  const sound = otherSound(word)
  return sound
    ? { kind: 'other', sounds: [sound], start, end }
    : { kind: 'place', place: Number(word.slice(1)), score, start, end }
}

function joinOverShortPauses(list: readonly Stretch[]): Stretch[] {
  return list.reduce<Stretch[]>((out, one) => {
    const [before, pause] = [out.at(-2), out.at(-1)]
    const isShort = pause?.kind === 'silence' && pause.end - pause.start < pauseApart
    if (one.kind === 'other' && isShort && before?.kind === 'other') {
      out.pop()
      lengthen(before, one)
    } else out.push(one)
    return out
  }, [])
}

function lengthen(one: Extract<Stretch, { kind: 'other' }>, by: Extract<Stretch, { kind: 'other' }>): void {
  for (const sound of by.sounds) one.sounds.push(sound)
  one.end = by.end
}
