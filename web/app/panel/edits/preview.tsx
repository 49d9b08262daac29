import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type ReactNode,
} from 'react'
import { LoaderCircle, Play, RotateCcw, TriangleAlert } from 'lucide-react'
import type { Asset } from '@clear-to-post/contract/assets'
import { paintState, type CaptionTrack } from '@clear-to-post/edit/caption-track'
import { cardPicture, paintCard } from '@clear-to-post/edit/card'
import { colourSteps, type ColourMatrix } from '@clear-to-post/edit/colour'
import { pushedTo, windowBetween, windowOf } from '@clear-to-post/edit/framing'
import type { Network } from '@clear-to-post/edit/network-areas'
import { sizeOf, type Layer, type Recipe } from '@clear-to-post/edit/recipe'
import type { Box, Size } from '@clear-to-post/edit/safe-area'
import { steadyAt } from '@clear-to-post/edit/steady'
import { segmentsOf, type Segment, type Timeline } from '@clear-to-post/edit/timeline'
import { cx } from '../../ui/cx.ts'
import { words } from '../../ui/player-words.ts'
import type { CanvasTools } from './canvas-tools.ts'
import { framed } from './framed.ts'
import { fitDots, paintInto, stateAt } from './painted.ts'
import type { PinnedHand } from './pinned-on-picture.tsx'
import { alwaysDrawn, NearClips, Pinned } from './preview-layers.tsx'
import { frameOf, type TimelinePlayer } from './timeline-player.ts'
import { SafeAreas } from './safe-areas.tsx'
import { Mixer } from './mixer.ts'
import { useEffects } from './use-effects.ts'
import type { Levels } from './use-levels.ts'
import type { SteadyPaths } from './use-steady.ts'
import { useMusic } from './use-music.ts'
import { useTone } from './use-tone.ts'
import { useVoice } from './use-voice.ts'

type PreviewProps = {
  projectId: string
  player: TimelinePlayer
  recipe: Recipe
  timeline: Timeline
  track: CaptionTrack | null
  tools: CanvasTools | null
  assets: ReadonlyMap<string, Asset>
  levels: Levels
  steady: SteadyPaths
  /** Whose safe areas are drawn over it; null: none. */
  networks: readonly Network[] | null
  /** The picture as it was recorded, without balance and colours. */
  showsBefore: boolean
  label: string
  /** The whole picture, however near a move brings it. */
  isFlat: boolean
  /** The size of a recording that is shown whole, instead of what the frame cuts out of it. */
  whole: { width: number; height: number } | undefined
  /** What is done to a picture or the logo in hand. */
  pinnedHand: (layer: Layer) => PinnedHand | undefined
  /** What can be taken hold of on the picture. */
  children?: ReactNode
}

