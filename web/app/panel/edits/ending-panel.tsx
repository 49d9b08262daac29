import { Music } from 'lucide-react'
import type { Asset } from '@clear-to-post/contract/assets'
import {
  chooseMusic,
  musicRange,
  setEnding,
  setMusic,
  setMusicOnce,
  setSound,
} from '@clear-to-post/edit/commands/ending'
import { addMusicPiece, musicLayersOf, setMusicPiece } from '@clear-to-post/edit/commands/music'
import type { Span } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button } from '../../ui/button.tsx'
import { NumberField } from '../../ui/number-field.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { DrawnField, Group, Range } from './fields.tsx'
import { messages } from './messages.ts'
import { LayerRow } from './layer-row.tsx'
import { VoiceFields } from './sound-group.tsx'
import { useBeat } from './use-beat.ts'
import type { Workbench } from './use-bench.ts'
import type { Gain } from './use-gain.ts'
import type { Layers } from './use-layers.ts'
import { effectWords } from './words/effects.ts'
import { soundWords } from './words/sound.ts'

/** The card at the end, the music, and how loud everything is. `songs`: what may be heard under the video. */
export const EndingPanel = ({
  bench,
  gain,
  songs,
  ...pieces
}: { bench: Workbench; gain: Gain; songs: readonly Asset[] } & PlacedProps) => {
  const { recipe, change, mayWrite } = bench
  const { close, sound } = recipe
  const isOff = !mayWrite || !close?.on
  const loudness = levels.includes(String(sound.loudness)) ? String(sound.loudness) : '-14'
  return (
    <>
      <Group title={messages.endCard}>
        <Switch
          isSelected={close?.on ?? false}
          isDisabled={!mayWrite}
          onChange={(on) => change(on ? messages.did.cardOn : messages.did.cardOff, setEnding({ on }))}
          hint={messages.endCardHint}
        >
          {messages.endCardOn}
        </Switch>
        {close && (
          <>
            <DrawnField
              label={messages.cardTitle}
              value={close.title}
              placeholder={recipe.brand.name}
              maxLength={80}
              isDisabled={isOff}
              onChange={(title) => change(messages.did.card, setEnding({ title }), 'card title')}
            />
            <DrawnField
              label={messages.cardCall}
              value={close.call}
              maxLength={120}
              isDisabled={isOff}
              hint={messages.cardCallHint}
              onChange={(call) => change(messages.did.card, setEnding({ call }), 'card call')}
            />
            <NumberField
              label={messages.cardSeconds}
              value={Math.round(close.lengthMs / 1000)}
              minValue={1}
              maxValue={10}
              isDisabled={isOff}
              onChange={(seconds) => seconds > 0 && change(messages.did.card, setEnding({ lengthMs: seconds * 1000 }))}
            />
          </>
        )}
      </Group>
      <Group title={messages.sound}>
        <VoiceFields bench={bench} gain={gain} />
        <Select
          label={messages.loudness}
          value={loudness}
          isDisabled={!mayWrite}
          options={levels.map((value) => ({
            value,
            label: messages.level[value]!.label,
            detail: messages.level[value]!.detail,
          }))}
          onChange={(value) =>
            change(messages.did.loudness, setSound({ loudness: value === 'null' ? null : Number(value) }))
          }
          hint={messages.loudnessHint}
        />
      </Group>
      <MusicGroup bench={bench} songs={songs} {...pieces} />
    </>
  )
}

type PlacedProps = { timeline: Timeline; layers: Layers; spanHere: () => Span | null }

