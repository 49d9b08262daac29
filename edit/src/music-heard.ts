import { duckedAt } from './ducking.ts'
import { musicFade, musicSpan } from './music.ts'
import type { Layer, Recipe } from './recipe.ts'
import { layerWindowsIn, type Timeline, type Window } from './timeline.ts'
import { movingFrames } from './title-motion.ts'

export type MusicLayer = Extract<Layer, { kind: 'music' }>

/**
 * A piece of music where it is heard. Seconds; of the video, but for `starts`, which is a moment of the piece. `id` is null
 * for the music under the whole video, which rests while a piece with a place of its own is heard.
 */
export type MusicHeard = {
  id: string | null
  assetId: string
  at: number
  end: number
  starts: number
  loops: boolean
  gain: number
  duck: number
  fadeIn: number
  fadeOut: number
  /** The own sound of B-roll, played so fast: no music makes room for it. */
  clip?: { speed: number }
}

/** What begins or ends without a fade of its own takes so long, in seconds: a step would click. */
const edge = 0.03

/** All that is heard of a recipe beside the voice: the music under the whole video, each piece in its place, and B-roll’s own sound. */
export const musicHeard = (
  recipe: Recipe,
  timeline: Timeline,
  lengthOf: (assetId: string) => number | null,
): MusicHeard[] => [
  ...underAll(recipe, timeline, lengthOf),
  ...piecesHeard(recipe, timeline),
  ...clipsHeard(recipe, timeline),
]

/** The files of all music that a recipe has, and of the B-roll that is heard, each once. */
export const musicAssets = ({ sound, layers }: Recipe): string[] => [
  ...new Set([
    ...(sound.music ? [sound.music.assetId] : []),
    ...layers.flatMap((layer) =>
      layer.on && (layer.kind === 'music' || (layer.kind === 'b-roll' && layer.sound)) ? layer.assetId : [],
    ),
  ]),
]

/** What lies under the whole video; none, or one. */
export const underAll = (
  { sound: { music } }: Recipe,
  timeline: Timeline,
  lengthOf: (assetId: string) => number | null,
): MusicHeard[] => {
  if (!music) return []
  const { starts, end } = musicSpan(music, secondsOf(timeline, timeline.frames), lengthOf(music.assetId))
  const { assetId, once, gain, duck, fadeInMs = 0, fadeOutMs } = music
  const fades = { fadeIn: fadeInMs / 1000, fadeOut: fadeOutMs / 1000 }
  return [{ id: null, assetId, at: 0, end, starts, loops: !once, gain, duck, ...fades }]
}

/** The pieces that have places, in the order of the video. One goes over into the next where that begins at once. */
export const piecesHeard = (recipe: Recipe, timeline: Timeline): MusicHeard[] => {
  const windowsOf = layerWindowsIn(timeline)
  const pieces = recipe.layers.flatMap((layer): MusicHeard[] => {
    if (layer.kind !== 'music' || !layer.on) return []
    const { id, assetId, gain, duck } = layer
    const windows = windowsOf(layer)
    let played = 0
    return windows.map(({ from, to }, i) => {
      const [at, end] = [secondsOf(timeline, from), secondsOf(timeline, to)]
      // Where its passage is parted it goes on from where it was.
      const starts = layer.fromMs / 1000 + played
      played += end - at
      const own = (ms: number, isOwn: boolean) => Math.min(Math.max(isOwn ? ms / 1000 : 0, edge), (end - at) / 2)
      const fadeIn = own(layer.fadeInMs, i === 0)
      const fadeOut = own(layer.fadeOutMs, i === windows.length - 1)
      return { id, assetId, at, end, starts, loops: true, gain, duck, fadeIn, fadeOut }
    })
  })
  const inOrder = pieces.toSorted((a, b) => a.at - b.at)
  return inOrder.map((one, i) => {
    const next = inOrder[i + 1]
    return next && Math.abs(next.at - one.end) < 1e-6
      ? { ...one, end: one.end + next.fadeIn, fadeOut: next.fadeIn }
      : one
  })
}

/** So often the own sound of B-roll is heard in a video at most. */
export const mostClipsHeard = 100

/** The own sound of B-roll where it is seen and to be heard; it comes and goes with the picture. */
export const clipsHeard = (recipe: Recipe, timeline: Timeline): MusicHeard[] => {
  const windowsOf = layerWindowsIn(timeline)
  return recipe.layers.flatMap((layer): MusicHeard[] => {
    if (layer.kind !== 'b-roll' || !layer.on || !layer.sound) return []
    const { id, assetId, sound, speed = 1 } = layer
    let played = 0
    return windowsOf(layer).map((window) => {
      const [at, end] = [secondsOf(timeline, window.from), secondsOf(timeline, window.to)]
      const starts = layer.fromMs / 1000 + played * speed
      played += end - at
      const { comes, goes } = movingFrames(window, timeline.fps)
      const fade = ({ from, to }: Window) =>
        Math.min(Math.max(layer.motion ? secondsOf(timeline, to - from) : 0, edge), (end - at) / 2)
      const fades = { fadeIn: fade(comes), fadeOut: fade(goes) }
      return { id, assetId, at, end, starts, loops: false, ...sound, ...fades, clip: { speed } }
    })
  })
}

/** What the fades leave of a piece at a moment of the video, 0 to 1. */
export const pieceFade = ({ at, end, fadeIn, fadeOut }: MusicHeard, seconds: number): number =>
  seconds < at
    ? 0
    : musicFade(
        { assetId: '', gain: 0, duck: 0, fadeInMs: fadeIn * 1000, fadeOutMs: fadeOut * 1000 },
        seconds - at,
        end - at,
      )

/** What the pieces with places leave of the music under the whole video at a moment, 0 to 1. */
export const restAt = (pieces: readonly MusicHeard[], seconds: number): number =>
  1 -
  Math.min(
    1,
    pieces.reduce((sum, one) => sum + (one.id === null || one.clip ? 0 : pieceFade(one, seconds)), 0),
  )

/** How loud a piece is at a moment beside its own level, 0 to 1: its fades, speech over it, and other pieces. */
export const musicAt = (
  one: MusicHeard,
  all: readonly MusicHeard[],
  voiced: readonly (readonly [number, number])[],
  seconds: number,
): number =>
  pieceFade(one, seconds) * duckedAt(voiced, one.duck, seconds) * (one.id === null ? restAt(all, seconds) : 1)

const secondsOf = ({ fps }: Timeline, frame: number): number => (frame * fps.den) / fps.num
