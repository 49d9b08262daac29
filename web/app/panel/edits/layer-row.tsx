import { useEffect, useRef, type ReactNode } from 'react'
import { Trash2 } from 'lucide-react'
import { switchLayer } from '@clear-to-post/edit/commands/layers'
import type { Layer } from '@clear-to-post/edit/recipe'
import { windowsOf, type Timeline } from '@clear-to-post/edit/timeline'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { clock } from '../../ui/player-time.ts'
import { Switch } from '../../ui/switch.tsx'
import { messages } from './messages.ts'
import { atFrame } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'

type RowProps = {
  bench: Workbench
  timeline: Timeline
  layers: Layers
  layer: Layer
  /** Notes on it, and its settings while it is in hand. */
  children?: ReactNode
}

/** A layer in its list: its switch, where it is first seen, and how to be rid of it. */
export const LayerRow = ({ bench, timeline, layers, layer, children }: RowProps) => {
  const { change, mayWrite } = bench
  const isChosen = layers.layer?.id === layer.id
  const title = layers.titleOf(layer)
  const [first] = layer.span ? windowsOf(timeline, layer.span) : []
  const at = layer.span ? first && clock(atFrame(first.from, timeline.fps)) : messages.allTheTime
  // What is taken in hand on a track may have its settings further down; a phone keeps its video in sight instead.
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen && matchMedia('(width >= 64rem)').matches) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={row} className="py-2.5">
      <div className="flex items-start gap-2">
        <Switch
          isSelected={layer.on}
          isDisabled={!mayWrite}
          onChange={(on) =>
            change((on ? messages.did.layerOn : messages.did.layerOff)(layer.kind), switchLayer(layer.id, on))
          }
          className="min-w-0 flex-1"
        >
          {title}
        </Switch>
        {at === undefined ? (
          <span className="py-1.5 text-[0.8125rem] text-muted">{messages.notInVideo}</span>
        ) : (
          <button
            type="button"
            aria-pressed={isChosen}
            className={cx(
              'touch figures rounded-md px-2 py-1 text-[0.8125rem] text-primary-text hover:bg-sunken',
              layer.span && 'font-mono',
              isChosen && 'bg-primary-tint',
            )}
            aria-label={messages.chooseLayer(title, at)}
            onClick={() => layers.choose(layer.id)}
          >
            {at}
          </button>
        )}
        {mayWrite && (
          <IconButton label={messages.removeNamed(title)} onPress={() => layers.remove(layer.id)}>
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
      {children}
    </li>
  )
}
