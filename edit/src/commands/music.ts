import type { MusicLayer } from '../music-heard.ts'
import type { Recipe, Span } from '../recipe.ts'
import type { Command } from './command.ts'
import { musicRange } from './ending.ts'
import { addPlaced, withLayer } from './layers.ts'

/** The pieces of music that have places of their own. */
export const musicLayersOf = ({ layers }: Pick<Recipe, 'layers'>): MusicLayer[] =>
  layers.filter((layer) => layer.kind === 'music')

/** A piece of music is heard for at least so long, unless its recording ends. */
const leastMs = 10_000
/** What a piece begins with: under the voice, and going over into what is before and after it. */
const quiet = { gain: -12, duck: 12, fadeInMs: 1000, fadeOutMs: 1000, fromMs: 0 } as const

/** A piece of music from the start of a passage on. One that is heard there makes room; as loud as the one before it. */
export const addMusicPiece =
  (assetId: string, span: Span): Command =>
  (recipe) => {
    const known = recipe.sources.find(({ id }) => id === span.source)
    if (!known) return recipe
    const end = Math.min(known.durationMs, Math.max(span.end, span.start + leastMs))
    const { gain, duck } = recipe.sound.music ?? quiet
    const kept = { gain: within('gain', gain), duck: within('duck', duck) }
    return addPlaced({ kind: 'music', assetId, ...quiet, ...kept, span: { ...span, end }, on: true })(recipe)
  }

/** How loud a piece is, how much lower under speech, how long it fades in and out, and where in it it begins. */
export const setMusicPiece =
  (id: string, part: Partial<Pick<MusicLayer, Setting>>): Command =>
  (recipe) => {
    const layer = musicLayersOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    const next = { ...part }
    for (const key of Object.keys(part) as Setting[]) next[key] = within(key, part[key] ?? layer[key])
    return withLayer(recipe, layer, next)
  }

type Setting = keyof typeof musicRange

const within = (key: Setting, value: number): number =>
  Math.max(musicRange[key][0], Math.min(musicRange[key][1], Math.round(value)))
