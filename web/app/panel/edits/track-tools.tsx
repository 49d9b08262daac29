import type { ReactNode } from 'react'
import {
  ArrowLeftToLine,
  ArrowRightToLine,
  ChevronLeft,
  ChevronRight,
  SquareSplitHorizontal,
  Trash2,
} from 'lucide-react'
import { messages } from './messages.ts'
import type { Layers } from './use-layers.ts'
import type { Pieces } from './use-pieces.ts'

type ToolsProps = {
  pieces: Pieces
  layers: Layers
  /** Moves what is in hand by frames. */
  onNudge: (frames: number) => void
  /** Takes out what is in hand. */
  onRemove: () => void
}

/** What the keys do on the timeline, for a hand and for a finger; of what is in hand, frame by frame. */
export const TrackTools = ({ pieces, layers, onNudge, onRemove }: ToolsProps) => {
  const isHeld = pieces.held !== null || layers.held !== null
  const isMovable = layers.held !== null || (pieces.held !== null && pieces.held.edge !== null)
  return (
    <div role="toolbar" aria-label={messages.trackTools} className="track-tools">
      <Tool label={messages.split} keys="S" onPress={pieces.split}>
        <SquareSplitHorizontal aria-hidden />
      </Tool>
      <Tool label={messages.trimStart} keys="Q" onPress={() => pieces.trim('from')}>
        <ArrowRightToLine aria-hidden />
      </Tool>
      <Tool label={messages.trimEnd} keys="W" onPress={() => pieces.trim('to')}>
        <ArrowLeftToLine aria-hidden />
      </Tool>
      <span aria-hidden className="track-tools-gap" />
      <Tool label={messages.earlier} keys="," isQuiet isDisabled={!isMovable} onPress={() => onNudge(-1)}>
        <ChevronLeft aria-hidden />
      </Tool>
      <Tool label={messages.later} keys="." isQuiet isDisabled={!isMovable} onPress={() => onNudge(1)}>
        <ChevronRight aria-hidden />
      </Tool>
      <Tool label={messages.takeOut} keys="Delete" isQuiet isDisabled={!isHeld} onPress={onRemove}>
        <Trash2 aria-hidden />
      </Tool>
      <p role="status" className="min-w-0 flex-1 truncate text-warn">
        {pieces.cutWord && messages.cutsInto(pieces.cutWord)}
      </p>
    </div>
  )
}

const Tool = ({
  label,
  keys,
  isQuiet = false,
  isDisabled = false,
  onPress,
  children,
}: {
  label: string
  /** The key that does the same. */
  keys: string
  /** Its picture alone says what it is. */
  isQuiet?: boolean
  isDisabled?: boolean
  onPress: () => void
  children: ReactNode
}) => (
  <button
    type="button"
    className="track-tool"
    aria-label={isQuiet ? label : undefined}
    title={`${label} (${keys})`}
    disabled={isDisabled}
    onClick={onPress}
  >
    {children}
    {!isQuiet && label}
  </button>
)