/** The video as it will be: the sources through the timeline, and what the render's own painter draws over them. */
export const Preview = ({
  projectId,
  player,
  recipe,
  timeline,
  track,
  tools,
  assets,
  levels,
  steady,
  networks,
  showsBefore,
  label,
  isFlat,
  whole,
  pinnedHand,
  children,
}: PreviewProps) => {
  const { width, height } = sizeOf(recipe)
  const isWhole = whole !== undefined
  const frame = useMemo(() => ({ width, height }), [width, height])
  const { playing, stalled } = useSyncExternalStore(player.subscribe, player.state)
  const failed = useSyncExternalStore(player.subscribe, player.hasFailed)
  const [lead, setLead] = useState(0)
  const [hasCard, setHasCard] = useState(false)
  const [started, setStarted] = useState(false)
  const [hasPicture, setHasPicture] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const decks = useRef<HTMLDivElement>(null)
  const filterId = useId()
  const filters = useMemo(
    () => (showsBefore ? [] : filtersOf(recipe.sources, recipe.colour, filterId)),
    [recipe.sources, recipe.colour, filterId, showsBefore],
  )
  const logo = useLogo(recipe.brand.logo ? assets.get(recipe.brand.logo)?.assetUrl : undefined)
  const segments = useMemo(() => segmentsOf(recipe), [recipe])
  const firstKept = recipe.sources.find(({ id }) => id === timeline.pieces[0]?.source) ?? recipe.sources[0]
  const poster = assets.get(firstKept?.assetId ?? '')
  const posterUrl = poster?.posterUrl ?? poster?.thumbnailUrl
  const isWaiting = recipe.sources.some(({ assetId }) => assets.get(assetId)?.playUrl === undefined)
  if (playing && !started) setStarted(true)
  const [mixer] = useState(() => new Mixer())
  useVoice({ player, recipe, timeline, decks, mixer, levels })
  useMusic({ player, recipe, timeline, assets, mixer, levels })
  useEffects({ player, recipe, timeline, mixer })
  useTone({ player, recipe, timeline, projectId, mixer, levels })

  useEffect(() => {
    player.onLead = setLead
    return () => {
      player.onLead = undefined
    }
  }, [player])

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    let painted: unknown = NaN
    const show = (seconds: number, anew = false) => {
      if (seconds > 0) setStarted(true)
      const at = Math.min(frameOf(seconds, timeline.fps), timeline.frames - 1)
      const segment = segmentAt(segments, at)
      const onCard = segment?.kind === 'card' ? recipe[segment.card] : null
      setHasCard(onCard !== null)
      const { lead, share } = player.mix()
      const { playing } = player.state()
      const elements = decks.current?.querySelectorAll('video') ?? []
      elements.forEach((video, i) => {
        const isLead = i === lead
        // The lower of the two stays whole: the upper one lets it through.
        const seen = i === 0 ? (isLead || share < 1 ? 1 : 0) : isLead ? share : 1 - share
        const filter = filterOf(filters, shotOf(segment, isLead)?.source)
        Object.assign(video.style, {
          opacity: playing ? (onCard ? 0 : seen) : alwaysDrawn(onCard ? 0 : i === 0 ? 1 : seen),
          filter,
          ...viewOf(recipe, frame, segment, at, { isLead, isFlat, isWhole, steady }),
        })
      })
      const state = onCard ?? (track && stateAt(track.states, at))
      if (!tools || (state === painted && !anew)) return
      painted = state
      const side = logo && { picture: logo, size: { width: logo.naturalWidth, height: logo.naturalHeight } }
      paintInto(
        element,
        frame,
        onCard
          ? (context) =>
              paintCard(
                context,
                cardPicture(onCard, recipe.brand, frame, tools.measure, side !== null),
                side,
                tools.pictures,
              )
          : state && 'key' in state && state.key !== ''
            ? (context) => paintState(context, state, tools.pictures)
            : null,
      )
    }
    const watch = new ResizeObserver(() => fitDots(element) && show(player.time(), true))
    watch.observe(element)
    fitDots(element)
    const stops = [player.onTime((seconds) => show(seconds)), player.subscribe(() => show(player.time()))]
    return () => {
      stops.forEach((stop) => stop())
      watch.disconnect()
    }
  }, [player, timeline, track, tools, segments, frame, recipe, logo, filters, isFlat, isWhole, steady])

  const first = segments.find(({ kind }) => kind !== 'card')
  // Nothing lies over the whole recording.
  const layers = isWhole ? [] : recipe.layers
  const shape: CSSProperties & { '--shape': number } = {
    '--shape': whole ? whole.width / whole.height : width / height,
  }
  return (
    <div className="bench-stage" data-shape={shape['--shape'] < 1 ? 'upright' : 'wide'}>
      <div className="bench-frame" style={shape}>
        <div className="absolute inset-0 overflow-hidden">
          <svg aria-hidden className="absolute size-0">
            {filters.map(({ id, steps: [there, back] }) => (
              <filter key={id} id={id} colorInterpolationFilters="sRGB">
                <feColorMatrix values={there} />
                <feColorMatrix values={back} />
              </filter>
            ))}
          </svg>
          <div ref={decks} className="absolute inset-0">
            {/* A video drops its own poster when it is sent to its first moment, long before it has a picture. */}
            {posterUrl && !hasPicture && (
              <img
                src={posterUrl}
                alt=""
                className="absolute inset-0 size-full object-cover"
                style={{
                  ...viewOf(recipe, frame, first, first?.at ?? 0, { isLead: true, isFlat, isWhole, steady }),
                  filter: filterOf(filters, firstKept?.id),
                }}
              />
            )}
            {[0, 1].map((index) => (
              <Deck
                key={index}
                player={player}
                label={label}
                isLead={lead === index && !hasCard}
                onPicture={() => setHasPicture(true)}
              />
            ))}
          </div>
          <NearClips layers={layers} frame={frame} assets={assets} player={player} timeline={timeline} />
          {layers.map(
            (layer) =>
              (layer.kind === 'logo' || layer.kind === 'picture') &&
              layer.on && (
                <Pinned
                  key={layer.id}
                  layer={layer}
                  frame={frame}
                  hand={pinnedHand(layer)}
                  assets={assets}
                  player={player}
                  timeline={timeline}
                />
              ),
          )}
        </div>
        <canvas
          ref={canvas}
          aria-hidden
          className={cx('pointer-events-none absolute inset-0 size-full', isWhole && 'invisible')}
        />
        {networks && !isWhole && <SafeAreas networks={networks} aspect={recipe.frame.aspect} frame={frame} />}
        {children}
        {failed ? (
          <div className="player-note absolute! inset-x-4 top-1/3" role="alert">
            <TriangleAlert aria-hidden className="size-5" />
            {words.failed}
            <button type="button" className="player-note-button" onClick={player.again}>
              <RotateCcw aria-hidden className="size-4" />
              {words.again}
            </button>
          </div>
        ) : isWaiting ? (
          <p className="player-note absolute! inset-x-4 top-1/3" role="status">
            <LoaderCircle aria-hidden className="size-5 motion-safe:animate-spin" />
            {words.preparing}
          </p>
        ) : stalled ? (
          <span className="player-veil" role="status" aria-label={words.loading}>
            <LoaderCircle aria-hidden className="size-8 motion-safe:animate-spin" />
          </span>
        ) : (
          !playing &&
          !started &&
          !recipe.layers.some((layer) => pinnedHand(layer)) && (
            <button type="button" className="player-veil player-start" aria-label={words.play} onClick={player.play}>
              <span>
                <Play aria-hidden className="size-7 translate-x-0.5 fill-current" />
              </span>
            </button>
          )
        )}
      </div>
    </div>
  )
}

