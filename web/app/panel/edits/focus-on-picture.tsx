import { useRef } from 'react'
import type { Point } from '@clear-to-post/edit/on-picture'
import type { Layer } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { useShownWhileSeen } from './layer-windows.ts'
import type { TimelinePlayer } from './timeline-player.ts'
import { stepsOf, usePictureDrag } from './use-picture-drag.ts'
import { pictureWords } from './words/picture.ts'

/** What stays in the picture of B-roll where a side of it is cut away: a point on it, while it is seen. */
export const FocusOnPicture = ({
  layer,
  title,
  player,
  timeline,
  onSet,
}: {
  layer: Extract<Layer, { kind: 'b-roll' }>
  title: string
  player: TimelinePlayer
  timeline: Timeline
  onSet: (point: Point, merge: string) => void
}) => {
  const element = useRef<HTMLButtonElement>(null)
  const drag = usePictureDrag()
  const { focus } = layer
  useShownWhileSeen(element, layer, { player, timeline })
  return (
    <button
      ref={element}
      type="button"
      className="picture-focus"
      style={{ left: `${focus.x * 100}%`, top: `${focus.y * 100}%` }}
      aria-label={pictureWords.focus(title, focus)}
      onKeyDown={(event) => {
        const steps = stepsOf(event)
        if (!steps || steps.size !== 0) return
        event.preventDefault()
        onSet({ x: focus.x + steps.x / 100, y: focus.y + steps.y / 100 }, `keys ${layer.id}`)
      }}
      {...drag(() => ({ to: (by, merge) => onSet({ x: focus.x + by.x, y: focus.y + by.y }, merge) }))}
    />
  )
}