const MusicGroup = ({ bench, songs, ...pieces }: { bench: Workbench; songs: readonly Asset[] } & PlacedProps) => {
  const { recipe, change, mayWrite } = bench
  const { music } = recipe.sound
  const song = songs.find(({ assetId }) => assetId === music?.assetId)
  const beat = useBeat(bench, song)
  return (
    <Group title={messages.music} id={musicGroup}>
      {songs.length === 0 && !music ? (
        <p className="text-muted">{messages.noSongs}</p>
      ) : (
        <Select
          label={messages.music}
          hideLabel
          value={music?.assetId ?? 'none'}
          isDisabled={!mayWrite}
          options={[
            { value: 'none', label: messages.noMusic },
            ...songs.map(({ assetId, fileName }) => ({ value: assetId, label: fileName })),
            ...(music && !song ? [{ value: music.assetId, label: messages.musicGone }] : []),
          ]}
          onChange={(value) => change(messages.did.music, chooseMusic(value === 'none' ? null : value))}
        />
      )}
      {music &&
        (['gain', 'duck', 'fadeInMs', 'fadeOutMs', 'fromMs'] as const).map((key) => (
          <Range
            key={key}
            label={musicLabels[key]}
            value={music[key] ?? 0}
            min={musicRange[key][0]}
            max={key === 'fromMs' && song?.duration ? Math.floor(song.duration) * 1000 : musicRange[key][1]}
            step={key.endsWith('Ms') ? 100 : 1}
            isDisabled={!mayWrite}
            say={key.endsWith('Ms') ? messages.seconds : messages.decibels}
            onChange={(value) => change(messages.did.musicLevel, setMusic({ [key]: value }), `music ${key}`)}
          />
        ))}
      {music && (
        <Switch
          isSelected={!music.once}
          isDisabled={!mayWrite}
          onChange={(again) => change(again ? soundWords.did.again : soundWords.did.once, setMusicOnce(!again))}
          hint={soundWords.onceHint}
        >
          {soundWords.once}
        </Switch>
      )}
      {music && (
        <Switch
          isSelected={music.beat !== undefined}
          isDisabled={!mayWrite || (!music.beat && !beat.found)}
          onChange={beat.set}
          hint={beat.found === null && !music.beat ? soundWords.noBeat : soundWords.onBeatHint}
        >
          {soundWords.onBeat}
        </Switch>
      )}
      <Pieces bench={bench} songs={songs} {...pieces} />
    </Group>
  )
}

/** The pieces of music that have places of their own; of the one in hand, how it is heard. */
const Pieces = ({
  bench,
  songs,
  timeline,
  layers,
  spanHere,
}: { bench: Workbench; songs: readonly Asset[] } & PlacedProps) => {
  const { recipe, change, mayWrite } = bench
  const all = musicLayersOf(recipe)
  if (songs.length === 0 && all.length === 0) return null
  const add = ({ assetId, fileName }: Asset) => {
    const span = spanHere()
    if (span) layers.add(effectWords.did.piece(fileName), addMusicPiece(assetId, span))
  }
  return (
    <>
      <h4 className="text-sm font-medium">{effectWords.pieces}</h4>
      {all.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {all.map((layer) => (
            <LayerRow key={layer.id} {...{ bench, timeline, layers, layer }}>
              {layers.layer?.id === layer.id && (
                <div className="mt-2 grid gap-3">
                  {(['gain', 'duck', 'fadeInMs', 'fadeOutMs', 'fromMs'] as const).map((key) => (
                    <Range
                      key={key}
                      label={key === 'fadeInMs' || key === 'fadeOutMs' ? pieceLabels[key] : musicLabels[key]}
                      value={layer[key]}
                      min={musicRange[key][0]}
                      max={musicRange[key][1]}
                      step={key.endsWith('Ms') ? 100 : 1}
                      isDisabled={!mayWrite}
                      say={key.endsWith('Ms') ? messages.seconds : messages.decibels}
                      onChange={(value) =>
                        change(
                          effectWords.did.pieceSet,
                          setMusicPiece(layer.id, { [key]: value }),
                          `${key} ${layer.id}`,
                        )
                      }
                    />
                  ))}
                </div>
              )}
            </LayerRow>
          ))}
        </ul>
      )}
      {mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          {songs.map((song) => (
            <Button
              key={song.assetId}
              size="small"
              icon={<Music aria-hidden />}
              aria-label={effectWords.addPiece(song.fileName)}
              onPress={() => add(song)}
            >
              {song.fileName}
            </Button>
          ))}
          <p className="basis-full text-[0.8125rem] text-muted">{effectWords.pieceHint}</p>
        </div>
      )}
    </>
  )
}

/** Of the music's settings, for the command that leads to them. */
export const musicGroup = 'bench-music'

const pieceLabels = { fadeInMs: effectWords.fadeIn, fadeOutMs: effectWords.fadeOut } as const

const musicLabels = {
  gain: messages.musicGain,
  duck: messages.musicDuck,
  fadeInMs: soundWords.fadeIn,
  fadeOutMs: messages.musicFade,
  fromMs: soundWords.begins,
} as const

const levels = ['-14', '-16', '-23', 'null']
