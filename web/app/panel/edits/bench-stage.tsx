import { useCallback, useId, type ReactNode, type RefObject } from 'react'
import type { WordToken } from '@clear-to-post/edit/passages'
import type { Layer } from '@clear-to-post/edit/recipe'
import { windowsOf, type Window } from '@clear-to-post/edit/timeline'
import { PlayerControls, type useFullscreen } from '../../ui/player-controls.tsx'
import type { PlayerMark } from '../../ui/player-ruler.tsx'
import { CaptionOnPicture } from './caption-on-picture.tsx'
import { FocusOnPicture } from './focus-on-picture.tsx'
import { LineBox } from './line-box.tsx'
import { LineFilm } from './line-film.tsx'
import { LineMap } from './line-map.tsx'
import { messages } from './messages.ts'
import { MoveOnPicture } from './move-on-picture.tsx'
import { MusicTrack } from './music-track.tsx'
import { PersonOnPicture } from './person-on-picture.tsx'
import { Preview } from './preview.tsx'
import { SafeControls } from './safe-areas.tsx'
import { StickerOnPicture } from './sticker-on-picture.tsx'
import { Strip } from './strip.tsx'
import { Track } from './track.tsx'
import { TrackTools } from './track-tools.tsx'
import { VoiceTrack } from './voice-track.tsx'
import type { Crossfade } from './use-crossfade.ts'
import type { InHand } from './use-in-hand.ts'
import type { Networks } from './use-networks.ts'
import type { Line } from './use-line.ts'
import type { PreviewParts } from './use-preview.ts'
import { captionWords } from './words/captions.ts'
import { effectWords } from './words/effects.ts'
import { lineWords } from './words/line.ts'

/** The video as it will be, its controls, and its strip of pictures and sound. */
export const BenchStage = ({
  title,
  preview,
  stage,
  fullscreen,
  range,
  words,
  inHand,
  crossfade,
  line,
  ready,
  onMusic,
  marks,
  mayWrite,
  networks,
  showsBefore,
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
  inHand: InHand
  crossfade: Crossfade
  line: Line
  /** Tells on the strip what is made already. */
  ready: ReactNode
  /** Opens what can be set of the music. */
  onMusic: () => void
  /** What was said about the cut that was sent last. */
  marks: readonly PlayerMark[]
  mayWrite: boolean
  networks: Networks
  /** The picture as it was recorded. */
  showsBefore: boolean
  onHelp: () => void
}) => {
  const { recipe, timeline, track, tools, assets, player, levels, steady } = preview
  const { pieces, layers, several, captions, moves, person } = inHand
  const { view } = line
  const lineId = useId()
  const trackOf = ({ label, kind, kinds }: (typeof tracks)[number]) =>
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
        line={{ kind: 'layer', of: line, several }}
      />
    )
  const scrolled = useCallback((element: HTMLDivElement | null) => (element ? view.attach(element) : undefined), [view])
  return (
    <div data-stays-on-top className="bench-top">
      <section ref={stage} className="player bench-player" aria-label={messages.title(title)}>
        <Preview
          projectId={preview.projectId}
          player={player}
          recipe={recipe}
          timeline={timeline}
          track={track}
          tools={tools}
          assets={assets}
          levels={levels}
          steady={steady}
          networks={networks.isShown ? networks.networks : null}
          showsBefore={showsBefore}
          label={title}
          isFlat={moves.move !== undefined}
          whole={person.source}
          pinnedHand={layers.pinnedHand}
        >
          {mayWrite && !moves.move && !person.source && <CaptionOnPicture preview={preview} captions={captions} />}
          <MoveOnPicture moves={moves} />
          <PersonOnPicture person={person} />
          {layers.stickerInHand && (
            <StickerOnPicture
              recipe={recipe}
              layer={layers.stickerInHand}
              player={player}
              timeline={timeline}
              onSet={layers.stick}
            />
          )}
          {layers.bRollInHand && (
            <FocusOnPicture
              layer={layers.bRollInHand}
              title={layers.titleOf(layers.bRollInHand)}
              player={player}
              timeline={timeline}
              onSet={layers.focus}
            />
          )}
        </Preview>
        <PlayerControls transport={player} fullscreen={fullscreen} onHelp={onHelp}>
          <SafeControls networks={networks} />
        </PlayerControls>
      </section>
      <div className="bench-strip">
        {/* A line that can be scrolled must be reached by keys; it holds the ruler, which is. */}
        <div ref={scrolled} id={lineId} role="group" aria-label={lineWords.line} className="line">
          <LineBox view={view} byTouch={several.isOn} onBox={several.box}>
            <Strip
              view={line.view}
              player={player}
              recipe={recipe}
              timeline={timeline}
              assets={assets}
              range={range}
              ready={ready}
              marks={marks}
              selected={words.flatMap(({ word }) => windowsOf(timeline, word))}
            />
            {tracks.map(trackOf)}
            {captions.bars.length > 0 && (
              <Track
                label={captionWords.track}
                kind="captions"
                bars={captions.bars}
                held={captions.held}
                hand={captions.hand}
                zoomed={line}
                timeline={timeline}
                mayWrite={mayWrite}
              />
            )}
            <Track
              label={messages.videoTrack}
              kind="video"
              {...pieces}
              timeline={timeline}
              mayWrite={mayWrite}
              line={{ kind: 'piece', of: line, several }}
            >
              <LineFilm view={line.view} recipe={recipe} timeline={timeline} assets={assets} />
            </Track>
            <VoiceTrack recipe={recipe} timeline={timeline} pieces={pieces} mayWrite={mayWrite} />
            {heardTracks.map(trackOf)}
            <MusicTrack
              pieceSeconds={assets.get(recipe.sound.music?.assetId ?? '')?.duration ?? null}
              recipe={recipe}
              timeline={timeline}
              title={assets.get(recipe.sound.music?.assetId ?? '')?.fileName ?? messages.musicGone}
              mayWrite={mayWrite}
              onChoose={onMusic}
            />
            <span aria-hidden className="line-guide" />
          </LineBox>
        </div>
        {line.isZoomed && (
          <LineMap
            controls={lineId}
            view={view}
            player={player}
            recipe={recipe}
            timeline={timeline}
            assets={assets}
            marks={marks}
          />
        )}
        <TrackTools inHand={inHand} crossfade={crossfade} line={line} mayWrite={mayWrite} />
      </div>
    </div>
  )
}

/** What lies over the video, from the top down; a track is there while something is on it. */
const tracks: readonly { label: string; kind: 'titles' | 'layers'; kinds: Layer['kind'][] }[] = [
  { label: effectWords.stickerTrack, kind: 'titles', kinds: ['sticker'] },
  { label: messages.titleTrack, kind: 'titles', kinds: ['lower-third'] },
  { label: messages.pictureTrack, kind: 'layers', kinds: ['picture', 'logo'] },
  { label: messages.layerTrack, kind: 'layers', kinds: ['b-roll'] },
]

/** What is heard beside the voice; below it. */
const heardTracks: typeof tracks = [
  { label: effectWords.effectTrack, kind: 'layers', kinds: ['sound'] },
  { label: effectWords.pieceTrack, kind: 'layers', kinds: ['music'] },
]
