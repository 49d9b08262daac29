import { Image, Stamp } from 'lucide-react'
import { pinnedOf, pinnedSizes, setPinned, type Pinned } from '@clear-to-post/edit/commands/pictures'
import { layerPlaces, titleMotions } from '@clear-to-post/edit/recipe'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Group, Range } from './fields.tsx'
import { LayerRow } from './layer-row.tsx'
import { messages } from './messages.ts'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'

type GroupProps = {
  bench: Workbench
  timeline: Timeline
  layers: Layers
  onPicture: () => void
  onLogo: () => void
}

/** The stills that lie over the video; of the one in hand, where it lies and how large it is. */
export const PicturesGroup = ({ bench, timeline, layers, onPicture, onLogo }: GroupProps) => {
  const { recipe, mayWrite } = bench
  const pinned = pinnedOf(recipe)
  return (
    <Group title={messages.pictures}>
      {pinned.length === 0 ? (
        <p className="text-muted">{messages.noPictures}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {pinned.map((layer) => (
            <LayerRow key={layer.id} {...{ bench, timeline, layers, layer }}>
              {layers.layer?.id === layer.id && <Settings bench={bench} layer={layer} />}
            </LayerRow>
          ))}
        </ul>
      )}
      {mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" icon={<Image aria-hidden />} onPress={onPicture}>
            {messages.addPicture}
          </Button>
          <Button size="small" icon={<Stamp aria-hidden />} isDisabled={recipe.brand.logo === null} onPress={onLogo}>
            {messages.addLogo}
          </Button>
          <p className="basis-full text-[0.8125rem] text-muted">
            {recipe.brand.logo === null && messages.noLogo} {messages.addPictureHint}
          </p>
        </div>
      )}
    </Group>
  )
}

const Settings = ({ bench, layer }: { bench: Workbench; layer: Pinned }) => {
  const { change, mayWrite } = bench
  const places: readonly Pinned['place'][] = layer.kind === 'picture' ? [...layerPlaces, 'full'] : layerPlaces
  return (
    <div className="mt-2 grid gap-3">
      <Select
        label={messages.place}
        value={layer.place}
        isDisabled={!mayWrite}
        options={places.map((value) => ({ value, label: messages.pinnedPlace[value] }))}
        onChange={(place) => change(messages.did.pinnedPlace, setPinned(layer.id, { place }))}
      />
      <Select
        label={messages.titleMotion}
        value={layer.motion ?? 'none'}
        isDisabled={!mayWrite}
        options={(['none', ...titleMotions] as const).map((value) => ({ value, label: messages.titleMotions[value] }))}
        onChange={(motion) =>
          change(messages.did.pinnedMotion, setPinned(layer.id, { motion: motion === 'none' ? undefined : motion }))
        }
      />
      {layer.place !== 'full' && (
        <Range
          label={messages.pinnedSize}
          value={Math.round(layer.size * 100)}
          min={pinnedSizes.least * 100}
          max={pinnedSizes.most * 100}
          step={1}
          isDisabled={!mayWrite}
          say={(value) => messages.percent(value / 100)}
          onChange={(value) =>
            change(messages.did.pinnedSize, setPinned(layer.id, { size: value / 100 }), `size ${layer.id}`)
          }
        />
      )}
    </div>
  )
}
