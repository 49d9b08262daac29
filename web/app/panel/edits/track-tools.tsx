import type { ReactNode } from 'react'
import {
  ArrowLeftToLine,
  ArrowRightToLine,
  Blend,
  ChevronLeft,
  ChevronRight,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Magnet,
  Maximize2,
  ScanLine,
  SquareDashedMousePointer,
  SquareSplitHorizontal,
  Trash2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { messages } from './messages.ts'
import type { Crossfade } from './use-crossfade.ts'
import type { InHand } from './use-in-hand.ts'
import { zoomStep, type Line } from './use-line.ts'
import { copyWords } from './words/copies.ts'
import { lineWords } from './words/line.ts'
import { orderWords } from './words/order.ts'
import { pictureWords } from './words/picture.ts'

type ToolsProps = {
  inHand: InHand
  crossfade: Crossfade
  line: Line
  mayWrite: boolean
}

/** What the keys do on the timeline, for a hand and for a finger: how it is looked at, and what is done frame by frame. */
export const TrackTools = (props: ToolsProps) => {
  const {
    inHand: { pieces, layers, several },
    mayWrite,
  } = props
  const isHeld = pieces.held !== null || layers.held !== null || several.count > 0
  return (
    <div className="track-tools" data-idle={!isHeld || undefined}>
      {mayWrite && <EditTools {...props} isHeld={isHeld} />}
      <p role="status" className="min-w-0 flex-1 truncate text-muted">
        {several.count > 0 ? (
          lineWords.chosen(several.count)
        ) : (
          <span className="text-warn">{pieces.cutWord && messages.cutsInto(pieces.cutWord)}</span>
        )}
      </p>
      <ViewTools {...props} />
    </div>
  )
}

const EditTools = ({ inHand, crossfade, isHeld }: ToolsProps & { isHeld: boolean }) => {
  const { pieces, layers, several, copies } = inHand
  const isWhole = several.count === 0 && pieces.held !== null && pieces.held.edge === null
  const isMovable = layers.held !== null || several.count > 0 || pieces.held !== null
  return (
    <div role="toolbar" aria-label={messages.trackTools} className="track-tool-group">
      <Tool label={messages.split} keys="S" onPress={pieces.split}>
        <SquareSplitHorizontal aria-hidden />
      </Tool>
      <Tool label={messages.trimStart} keys="Q" onPress={() => pieces.trim('from')}>
        <ArrowRightToLine aria-hidden />
      </Tool>
      <Tool label={messages.trimEnd} keys="W" onPress={() => pieces.trim('to')}>
        <ArrowLeftToLine aria-hidden />
      </Tool>
      <Tool
        label={pictureWords.crossfade.title}
        keys="Shift T"
        hint={pictureWords.crossfade.hint}
        isQuiet
        onPress={crossfade.toggle}
      >
        <Blend aria-hidden />
      </Tool>
      <span aria-hidden className="track-tools-gap" />
      <Tool
        label={isWhole ? orderWords.earlier : messages.earlier}
        keys=","
        isQuiet
        isDisabled={!isMovable}
        onPress={() => inHand.nudge(-1)}
      >
        <ChevronLeft aria-hidden />
      </Tool>
      <Tool
        label={isWhole ? orderWords.later : messages.later}
        keys="."
        isQuiet
        isDisabled={!isMovable}
        onPress={() => inHand.nudge(1)}
      >
        <ChevronRight aria-hidden />
      </Tool>
      <Tool
        label={lineWords.several}
        keys="Shift D"
        hint={lineWords.severalHint}
        isQuiet
        isOn={several.isOn}
        onPress={several.toggle}
      >
        <SquareDashedMousePointer aria-hidden />
      </Tool>
      <Tool label={copyWords.copy} keys="Ctrl C" isQuiet isDisabled={!copies.isCopyable} onPress={copies.copy}>
        <Copy aria-hidden />
      </Tool>
      <Tool
        label={copyWords.paste}
        keys="Ctrl V"
        hint={copyWords.pasteHint}
        isQuiet
        isDisabled={!copies.isPastable}
        onPress={copies.paste}
      >
        <ClipboardPaste aria-hidden />
      </Tool>
      <Tool
        label={copyWords.duplicate}
        keys="Ctrl D"
        isQuiet
        isDisabled={!copies.isCopyable}
        onPress={copies.duplicate}
      >
        <CopyPlus aria-hidden />
      </Tool>
      <Tool label={messages.takeOut} keys="Delete" isQuiet isDisabled={!isHeld} onPress={inHand.remove}>
        <Trash2 aria-hidden />
      </Tool>
    </div>
  )
}

const ViewTools = ({ line, mayWrite }: ToolsProps) => (
  <div role="toolbar" aria-label={lineWords.view} className="track-tool-group">
    {mayWrite && (
      <Tool
        label={lineWords.snap}
        keys="N"
        hint={lineWords.snapHint}
        isQuiet
        isOn={line.snaps}
        onPress={line.toggleSnap}
      >
        <Magnet aria-hidden />
      </Tool>
    )}
    <Tool
      label={lineWords.follow}
      keys="Shift F"
      hint={lineWords.followHint}
      isQuiet
      isOn={line.follows}
      onPress={line.toggleFollow}
    >
      <ScanLine aria-hidden />
    </Tool>
    <Tool
      label={lineWords.farther}
      keys="−"
      isQuiet
      isDisabled={!line.isZoomed}
      onPress={() => line.zoomBy(1 / zoomStep)}
    >
      <ZoomOut aria-hidden />
    </Tool>
    <Tool label={lineWords.nearer} keys="=" isQuiet onPress={() => line.zoomBy(zoomStep)}>
      <ZoomIn aria-hidden />
    </Tool>
    <Tool label={lineWords.fit} keys="Shift Z" isQuiet isDisabled={!line.isZoomed} onPress={line.fit}>
      <Maximize2 aria-hidden />
    </Tool>
  </div>
)

const Tool = ({
  label,
  keys,
  hint,
  isQuiet = false,
  isDisabled = false,
  isOn,
  onPress,
  children,
}: {
  label: string
  /** The key that does the same. */
  keys: string
  /** Its picture alone says what it is. */
  isQuiet?: boolean
  isDisabled?: boolean
  /** What it does, where its name does not say. */
  hint?: string
  /** A switch: whether it is on. */
  isOn?: boolean
  onPress: () => void
  children: ReactNode
}) => (
  <button
    type="button"
    className="track-tool"
    aria-label={isQuiet ? label : undefined}
    aria-pressed={isOn}
    title={`${label} (${keys})${hint ? `: ${hint}` : ''}`}
    disabled={isDisabled}
    onClick={onPress}
  >
    {children}
    {!isQuiet && label}
  </button>
)
