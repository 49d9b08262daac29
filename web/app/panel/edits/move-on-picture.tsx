import type { KeyboardEvent } from 'react'
import { moveScales, partOfMove } from '@clear-to-post/edit/on-picture'
import { messages } from './messages.ts'
import type { Moves } from './use-moves.ts'
import { stepsOf, usePictureDrag } from './use-picture-drag.ts'
import { pictureWords } from './words/picture.ts'

const percent = (part: number) => `${part * 100}%`

/** The part of the picture that a move shows, over all of it: drawn to its place, and larger or smaller by its corner. */
export const MoveOnPicture = ({ moves }: { moves: Moves }) => {
  const { move, focus } = moves
  const drag = usePictureDrag()
  if (!move) return null
  const now = { scale: move.scale, focus }
  const part = partOfMove(move.scale, focus)
  const name = messages.move[move.kind]
  const keys = (event: KeyboardEvent) => {
    const steps = stepsOf(event)
    if (!steps) return
    event.preventDefault()
    const merge = `keys ${move.id}`
    if (steps.size !== 0) moves.set({ scale: move.scale + steps.size / 100 }, merge)
    else moves.set({ focus: { x: focus.x + steps.x / 100, y: focus.y + steps.y / 100 } }, merge)
  }
  const place = {
    left: percent(part.x),
    top: percent(part.y),
    width: percent(part.width),
    height: percent(part.height),
  }
  return (
    <>
      <button
        type="button"
        className="picture-part"
        style={place}
        aria-label={pictureWords.part(name, move.scale, focus)}
        onKeyDown={keys}
        {...drag(() => ({ to: (by, merge) => moves.draw(now, by, merge) }))}
      />
      <div
        role="slider"
        tabIndex={0}
        aria-label={pictureWords.size(name)}
        aria-valuemin={moveScales.least * 100}
        aria-valuemax={moveScales.most * 100}
        aria-valuenow={Math.round(move.scale * 100)}
        aria-valuetext={pictureWords.percent(move.scale)}
        className="picture-corner"
        style={{ left: percent(part.x + part.width), top: percent(part.y + part.height) }}
        onKeyDown={(event) => {
          const steps = stepsOf(event)
          if (!steps) return
          event.preventDefault()
          moves.set({ scale: move.scale + (steps.x - steps.y + steps.size) / 100 }, `keys ${move.id}`)
        }}
        {...drag(() => ({ to: (by, merge) => moves.size(now, (by.x + by.y) / 2, merge) }))}
      />
    </>
  )
}
