import { Film } from 'lucide-react'
import type { Clip } from '@clear-to-post/contract/clips'
import { clipSpeeds, mostPush } from '@clear-to-post/edit/clip-time'
import {
  clipSound,
  focusLayer,
  setClipSound,
  setClipMotion,
  setLayerSpeed,
  slipLayer,
  spareMs,
  stillMs,
  type BRoll,
} from '@clear-to-post/edit/commands/layers'
import { cropLayer } from '@clear-to-post/edit/commands/straighten'
import { mostNear, mostTurn } from '@clear-to-post/edit/framing'
import { clipMotions } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { FocusFields, Group, Range } from './fields.tsx'
import { LayerRow } from './layer-row.tsx'
import { messages } from './messages.ts'
import type { Workbench } from './use-bench.ts'
import { fileOf } from './use-clips.ts'
import { pictureWords } from './words/picture.ts'
import { soundWords } from './words/sound.ts'
import { speedStep, type Layers } from './use-layers.ts'

type GroupProps = {
  bench: Workbench
  timeline: Timeline
  layers: Layers
  clips: ReadonlyMap<string, Clip>
  /** Opens the clips for the selected words; undefined while none are. */
  onCover: (() => void) | undefined
}

/** The B-roll of the edit as a list; of the one in hand, which part of its clip is seen. */
export const LayersGroup = ({ bench, timeline, layers, clips, onCover }: GroupProps) => {
  const { mayWrite } = bench
  return (
    <Group title={messages.bRoll}>
      {layers.all.length === 0 ? (
        <p className="text-muted">{messages.noLayers}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {layers.all.map((layer) => (
            <LayerRow key={layer.id} {...{ bench, timeline, layers, layer }}>
              <Notes bench={bench} timeline={timeline} layer={layer} clip={clips.get(layer.assetId)} />
              {layers.layer?.id === layer.id && clips.has(layer.assetId) && (
                <Settings bench={bench} timeline={timeline} layer={layer} clip={clips.get(layer.assetId)!} />
              )}
            </LayerRow>
          ))}
        </ul>
      )}
      {mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" icon={<Film aria-hidden />} isDisabled={!onCover} onPress={() => onCover?.()}>
            {messages.cover}
          </Button>
          <p className="basis-full text-[0.8125rem] text-muted">
            {messages.coverHint} <span className="pointer-coarse:inline hidden">{messages.coverOnPhone}</span>
          </p>
        </div>
      )}
    </Group>
  )
}

type OfLayer = { bench: Workbench; timeline: Timeline; layer: BRoll }

/** What an editor should know of it: it is gone, taken out of its library, or stands still at its end. */
const Notes = ({ bench, timeline, layer, clip }: OfLayer & { clip: Clip | undefined }) => {
  const still = clip ? stillMs(bench.recipe, layer, fileOf(clip), timeline) : 0
  const note = !clip
    ? messages.clipGoneText
    : still > 0
      ? messages.standsStill(still)
      : clip.isRemoved
        ? messages.clipRemoved
        : null
  return note === null ? null : <p className="mt-1 text-[0.8125rem] text-warn">{note}</p>
}

const Settings = ({ bench, timeline, layer, clip }: OfLayer & { clip: Clip }) => {
  const { recipe, change, mayWrite } = bench
  const file = fileOf(clip)
  const spare = spareMs(recipe, layer, file, timeline)
  const point = (part: Partial<BRoll['focus']>) =>
    change(messages.did.layerFocus, focusLayer(layer.id, part), `layer focus ${layer.id}`)
  return (
    <div className="mt-2 grid gap-3">
      <Select
        label={messages.titleMotion}
        value={layer.motion ?? 'none'}
        isDisabled={!mayWrite}
        options={(['none', ...clipMotions] as const).map((value) => ({ value, label: messages.titleMotions[value] }))}
        onChange={(motion) =>
          change(messages.did.layerMotion, setClipMotion(layer.id, motion === 'none' ? undefined : motion))
        }
      />
      {spare > 0 && (
        <Range
          label={messages.slip}
          value={Math.min(layer.fromMs, spare)}
          min={0}
          max={spare}
          step={50}
          isDisabled={!mayWrite}
          say={messages.seconds}
          onChange={(value) => change(messages.did.layerSlip, slipLayer(layer.id, value, file), `slip ${layer.id}`)}
        />
      )}
      {file.durationMs !== null && (
        <Range
          label={messages.clipSpeed}
          value={layer.speed ?? 1}
          min={clipSpeeds.least}
          max={clipSpeeds.most}
          step={speedStep}
          isDisabled={!mayWrite}
          say={messages.times}
          onChange={(speed) =>
            change(messages.did.layerSpeed(speed), setLayerSpeed(layer.id, speed, file), `speed ${layer.id}`)
          }
        />
      )}
      <Range
        label={pictureWords.straight.near}
        value={layer.near ?? 1}
        min={1}
        max={mostNear}
        step={0.05}
        isDisabled={!mayWrite}
        say={(near) => (near === 1 ? pictureWords.straight.whole : `${near.toFixed(2)}×`)}
        onChange={(near) => change(pictureWords.straight.did.crop, cropLayer(layer.id, { near }), `crop ${layer.id}`)}
      />
      <Range
        label={pictureWords.straight.push}
        value={layer.push ?? 1}
        min={1}
        max={mostPush}
        step={0.05}
        isDisabled={!mayWrite}
        say={(push) => (push === 1 ? pictureWords.straight.stands : `${push.toFixed(2)}×`)}
        onChange={(push) => change(pictureWords.straight.did.push, cropLayer(layer.id, { push }), `push ${layer.id}`)}
      />
      <Range
        label={pictureWords.straight.layerTurn}
        value={layer.turn ?? 0}
        min={-mostTurn}
        max={mostTurn}
        step={0.1}
        isDisabled={!mayWrite}
        say={pictureWords.straight.degrees}
        onChange={(turn) =>
          change(
            pictureWords.straight.did.turn(pictureWords.straight.degrees(turn)),
            cropLayer(layer.id, { turn }),
            `turn ${layer.id}`,
          )
        }
      />
      {file.durationMs !== null && (
        <Switch
          isSelected={layer.sound !== undefined}
          isDisabled={!mayWrite}
          onChange={(on) =>
            change(on ? soundWords.did.clipOn : soundWords.did.clipOff, setClipSound(layer.id, on ? {} : null))
          }
          hint={soundWords.clipHint}
        >
          {soundWords.clip}
        </Switch>
      )}
      {layer.sound &&
        (['gain', 'duck'] as const).map((part) => (
          <Range
            key={part}
            label={soundWords.clipParts[part]}
            value={layer.sound![part]}
            min={clipSound[part][0]}
            max={clipSound[part][1]}
            step={1}
            isDisabled={!mayWrite}
            say={(db) => soundWords.decibels(part === 'duck' ? -db : db)}
            onChange={(db) =>
              change(soundWords.did.clipLevel, setClipSound(layer.id, { [part]: db }), `clip ${part} ${layer.id}`)
            }
          />
        ))}
      <FocusFields value={layer.focus} isDisabled={!mayWrite} onChange={point} />
    </div>
  )
}
