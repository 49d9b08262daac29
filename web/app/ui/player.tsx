import { useRef, useState, type CSSProperties } from 'react'
import type { PlayerCaptions } from './player-captions.ts'
import { PlayerControls, useFullscreen } from './player-controls.tsx'
import { KeySheet } from './player-key-sheet.tsx'
import { usePlayerKeys } from './player-keys.ts'
import { usePeaks } from './player-peaks.ts'
import { PlayerRuler, type PlayerMark } from './player-ruler.tsx'
import { PlayerStage, type PlayerMedia } from './player-stage.tsx'
import { Transport } from './player-transport.ts'
import { words } from './player-words.ts'
import './player.css'

type PlayerProps = {
  /** One video, or two to look at beside each other in step; the first leads. */
  media: readonly [PlayerMedia, ...PlayerMedia[]]
  transport: Transport
  label: string
  marks?: readonly PlayerMark[]
  onMark?: (mark: PlayerMark) => void
  /** C: somebody wants to write about this moment. */
  onComment?: () => void
  /** A signed address has ended: ask for a fresh one. */
  onExpired?: () => unknown
  /** Two videos do not fit side by side: show them in turn, at the same time. */
  inTurn?: boolean
  /** Which of two, from 0, somebody chose to see or to hear. */
  onTurn?: (index: number) => void
  /** A form is open beside it: its keys count only while the focus is in the player. */
  isAside?: boolean
  /** Captions of the first video. */
  captions?: PlayerCaptions | undefined
}

/** The place of a player, as tall as it will be; `ratio` is its video's height by its width. */
export const PlayerLoading = ({ ratio }: { ratio: number }) => {
  const style: CSSProperties & { '--ratio': number } = { '--ratio': ratio }
  return (
    <div className="skeleton">
      <div className="player invisible">
        <div className="player-stage" style={style} />
        <div className="player-ruler" />
        <div className="player-controls">
          <span className="player-control" />
        </div>
      </div>
    </div>
  )
}

/** The clock of a player, for those around it who read the time or jump. One for as long as the component lives. */
export const useTransport = (startAt = 0): Transport => {
  const [transport] = useState(() => {
    const made = new Transport()
    if (startAt > 0) made.seek(startAt)
    return made
  })
  return transport
}

/** The review player: picture, ledger ruler and controls under one clock, with keys for everything. */
export const Player = ({
  media,
  transport,
  label,
  marks = [],
  onMark,
  onComment,
  onExpired,
  inTurn,
  onTurn,
  isAside,
  captions,
}: PlayerProps) => {
  const root = useRef<HTMLDivElement>(null)
  const fullscreen = useFullscreen(root)
  const [help, setHelp] = useState(false)
  const [turn, setTurn] = useState(0)
  const leading = media[turn] ?? media[0]
  const peaks = usePeaks(leading.id, leading.peaksUrl)
  const shown = inTurn && media.length > 1 ? [leading] : media

  const jump = (mark: PlayerMark) => {
    transport.pause()
    transport.seek(mark.at)
    onMark?.(mark)
  }
  const nearest = (direction: -1 | 1) => {
    const at = transport.time()
    const sorted = marks.toSorted((a, b) => a.at - b.at)
    const found =
      direction === 1 ? sorted.find((mark) => mark.at > at + 0.02) : sorted.findLast((mark) => mark.at < at - 0.02)
    if (found) jump(found)
  }
  usePlayerKeys(
    {
      transport,
      fullscreen: fullscreen.toggle,
      help: () => setHelp(true),
      ...(onComment ? { comment: onComment } : {}),
      ...(marks.length > 0 ? { mark: nearest } : {}),
      ...(captions ? { captions: captions.onNext } : {}),
    },
    isAside ? '.player' : undefined,
  )

  return (
    <section ref={root} className="player" aria-label={label} data-stages={shown.length}>
      <div className="player-stages">
        {shown.map((one) => (
          <PlayerStage
            key={media.indexOf(one)}
            media={one}
            transport={transport}
            label={one.name ?? label}
            leads={one === leading}
            captions={one === media[0] ? captions?.shown : null}
            badge={media.length > 1 ? one.name : undefined}
            onExpired={onExpired}
            onDoubleClick={fullscreen.toggle}
          />
        ))}
      </div>
      <PlayerRuler transport={transport} peaks={peaks} filmstrip={leading.filmstrip} marks={marks} onMark={jump} />
      <PlayerControls transport={transport} fullscreen={fullscreen} captions={captions} onHelp={() => setHelp(true)}>
        {media.length > 1 && (
          <fieldset className="player-turns">
            <legend className={inTurn ? 'sr-only' : undefined}>{inTurn ? words.show : words.sound}</legend>
            {media.map((one, index) => (
              <button
                key={index}
                type="button"
                aria-pressed={index === turn}
                onClick={() => {
                  setTurn(index)
                  onTurn?.(index)
                }}
              >
                {one.short ?? one.name}
              </button>
            ))}
          </fieldset>
        )}
      </PlayerControls>
      <KeySheet
        isOpen={help}
        onClose={() => setHelp(false)}
        has={{
          fullscreen: true,
          help: true,
          comment: onComment !== undefined,
          mark: marks.length > 0,
          captions: captions !== undefined,
        }}
      />
    </section>
  )
}