type DeckProps = {
  player: TimelinePlayer
  label: string
  isLead: boolean
  /** It has a first picture to show. */
  onPicture: () => void
}

const Deck = ({ player, label, isLead, onPicture }: DeckProps) => {
  const video = useCallback(
    (mounted: HTMLVideoElement | null) => (mounted ? player.attach(mounted) : undefined),
    [player],
  )
  return (
    <video
      ref={video}
      aria-label={label}
      aria-hidden={!isLead}
      playsInline
      preload="auto"
      className="absolute inset-0 size-full object-cover"
      onLoadedData={onPicture}
      onClick={player.toggle}
    />
  )
}

// The logo of the cards, once it is there.
const useLogo = (address: string | undefined): HTMLImageElement | null => {
  const [logo, setLogo] = useState<HTMLImageElement | null>(null)
  // Its address is signed anew with every answer; the picture is the same.
  const path = address?.split('?')[0]
  const signed = useEffectEvent(() => address)
  useEffect(() => {
    setLogo(null)
    if (!path) return
    let isGone = false
    const image = new Image()
    image.src = signed() ?? path
    image.decode().then(
      () => isGone || setLogo(image),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [path])
  return logo
}

const segmentAt = (segments: readonly Segment[], at: number): Segment | undefined =>
  segments.find((segment) => at >= segment.at && at < segment.at + segment.frames)

type Filter = { source: string; id: string; steps: [there: string, back: string] }

// The render's own step for each recording, as the numbers of an SVG filter; none for one that stays as it is.
const filtersOf = (sources: Recipe['sources'], colour: Recipe['colour'], id: string): Filter[] =>
  sources.flatMap(({ id: source, balance }, i) => {
    const steps = colourSteps(colour, balance)
    return steps ? [{ source, id: `${id}${i}`, steps: [valuesOf(steps[0]), valuesOf(steps[1])] }] : []
  })

const valuesOf = (matrix: ColourMatrix): string =>
  [...matrix.map(([r, g, b, more]) => [r, g, b, 0, more]), [0, 0, 0, 1, 0]].flat().join(' ')

const filterOf = (filters: readonly Filter[], source: string | undefined): string => {
  const found = filters.find((one) => one.source === source)
  return found ? `url(#${found.id})` : 'none'
}

const shotOf = (segment: Segment | undefined, isLead: boolean) =>
  segment?.kind === 'shot' ? segment.shot : segment?.kind === 'crossfade' ? segment[isLead ? 'in' : 'out'] : null

// The same dots as in the render; or all of the recording.
const viewOf = (
  recipe: Recipe,
  frame: Size,
  segment: Segment | undefined,
  at: number,
  { isLead, isFlat, isWhole, steady }: { isLead: boolean; isFlat: boolean; isWhole: boolean; steady: SteadyPaths },
) => {
  if (isWhole) return { objectFit: 'contain', transform: 'none' } as const
  const shot = shotOf(segment, isLead)
  const source = recipe.sources.find(({ id }) => id === shot?.source)
  if (!segment || !shot || !source) return {}
  const done = (at - segment.at) / segment.frames
  const zoom = isFlat ? null : shot.zoom
  const isPush = zoom !== null && zoom.from !== zoom.to
  const { from, to } = shot.focus ?? { from: recipe.frame.focus, to: recipe.frame.focus }
  const [first, last] = [from, to].map((focus) => windowOf(source, frame, focus, isPush ? null : zoom)) as [Box, Box]
  const seen = windowBetween(first, last, done)
  const path = shot.steady && steady.get(source.id)
  return framed(source, seen, {
    pushed: isPush ? { to: pushedTo(zoom, frame, done), frame } : undefined,
    turned:
      shot.turn || path
        ? {
            degrees: shot.turn ?? 0,
            frame,
            steady:
              path &&
              steadyAt(path, shot.from + at - segment.at, {
                picture: source,
                window: seen,
                size: frame,
                turn: shot.turn,
              }),
          }
        : undefined,
  })
}
