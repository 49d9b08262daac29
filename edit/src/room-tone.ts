import { voiceCleaner } from './clean-voice.ts'
import type { Recipe } from './recipe.ts'
import type { Piece, Timeline } from './timeline.ts'
import { voiceFadeAt, voiceFades } from './voice-fades.ts'

/**
 * The room's own noise where the voice of a recording is not heard at its full loudness: in the hundredth of a second beside a cut, under
 * what is made quieter, under cards, and where a recording has no sound. A moment of the recording in which nobody speaks goes round there,
 * as loud as it is needed for the noise to stay what it is. One program for the preview and the render.
 */

/** A stretch of a recording in which only its room is heard, that goes round without a seam. Two channels, −1 to 1. */
export type ToneLoop = { left: Float32Array; right: Float32Array }

/** A change of it means another sound from the same recipe. */
export const toneVersion = 1

/** So long is the loop, and over so long its end goes over into its begin; seconds. */
const loopSeconds = 1
const seamSeconds = 0.1
const blocksPerSecond = 50
/** Quieter is no room but a sound that was taken away; dB below full scale. */
const nothing = -90
/** So many decibels below the voice it must lie, to be a room and no voice. */
const underVoice = 10

/** Listens to a recording from its begin to its end, both channels as long as each other; `found` is its quietest moment, null where it has none. */
export const toneFinder = (rate: number) => {
  const block = Math.round(rate / blocksPerSecond)
  const blocks = Math.round((loopSeconds + seamSeconds) * blocksPerSecond)
  const ring = { left: new Float32Array(block * blocks), right: new Float32Array(block * blocks) }
  const levels: number[] = []
  const counts = new Map<number, number>()
  let [filled, power, count] = [0, 0, 0]
  let best: { level: number; loop: ToneLoop } | null = null
  const endBlock = () => {
    const level = 10 * Math.log10(power / (2 * block) + 1e-12)
    levels.push(level)
    if (levels.length > blocks) levels.shift()
    counts.set(Math.round(level), (counts.get(Math.round(level)) ?? 0) + 1)
    count++
    power = 0
    if (levels.length < blocks) return
    const [loudest, quietest] = [Math.max(...levels), Math.min(...levels)]
    if (quietest < nothing || (best && loudest >= best.level)) return
    const from = (count % blocks) * block
    const inOrder = (one: Float32Array) => {
      const all = new Float32Array(one.length)
      all.set(one.subarray(from))
      all.set(one.subarray(0, from), one.length - from)
      return all
    }
    best = { level: loudest, loop: { left: inOrder(ring.left), right: inOrder(ring.right) } }
  }
  return {
    take: (left: Float32Array, right: Float32Array): void => {
      for (let i = 0; i < left.length; i++) {
        const at = (count % blocks) * block + filled
        ring.left[at] = left[i]!
        ring.right[at] = right[i]!
        power += left[i]! ** 2 + right[i]! ** 2
        if (++filled < block) continue
        filled = 0
        endBlock()
      }
    },
    found: (): ToneLoop | null => {
      if (!best) return null
      const inOrder = [...counts].toSorted(([a], [b]) => b - a)
      let over = 0
      const voice = inOrder.find(([, many]) => (over += many) > 0.05 * count)?.[0] ?? nothing
      return best.level > voice - underVoice ? null : seamless(best.loop, Math.round(loopSeconds * rate))
    },
  }
}

/** Its first `length` samples, into whose begin what comes after them goes over. */
const seamless = ({ left, right }: ToneLoop, length: number): ToneLoop => {
  const seam = left.length - length
  const looped = (one: Float32Array) =>
    Float32Array.from({ length }, (_, i) => {
      if (i >= seam) return one[i]!
      const part = (Math.PI / 2) * (i / seam)
      // Noise beside other noise: equal power keeps it as loud as it is.
      return one[i]! * Math.sin(part) + one[length + i]! * Math.cos(part)
    })
  return { left: looped(left), right: looped(right) }
}

/** The loop as the cleaner leaves it where the voice is made clean. */
export const cleanedLoop = ({ left, right }: ToneLoop, rate: number): ToneLoop => {
  const length = left.length
  const cleaner = voiceCleaner(rate)
  const round = (one: Float32Array) => Float32Array.from({ length: 3 * length }, (_, i) => one[i % length]!)
  cleaner.learn(round(left), round(right))
  const [clean, other] = [round(left), round(right)]
  cleaner.process(clean, other)
  // What comes out is late by so much; it goes round like what went in.
  const from = length + cleaner.delay
  return { left: clean.slice(from, from + length), right: other.slice(from, from + length) }
}

/** Where a room is heard: seconds of the video, whose room, and how much of it at a moment, 0 to 1. */
export type ToneSpan = { source: string; from: number; to: number; at: (seconds: number) => number }

/** A cut takes so long to each side, in seconds, as in the render (`sound.ts`). */
const edgeSeconds = 0.01
/** What a gain needs to become another one within a passage that goes on, as there. */
const rampSeconds = 0.02
/** Under an opening card it comes for so long, under a closing one it goes for so long; seconds. */
const [comes, goes] = [0.5, 1]

