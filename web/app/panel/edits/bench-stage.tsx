import type { ReactNode, RefObject } from 'react'
import { Frame } from 'lucide-react'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Layer } from '@clear-to-post/edit/recipe'
import { windowsOf, type Window } from '@clear-to-post/edit/timeline'
import { PlayerControls, type useFullscreen } from '../../ui/player-controls.tsx'
import type { PlayerMark } from '../../ui/player-ruler.tsx'
import { messages } from './messages.ts'
import { MusicTrack } from './music-track.tsx'
import { Preview } from './preview.tsx'
import { Strip } from './strip.tsx'
import { Track } from './track.tsx'
import { TrackTools } from './track-tools.tsx'
import type { Layers } from './use-layers.ts'
import type { Pieces } from './use-pieces.ts'
import type { PreviewParts } from './use-preview.ts'

/** The video as it will be, its controls, and its strip of pictures and sound. */
export const BenchStage = ({
  title,
  preview,
  stage,
  fullscreen,
  range,
  words,
  pieces,
  layers,
  ready,
  onNudge,
  onRemove,
  onMusic,
  marks,
  mayWrite,
  showsSafe,
  onSafe,
  onHelp,
}: {
  title: string
  preview: PreviewParts
  /** The element that goes full screen. */
  stage: RefObject<HTMLDivElement | null>
  fullscreen: ReturnType<typeof useFullscreen>
  /** The stretch between two marks. */
  range: Window | null
  /** The words that are selected. */
  words: readonly WordToken[]
  pieces: Pieces
  layers: Layers
  /** Tells on the strip what is made already. */
  ready: ReactNode
  /** Moves what is in hand on a track by frames. */
  onNudge: (frames: number) => void
  /** Takes out what is in hand on a track. */
  onRemove: () => void
  /** Opens what can be set of the music. */
  onMusic: () => void
  /** What was said about the cut that was sent last. */
  marks: readonly PlayerMark[]
  mayWrite: boolean
  /** Whether the lines are seen within which captions stay. */
  showsSafe: boolean
  onSafe: () => void
  onHelp: () => void
}) => {
  const { recipe, timeline, track, tools, assets, player } = preview
  return (
    <div data-stays-on-top className="bench-top">
      <section ref={stage} className="player bench-player" aria-label={messages.title(title)}>
        <Preview
          player={player}
          recipe={recipe}
          timeline={timeline}
          track={track}
          tools={tools}
          assets={assets}
          showsSafe={showsSafe}
          label={title}
        />
        <PlayerControls transport={player} fullscreen={fullscreen} onHelp={onHelp}>
          <button
            type="button"
            className="player-control aria-pressed:bg-primary-tint aria-pressed:text-primary-text"
            data-roomy
            aria-pressed={showsSafe}
            aria-label={messages.safe}
            title={`${messages.safe} (G)`}
            onClick={onSafe}
          >
            <Frame aria-hidden />
          </button>
        </PlayerControls>
      </section>
      <div className="bench-strip">
        <Strip
          player={player}
          recipe={recipe}
          timeline={timeline}
          assets={assets}
          range={range}
          ready={ready}
          marks={marks}
          selected={words.flatMap(({ word }) => windowsOf(timeline, word))}
        />
        {tracks.map(
          ({ label, kind, kinds }) =>
            recipe.layers.some((layer) => kinds.includes(layer.kind)) && (
              <Track
                key={label}
                label={label}
                kind={kind}
                bars={layers.barsOf(...kinds)}
                held={layers.held}
                hand={layers.hand}
                timeline={timeline}
                mayWrite={mayWrite}
              />
            ),
        )}
        <Track label={messages.videoTrack} kind="video" {...pieces} timeline={timeline} mayWrite={mayWrite} />
        <MusicTrack
          recipe={recipe}
          timeline={timeline}
          title={assets.get(recipe.sound.music?.assetId ?? '')?.fileName ?? messages.musicGone}
          mayWrite={mayWrite}
          onChoose={onMusic}
        />
        {mayWrite && <TrackTools pieces={pieces} layers={layers} onNudge={onNudge} onRemove={onRemove} />}
      </div>
    </div>
  )
}

/** What lies over the video, from the top down; a track is there while something is on it. */
const tracks: readonly { label: string; kind: 'titles' | 'layers'; kinds: Layer['kind'][] }[] = [
  { label: messages.titleTrack, kind: 'titles', kinds: ['lower-third'] },
  { label: messages.pictureTrack, kind: 'layers', kinds: ['picture', 'logo'] },
  { label: messages.layerTrack, kind: 'layers', kinds: ['b-roll'] },
]
