import { effectMs, type EffectName } from '../sound-effects.ts'
import type { Layer, Recipe, Span, TitleMotion } from '../recipe.ts'
import { stickerSizes, type StickerName } from '../stickers.ts'
import type { Command } from './command.ts'
import { addPlaced, withLayer, withoutMissing, type Placed } from './layers.ts'

/** Stickers and sound effects: what both have beyond every layer's place. */

export type StickerLayer = Extract<Layer, { kind: 'sticker' }>
export type EffectLayer = Extract<Layer, { kind: 'sound' }>

export const stickersOf = ({ layers }: Pick<Recipe, 'layers'>): StickerLayer[] =>
  layers.filter((layer) => layer.kind === 'sticker')

export const effectsOf = ({ layers }: Pick<Recipe, 'layers'>): EffectLayer[] =>
  layers.filter((layer) => layer.kind === 'sound')

/** How loud an effect is in the finished file beside its own loudest sample at −6 dBFS, dB; what it begins with. */
export const effectGains = { least: -40, most: 6, usual: -6 } as const

/** Time enough to see a sticker, even over one short word. */
const leastMs = 2000

/** What a pen would draw is drawn from the left; the others grow. */
const lines: ReadonlySet<StickerName> = new Set(['arrow', 'ring', 'underline'])

/** A sticker over a passage, to the right of the middle and above the captions. */
export const addSticker =
  (name: StickerName, span: Span): Command =>
  (recipe) => {
    const known = recipe.sources.find(({ id }) => id === span.source)
    if (!known) return recipe
    const end = Math.min(known.durationMs, Math.max(span.end, span.start + leastMs))
    const at = { x: 0.68, y: 0.3 }
    const shown = { span: { ...span, end }, on: true }
    const motion = lines.has(name) ? 'wipe' : 'grow'
    return addPlaced({ kind: 'sticker', name, at, size: stickerSizes.usual, motion, ...shown })(recipe)
  }

/** A sound effect from the start of a passage on, as long as it lasts. */
export const addEffect =
  (name: EffectName, { source, start }: Span): Command =>
  (recipe) => {
    const known = recipe.sources.find(({ id }) => id === source)
    if (!known) return recipe
    const end = Math.min(known.durationMs, start + effectMs(name))
    return addPlaced({ kind: 'sound', name, gain: effectGains.usual, span: { source, start, end }, on: true })(recipe)
  }

export type StickerPart = Partial<Pick<StickerLayer, 'name' | 'at' | 'size' | 'turn'>> & {
  motion?: TitleMotion | undefined
}

/** What a sticker is, where it stands, how large it is, how it is turned, and how it comes and goes. */
export const setSticker =
  (id: string, part: StickerPart): Command =>
  (recipe) => {
    const layer = stickersOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    const within = (value: number, least: number, most: number) =>
      Math.round(Math.max(least, Math.min(most, value)) * 1000) / 1000
    const next = { ...layer, ...part }
    const turned = Math.round(((((next.turn ?? 0) + 180) % 360) + 360) % 360) - 180
    return same(layer, {
      ...next,
      at: { x: within(next.at.x, 0, 1), y: within(next.at.y, 0, 1) },
      size: within(next.size, stickerSizes.least, stickerSizes.most),
      turn: turned === 0 ? undefined : turned,
    })(recipe)
  }

/** What an effect is and how loud. */
export const setEffect =
  (id: string, part: Partial<Pick<EffectLayer, 'name' | 'gain'>>): Command =>
  (recipe) => {
    const layer = effectsOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    const { name, gain } = { ...layer, ...part }
    return withLayer(recipe, layer, {
      name,
      gain: Math.round(Math.max(effectGains.least, Math.min(effectGains.most, gain))),
    })
  }

const same =
  (before: Placed | Layer, next: { [K in keyof StickerLayer]: StickerLayer[K] | undefined }): Command =>
  (recipe) => {
    const bare = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined))
    return JSON.stringify(bare) === JSON.stringify(before) ? recipe : withoutMissing(recipe, next as Layer)
  }