/** Where rooms are heard in a recipe's video, in order; `has` tells of which recordings there is one, `isHeard` which have a sound at all. */
export const toneSpans = (
  recipe: Recipe,
  timeline: Timeline,
  { has, isHeard }: { has: (source: string) => boolean; isHeard: (source: string) => boolean },
): ToneSpan[] => {
  if (!recipe.sound.tone) return []
  const { pieces, fps } = timeline
  const second = (frame: number) => (frame * fps.den) / fps.num
  const roomOf = roomsOf(pieces, has)
  const gains = new Map(recipe.keep.map(({ id, gain = 0 }) => [id, lin(gain)]))
  const fades = voiceFades(recipe, timeline)
  const [first, last] = [roomOf(0), roomOf(pieces.length - 1)]
  const end = second(timeline.frames)
  const spans: ToneSpan[] = []
  if (timeline.open > 0 && first) {
    const to = second(timeline.open)
    spans.push({ source: first, from: 0, to, at: (t) => Math.min(1, t / Math.min(comes, to)) })
  }
  pieces.forEach((piece, i) => {
    const source = roomOf(i)
    if (!source) return
    const [before, after] = [pieces[i - 1], pieces[i + 1]]
    const [from, to] = [second(piece.at), second(piece.at + piece.to - piece.from)]
    const edge = Math.min(edgeSeconds, (to - from) / 2)
    const gain = isHeard(piece.source) ? gains.get(piece.keep)! : 0
    const was = goesOn(before, piece) && isHeard(piece.source) ? gains.get(before!.keep)! : gain
    const [fadeIn, fadeOut] = [second(piece.fadeIn), second(piece.fadeOut)]
    const [cutsIn, cutsOut] = [!piece.fadeIn && !goesOn(before, piece), !piece.fadeOut && !goesOn(piece, after)]
    // Another room goes over into this one through the cut, and so does the silence around the video.
    const [isOtherBefore, isOtherAfter] = [
      i === 0 ? timeline.open === 0 : roomOf(i - 1) !== source,
      i === pieces.length - 1 ? timeline.close === 0 : roomOf(i + 1) !== source,
    ]
    const at = (t: number) => {
      const [since, left] = [t - from, to - t]
      const ramped = was + (gain - was) * Math.min(1, since / rampSeconds)
      const voice = ramped * voiceFadeAt(fades[i]!, since, left)
      const cut = Math.min(cutsIn ? since / edge : 1, cutsOut ? left / edge : 1, 1)
      const share =
        Math.sin((Math.PI / 2) * Math.min(1, fadeIn > 0 ? since / fadeIn : 1)) *
        Math.sin((Math.PI / 2) * Math.min(1, fadeOut > 0 ? left / fadeOut : 1))
      const over = Math.min(isOtherBefore && cutsIn ? since / edge : 1, isOtherAfter && cutsOut ? left / edge : 1, 1)
      return share * Math.max(0, over) * Math.sqrt(Math.max(0, 1 - Math.min(1, voice * Math.max(0, cut)) ** 2))
    }
    if (gain < 1 || fades[i]!.fadeIn > 0 || fades[i]!.fadeOut > 0) spans.push({ source, from, to, at })
    else {
      const ramp = was < 1 ? rampSeconds : 0
      if (cutsIn || ramp > 0) spans.push({ source, from, to: Math.min(to, from + Math.max(edge, ramp)), at })
      if (cutsOut) spans.push({ source, from: to - edge, to, at })
    }
  })
  if (timeline.close > 0 && last) {
    const from = second(timeline.frames - timeline.close)
    spans.push({ source: last, from, to: end, at: (t) => Math.min(1, (end - t) / Math.min(goes, end - from)) })
  }
  return spans
}

/** Adds the rooms to what is heard from a moment of the video on, both channels as long as each other. */
export const addTone = (
  spans: readonly ToneSpan[],
  loops: ReadonlyMap<string, ToneLoop>,
  rate: number,
  first: number,
  left: Float32Array,
  right: Float32Array,
): void => {
  for (const { source, from, to, at } of spans) {
    const loop = loops.get(source)
    if (!loop) continue
    const [start, end] = [
      Math.max(first, Math.round(from * rate)),
      Math.min(first + left.length, Math.round(to * rate)),
    ]
    for (let i = start; i < end; i++) {
      const share = at(i / rate)
      // By the video's clock, so that one span goes on where another one of the same room ended.
      const place = i % loop.left.length
      left[i - first]! += share * loop.left[place]!
      right[i - first]! += share * loop.right[place]!
    }
  }
}

/** Whose room is heard in a passage: its own, or of one without any that of the nearest before it, else after it. */
const roomsOf = (
  pieces: readonly Piece[],
  has: (source: string) => boolean,
): ((index: number) => string | undefined) => {
  const own = pieces.map(({ source }) => (has(source) ? source : undefined))
  let before = own.find((one) => one !== undefined)
  const rooms = own.map((one) => (before = one ?? before))
  return (index) => rooms[index]
}

const goesOn = (one: Piece | undefined, next: Piece | undefined): boolean =>
  one !== undefined && next !== undefined && one.source === next.source && one.to === next.from

const lin = (db: number): number => 10 ** (db / 20)
