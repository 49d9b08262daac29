import {
  clipMotions,
  layerPlaces,
  stickerNames,
  titleMotions,
  titlePlaces,
  type Layer,
  type Recipe,
  type Source,
} from '@clear-to-post/edit/recipe'
import { movePieces } from '@clear-to-post/edit/commands/order'
import { timelineOf } from '@clear-to-post/edit/timeline'
import type { Random } from '../server/test/random.ts'

type Moving = Extract<Layer, { motion?: unknown }>
const mayMove = (layer: Layer): layer is Moving =>
  layer.kind === 'lower-third' || layer.kind === 'sticker' || layer.kind === 'picture' || layer.kind === 'logo'

/** Files that a recipe may show and play: a clip of a library, a still, the logo, and a piece of music. */
export type Materials = { clip: string; still: string; logo: string; song: string }

/**
 * A valid recipe over all of `made`'s sources with every kind of thing that is seen or heard: words cut out, a crossfade,
 * moves, the person's places, B-roll that is heard, a picture, the logo, a title, captions, cards, balance, colours, gains,
 * fades of the voice, and music. `shape`: of its frame; else it is drawn, too.
 */
export const randomRecipe = (
  random: Random,
  made: Recipe,
  { clip, still, logo, song }: Materials,
  shape?: Recipe['frame']['aspect'],
): Recipe => {
  const { whole, one, next } = random
  const part = (low = 0, high = 1) => Math.round((low + next() * (high - low)) * 1000) / 1000
  const point = () => ({ x: part(), y: part() })
  const drawn = one(['9:16', '9:16', '1:1', '16:9'] as const)
  const aspect = shape ?? drawn
  const sources = made.sources.map((source): Source => ({ ...source, balance: balance() }))
  // Of each recording two or three seconds, and half a second out of their middle.
  const keep = sources.map(({ id, durationMs }, i) => {
    const start = whole(200, Math.max(200, durationMs - 3400))
    const gain = one([undefined, -3, 2])
    const turn = one([{}, {}, { turn: part(-6, 6) }])
    return {
      id: `k${i}`,
      source: id,
      start,
      end: start + whole(2400, 3000),
      ...(gain === undefined ? {} : { gain }),
      ...turn,
    }
  })
  const removed = keep.map(({ source, start, end }, i) => {
    const from = whole(start + 900, end - 1400)
    const span = { source, start: from, end: from + whole(300, 500) }
    return { ...span, id: `r${i}`, reason: 'by-hand' as const, by: 'person' as const, why: '', on: true }
  })
  const words = keep.flatMap(({ source, start, end }, i) =>
    Array.from({ length: Math.floor((end - start - 100) / 300) }, (_, n) => ({
      id: `w${i}-${n}`,
      source,
      start: start + 60 + n * 300,
      end: start + 300 + n * 300,
      text: one(['Rates', 'moved', 'again,', 'house', 'money', 'keys!', 'and', 'it’s', 'why?', '6.25%', 'Ñandú']),
      confidence: 0.95,
      origin: 'typed' as const,
    })),
  )
  /** A stretch of one of the passages. */
  const somewhere = (least: number, most: number) => {
    const { source, start, end } = one(keep)
    const from = whole(start, end - most)
    return { source, start: from, end: from + whole(least, most) }
  }
  const decided = { by: 'person' as const, why: '', on: true }
  const seen: Recipe = {
    ...made,
    sources,
    keep,
    removed,
    words,
    unsaid: [],
    captions: {
      ...made.captions,
      on: true,
      style: one([1, 2, 3, 4, 5] as const),
      position: one([null, part(0.3, 0.8)]),
      size: part(0.8, 1.2),
      colour: one([null, '#ff5a3c', '#1f9d55']),
    },
    joints: [
      { id: 'j1', source: keep[0]!.source, at: removed[0]!.start, kind: 'crossfade', lengthMs: whole(200, 400) },
    ],
    moves: [
      {
        ...somewhere(600, 1200),
        ...decided,
        id: 'm1',
        kind: 'punch-in',
        scale: part(1.05, 1.5),
        focus: one([null, point()]),
      },
      { ...somewhere(800, 1600), ...decided, id: 'm2', kind: 'push', scale: part(1.05, 1.3), focus: point() },
    ],
    // A place for all of a recording, and one that the picture goes away from.
    focus: [
      { source: keep[0]!.source, start: 0, end: sources[0]!.durationMs, ...decided, id: 'f1', at: point(), head: 0.2 },
      { ...somewhere(500, 1500), ...decided, id: 'f2', at: point(), to: point() },
    ],
    layers: [
      {
        id: 'b1',
        kind: 'b-roll',
        assetId: clip,
        span: somewhere(500, 900),
        on: true,
        fromMs: whole(0, 1500),
        ...one([{}, { speed: 0.5 }, { speed: 1.5 }, { speed: 2 }]),
        ...one([{}, { near: part(1, 2), turn: part(-10, 10) }]),
        focus: point(),
      },
      {
        id: 'p1',
        kind: 'picture',
        assetId: still,
        span: somewhere(500, 900),
        on: true,
        place: one([...layerPlaces, 'full']),
        size: part(0.2, 0.5),
      },
      { id: 'l1', kind: 'logo', assetId: logo, span: null, on: true, place: one(layerPlaces), size: part(0.1, 0.25) },
      {
        id: 't1',
        kind: 'lower-third',
        span: somewhere(800, 1500),
        on: true,
        title: 'Ada Ray',
        line: 'Loan officer',
        place: one(titlePlaces),
      },
    ],
    brand: { ...made.brand, logo },
    open: { on: next() < 0.5, lengthMs: whole(500, 900), title: 'Three things', call: '' },
    close: { on: true, lengthMs: whole(500, 900), title: 'Ada Ray', call: 'Send me a message.' },
    sound: {
      ...made.sound,
      clean: next() < 0.5,
      music: {
        assetId: song,
        gain: whole(-24, -12),
        duck: whole(0, 12),
        fadeOutMs: whole(0, 800),
        fadeInMs: whole(0, 800),
        ...one([{}, { beat: { firstMs: whole(0, 400), everyMs: whole(400, 800) } }]),
      },
    },
    colour: {
      brightness: part(-0.3, 0.3),
      contrast: part(-0.3, 0.3),
      saturation: part(-0.4, 0.4),
      warmth: part(-0.4, 0.4),
    },
    frame: { aspect, focus: point() },
    output: { shortSide: aspect === '16:9' ? 400 : 720, fps: { num: 30, den: 1 } },
  }
  // Chosen last: what a seed gave before there were these stays as it was.
  const laidOver: Recipe = {
    ...seen,
    layers: (
      [
        ...seen.layers,
        {
          id: 's1',
          kind: 'sticker',
          span: somewhere(500, 1200),
          on: true,
          name: one(stickerNames),
          at: point(),
          size: part(0.1, 0.5),
          ...one([{}, { turn: whole(-180, 180) }]),
        },
        // Those that have nothing where the test listens for the music.
        {
          id: 'e1',
          kind: 'sound',
          span: somewhere(200, 800),
          on: true,
          name: one(['pop', 'ding']),
          gain: whole(-18, -6),
        },
        {
          id: 'u1',
          kind: 'music',
          assetId: song,
          span: somewhere(900, 1600),
          on: true,
          gain: whole(-24, -12),
          duck: whole(0, 12),
          fadeInMs: whole(0, 400),
          fadeOutMs: whole(0, 400),
          fromMs: whole(0, 5000),
        },
      ] satisfies Layer[]
    ).map(pushed),
  }
  // A passage in another place, where it is drawn so.
  const { length } = timelineOf(laidOver).pieces
  const [moved, isMoved] = [whole(0, length - 1), next() < 0.5]
  const played = isMoved ? movePieces(moved, moved, whole(0, length))(laidOver) : laidOver
  const motion = one([undefined, ...titleMotions])
  const [pictureMotion, logoMotion] = [one(titleMotions), one([undefined, ...titleMotions])]
  const [isHeld, tone] = [next() < 0.6, next() < 0.6]
  const [clipMotion, isParted] = [one([...clipMotions, undefined]), next() < 0.6]
  const fade = () => one([undefined, whole(200, 900)])
  const fades = played.keep.map(() => ({ fadeInMs: fade(), fadeOutMs: fade() }))
  const clipSound = next() < 0.8 ? { gain: whole(-18, -6), duck: whole(0, 10) } : undefined
  return {
    ...played,
    sound: { ...played.sound, tone },
    keep: played.keep.map((keep, i) => ({ ...keep, ...(isHeld && { steady: true }), ...fades[i] })),
    layers: played.layers.map(heard).flatMap(parted).map(moving),
  }

  /** B-roll that is heard; of the still that takes a part of its place nothing is. */
  function heard(layer: Layer): Layer {
    return layer.kind === 'b-roll' && clipSound ? { ...layer, sound: clipSound } : layer
  }

  function moving(layer: Layer): Layer {
    if (layer.kind === 'b-roll') return clipMotion ? { ...layer, motion: clipMotion } : layer
    const comes = layer.kind === 'picture' ? pictureMotion : layer.kind === 'logo' ? logoMotion : motion
    return mayMove(layer) && comes ? { ...layer, motion: comes } : layer
  }

  /** B-roll of which a still takes the second half. */
  function parted(layer: Layer): Layer[] {
    if (layer.kind !== 'b-roll' || !layer.span || !isParted) return [layer]
    const { start, end } = layer.span
    const middle = Math.round((start + end) / 2)
    return [
      { ...layer, id: 'b2', assetId: still, fromMs: 0, span: { ...layer.span, start: middle } },
      { ...layer, span: { ...layer.span, end: middle } },
    ]
  }

  function pushed(layer: Layer): Layer {
    return layer.kind === 'b-roll' ? { ...layer, ...one([{}, { push: part(1.05, 1.4) }]) } : layer
  }

  function balance(): NonNullable<Source['balance']> {
    return {
      gain: part(0.85, 1.3),
      lift: part(0, 0.05),
      blue: part(-0.03, 0.03),
      red: part(-0.03, 0.03),
      by: 'rule',
      why: '',
      on: next() < 0.7,
    }
  }
}
