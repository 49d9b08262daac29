import { withinRoom } from '../layer-room.ts'
import type { Layer, Recipe, Span, TitleMotion } from '../recipe.ts'
import { freeId, type Command } from './command.ts'
import { withoutMissing } from './layers.ts'

/** A still over the video that leaves the rest of it to be seen: a picture, or the logo. */
export type Pinned = Extract<Layer, { kind: 'picture' | 'logo' }>

/** How large it is in the video: its longer side as a part of the frame's shorter one. */
export const pinnedSizes = { least: 0.05, most: 1, picture: 0.4, logo: 0.2 } as const

export const pinnedOf = ({ layers }: Pick<Recipe, 'layers'>): Pinned[] =>
  layers.filter((layer): layer is Pinned => layer.kind === 'picture' || layer.kind === 'logo')

/** Lays a still over a passage, or over the whole video. */
export const addPinned =
  (kind: Pinned['kind'], assetId: string, span: Span | null): Command =>
  (recipe) => {
    if (recipe.layers.length >= 200) return recipe
    const id = freeId('p', recipe.layers)
    const shown = { id, assetId, span, on: true, size: pinnedSizes[kind] }
    const layer: Pinned =
      kind === 'logo' ? { ...shown, kind, place: 'top-right' } : { ...shown, kind, place: 'top-left' }
    return withinRoom(recipe, { ...recipe, layers: [...recipe.layers, layer] }, kind)
  }

/** Where it lies, how large it is, and how it comes and goes (undefined: at once). A logo never fills the picture. */
export const setPinned =
  (id: string, part: { place?: Pinned['place']; size?: number; motion?: TitleMotion | undefined }): Command =>
  (recipe) => {
    const layer = pinnedOf(recipe).find((one) => one.id === id)
    if (!layer) return recipe
    // To the thousandth: steps of a hundredth add up to what they say.
    const wanted = Math.round((part.size ?? layer.size) * 1000) / 1000
    const size = Math.max(pinnedSizes.least, Math.min(pinnedSizes.most, wanted))
    const place = layer.kind === 'logo' && part.place === 'full' ? layer.place : (part.place ?? layer.place)
    const { motion, ...rest } = { ...layer, ...part, place, size }
    const next = (motion ? { ...rest, motion } : rest) as Pinned
    return JSON.stringify(next) === JSON.stringify(layer) ? recipe : withoutMissing(recipe, next)
  }
