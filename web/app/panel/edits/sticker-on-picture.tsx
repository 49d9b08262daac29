import { useRef } from 'react'
import type { StickerLayer, StickerPart } from '@clear-to-post/edit/commands/effects'
import { sizeOf, type Recipe } from '@clear-to-post/edit/recipe'
import { stickerOf } from '@clear-to-post/edit/stickers'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { useShownWhileSeen } from './layer-windows.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import { stepsOf, usePictureDrag } from './use-picture-drag.ts'
import { effectWords as words } from './words/effects.ts'

/** A sticker in hand, drawn to its place on the picture; plus and minus make it larger and smaller. */
export const StickerOnPicture = ({
  recipe,
  layer,
  player,
  timeline,
  onSet: set,
}: {
  recipe: Recipe
  layer: StickerLayer
  player: TimelinePlayer
  timeline: Timeline
  onSet: (part: StickerPart, merge: string) => void
}) => {
  const element = useRef<HTMLButtonElement>(null)
  const drag = usePictureDrag()
  const { id, at, size } = layer
  useShownWhileSeen(element, layer, { player, timeline })
  const frame = sizeOf(recipe)
  const { box } = stickerOf(layer, frame, recipe.brand)
  const part = (dots: number, of: number) => `${(100 * dots) / of}%`
  return (
    <button
      ref={element}
      type="button"
      className="picture-hold"
      style={{
        inset: 'auto',
        left: part(box.x, frame.width),
        top: part(box.y, frame.height),
        width: part(box.width, frame.width),
        height: part(box.height, frame.height),
      }}
      aria-label={words.place(words.sticker[layer.name], at)}
      onKeyDown={(event) => {
        const steps = stepsOf(event)
        if (!steps) return
        event.preventDefault()
        if (steps.size !== 0) set({ size: size + steps.size / 100 }, `keys ${id}`)
        else set({ at: { x: at.x + steps.x / 100, y: at.y + steps.y / 100 } }, `keys ${id}`)
      }}
      {...drag(() => ({ to: (by, merge) => set({ at: { x: at.x + by.x, y: at.y + by.y } }, merge) }))}
    />
  )
}
