import { useEffect, useRef } from 'react'
import {
  addEffect,
  addSticker,
  effectGains,
  effectsOf,
  setEffect,
  setSticker,
  stickersOf,
} from '@clear-to-post/edit/commands/effects'
import type { Command } from '@clear-to-post/edit/commands/command'
import { effectNames, stickerNames, titleMotions, type Span } from '@clear-to-post/edit/recipe'
import { paintSticker, stickerOf, stickerSizes, type StickerName } from '@clear-to-post/edit/stickers'
import type { Timeline } from '@clear-to-post/edit/timeline'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { playEffect } from './effect-sounds.ts'
import { Group, Range } from './fields.tsx'
import { LayerRow } from './layer-row.tsx'
import { messages } from './messages.ts'
import { fitDots, paintInto } from './painted.ts'
import type { Workbench } from './use-bench.ts'
import type { Layers } from './use-layers.ts'
import { effectWords as words } from './words/effects.ts'

type GroupProps = {
  bench: Workbench
  timeline: Timeline
  layers: Layers
  /** The selected words' passage, else a short one from here on; null over a card. */
  spanHere: () => Span | null
}

/** Of the pickers, for the commands that lead to them. */
export const stickerGroup = 'bench-stickers'
export const effectGroup = 'bench-effects'

/** The stickers of the edit as a list; of the one in hand, how large it is and how it is turned; and all there are. */
export const StickersGroup = ({ bench, timeline, layers, spanHere }: GroupProps) => {
  const { recipe, change, mayWrite } = bench
  const all = stickersOf(recipe)
  return (
    <Group title={words.stickers} id={stickerGroup}>
      {all.length === 0 ? (
        <p className="text-muted">{words.noStickers}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {all.map((layer) => (
            <LayerRow key={layer.id} {...{ bench, timeline, layers, layer }}>
              {layers.layer?.id === layer.id && (
                <div className="mt-2 grid gap-3">
                  <Range
                    label={words.size}
                    value={Math.round(layer.size * 100)}
                    min={stickerSizes.least * 100}
                    max={stickerSizes.most * 100}
                    step={1}
                    isDisabled={!mayWrite}
                    say={(value) => `${value}%`}
                    onChange={(value) =>
                      change(words.did.stickerSet, setSticker(layer.id, { size: value / 100 }), `size ${layer.id}`)
                    }
                  />
                  <Range
                    label={words.turn}
                    value={layer.turn ?? 0}
                    min={-180}
                    max={179}
                    step={1}
                    isDisabled={!mayWrite}
                    say={words.degrees}
                    onChange={(turn) =>
                      change(words.did.stickerSet, setSticker(layer.id, { turn }), `turn ${layer.id}`)
                    }
                  />
                  <Select
                    label={messages.titleMotion}
                    value={layer.motion ?? 'none'}
                    isDisabled={!mayWrite}
                    options={(['none', ...titleMotions] as const).map((value) => ({
                      value,
                      label: messages.titleMotions[value],
                    }))}
                    onChange={(motion) =>
                      change(
                        words.did.stickerSet,
                        setSticker(layer.id, { motion: motion === 'none' ? undefined : motion }),
                      )
                    }
                  />
                </div>
              )}
            </LayerRow>
          ))}
        </ul>
      )}
      {mayWrite && (
        <>
          <div className="flex flex-wrap gap-1.5">
            {stickerNames.map((name) => (
              <IconButton
                key={name}
                label={words.addSticker(words.sticker[name])}
                onPress={() =>
                  added(layers, spanHere, words.did.sticker(words.sticker[name]), (span) => addSticker(name, span))
                }
                className="size-13!"
              >
                <Drawn name={name} brand={recipe.brand.primary} />
              </IconButton>
            ))}
          </div>
          <p className="text-[0.8125rem] text-muted">{words.stickerHint}</p>
        </>
      )}
    </Group>
  )
}

/** The sound effects of the edit as a list; of the one in hand, how loud it is; and all there are. */
export const EffectsGroup = ({ bench, timeline, layers, spanHere }: GroupProps) => {
  const { recipe, change, mayWrite } = bench
  const all = effectsOf(recipe)
  return (
    <Group title={words.effects} id={effectGroup}>
      {all.length === 0 ? (
        <p className="text-muted">{words.noEffects}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {all.map((layer) => (
            <LayerRow key={layer.id} {...{ bench, timeline, layers, layer }}>
              {layers.layer?.id === layer.id && (
                <Range
                  label={words.loudness}
                  value={layer.gain}
                  min={effectGains.least}
                  max={effectGains.most}
                  step={1}
                  isDisabled={!mayWrite}
                  say={words.decibels}
                  onChange={(gain) => change(words.did.effectSet, setEffect(layer.id, { gain }), `gain ${layer.id}`)}
                />
              )}
            </LayerRow>
          ))}
        </ul>
      )}
      {mayWrite && (
        <div className="flex flex-wrap items-center gap-2">
          {effectNames.map((name) => (
            <Button
              key={name}
              size="small"
              aria-label={words.addEffect(words.effect[name])}
              onPress={() => {
                playEffect(name)
                added(layers, spanHere, words.did.effect(words.effect[name]), (span) => addEffect(name, span))
              }}
            >
              {words.effect[name]}
            </Button>
          ))}
          <p className="basis-full text-[0.8125rem] text-muted">{words.effectHint}</p>
        </div>
      )}
    </Group>
  )
}

const added = (layers: Layers, spanHere: () => Span | null, did: string, command: (span: Span) => Command) => {
  const span = spanHere()
  if (span) layers.add(did, command(span))
}

/** A sticker as the painter draws it. */
const Drawn = ({ name, brand }: { name: StickerName; brand: string }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    fitDots(element)
    const frame = { width: 120, height: 120 }
    const sticker = stickerOf({ name, at: { x: 0.5, y: 0.5 }, size: 0.76 }, frame, { primary: brand })
    paintInto(element, frame, (context) => paintSticker(context, sticker))
  }, [name, brand])
  return <canvas ref={canvas} aria-hidden className="size-10!" />
}
