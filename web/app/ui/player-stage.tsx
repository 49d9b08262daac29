import { useCallback, useEffect, useRef, useState, useSyncExternalStore, type CSSProperties } from 'react'
import { LoaderCircle, Play, RotateCcw, TriangleAlert } from 'lucide-react'
import { showCaptions, type CaptionsShown } from './player-captions.ts'
import type { Transport } from './player-transport.ts'
import { words } from './player-words.ts'

/** What a player shows. Addresses are signed and end after a while; `id` says when it is really another video. */
export type PlayerMedia = {
  id: string
  /** “Cut 2”, and where there is little room “C2”. */
  name?: string | undefined
  short?: string | undefined
  playUrl?: string | undefined
  posterUrl?: string | undefined
  peaksUrl?: string | undefined
  filmstrip?: Filmstrip | undefined
  width?: number | undefined
  height?: number | undefined
  /** Said instead of the picture while nothing can play. */
  pending?: string | undefined
}

export type Filmstrip = {
  url: string
  columns: number
  rows: number
  count: number
  tileWidth: number
  tileHeight: number
  everyMs: number
}

type StageProps = {
  media: PlayerMedia
  transport: Transport
  /** Names the picture for a screen reader. */
  label: string
  /** Asks for a fresh address; the video goes on at the same time. */
  onExpired?: (() => unknown) | undefined
  onDoubleClick?: (() => void) | undefined
  /** A word in the corner, such as “Cut 2”. */
  badge?: string | undefined
  /** Of several, the one that is heard and whose clock counts. */
  leads?: boolean
  captions?: CaptionsShown | null | undefined
}

/** The picture of a player: one `<video>` under a transport, its poster, and what stands in for it when it cannot play. */
export const PlayerStage = ({
  media,
  transport,
  label,
  onExpired,
  onDoubleClick,
  badge,
  leads = true,
  captions = null,
}: StageProps) => {
  const { playing, stalled } = useSyncExternalStore(transport.subscribe, transport.state)
  const shown = useHeldAddress(media, onExpired)
  const [size, setSize] = useState<{ id: string; ratio: number } | null>(null)
  const [started, setStarted] = useState<string | null>(null)
  const element = useRef<HTMLVideoElement | null>(null)
  const video = useCallback(
    (mounted: HTMLVideoElement | null) => {
      element.current = mounted
      return mounted ? transport.attach(mounted) : undefined
    },
    [transport],
  )
  useEffect(() => {
    if (leads && element.current) transport.lead(element.current)
  }, [leads, transport, shown.src])
  useEffect(() => {
    if (captions && element.current) return showCaptions(element.current, captions)
    return undefined
  }, [captions, shown.src, shown.attempt])
  const ratio = size?.id === media.id ? size.ratio : media.width && media.height ? media.height / media.width : 16 / 9
  const style: CSSProperties & { '--ratio': number } = { '--ratio': ratio }

  return (
    <div className="player-stage" style={style}>
      {shown.src ? (
        <video
          // Another address is another element: the transport carries time and playing over.
          key={`${shown.attempt} ${shown.src}`}
          ref={video}
          src={shown.src}
          poster={started === media.id ? undefined : shown.poster}
          aria-label={label}
          playsInline
          preload="metadata"
          className="player-video"
          onClick={transport.toggle}
          onDoubleClick={onDoubleClick}
          onPlay={() => setStarted(media.id)}
          onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) =>
            videoWidth > 0 && setSize({ id: media.id, ratio: videoHeight / videoWidth })
          }
          onLoadedData={shown.loaded}
          onError={shown.failed}
        />
      ) : shown.poster ? (
        <img src={shown.poster} alt="" className="player-video" />
      ) : null}
      {badge && <span className="player-badge">{badge}</span>}
      {!shown.src && (
        <p className="player-note" role="status">
          <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />
          {media.pending ?? words.preparing}
        </p>
      )}
      {shown.src && shown.dead && (
        <div className="player-note" role="alert">
          <TriangleAlert aria-hidden className="size-5" />
          {words.failed}
          <button type="button" className="player-note-button" onClick={shown.again}>
            <RotateCcw aria-hidden className="size-4" />
            {words.again}
          </button>
        </div>
      )}
      {shown.src && !shown.dead && stalled && (
        <span className="player-veil" role="status" aria-label={words.loading}>
          <LoaderCircle aria-hidden className="size-8 motion-safe:animate-spin" />
        </span>
      )}
      {shown.src && !shown.dead && !playing && !stalled && started !== media.id && (
        <button type="button" className="player-veil player-start" aria-label={words.play} onClick={transport.play}>
          <span>
            <Play aria-hidden className="size-7 translate-x-0.5 fill-current" />
          </span>
        </button>
      )}
    </div>
  )
}

/**
 * Every answer of the server carries freshly signed addresses. Taking each one would reload the video in the middle of a
 * sentence, so the first is kept until it fails; then a fresh one is asked for, twice at most before a person is asked.
 */
const useHeldAddress = (media: PlayerMedia, onExpired: (() => unknown) | undefined) => {
  const [held, setHeld] = useState(() => heldOf(media))
  if (held.id !== media.id) setHeld(heldOf(media))
  else if (media.playUrl !== undefined && media.playUrl !== held.src && (held.src === undefined || held.tries > 0))
    setHeld({ ...held, src: media.playUrl, poster: held.poster ?? media.posterUrl })

  const renew = async (tries: number) => {
    setHeld((before) => ({ ...before, tries }))
    if (tries > 2) return
    const { src } = held
    await onExpired?.()
    // Loaded again also when the address came back unchanged: the network may only have stumbled.
    setHeld((before) => (before.src === src ? { ...before, attempt: before.attempt + 1 } : before))
  }
  return {
    src: held.src,
    poster: held.poster,
    attempt: held.attempt,
    dead: held.tries > 2,
    failed: () => void renew(held.tries + 1),
    again: () => void renew(1),
    loaded: () => held.tries > 0 && setHeld({ ...held, tries: 0 }),
  }
}

const heldOf = ({ id, playUrl, posterUrl }: PlayerMedia) => ({
  id,
  src: playUrl,
  poster: posterUrl,
  tries: 0,
  attempt: 0,
})
