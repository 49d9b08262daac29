import { useState } from 'react'
import { moveSeveral, removeSeveral } from '@clear-to-post/edit/commands/several'
import type { Timeline } from '@clear-to-post/edit/timeline'
import type { Workbench } from './use-bench.ts'
import type { Held, Hold } from './use-held.ts'
import { lineWords } from './words/line.ts'

type Thing = Pick<Held, 'kind' | 'id'>

/** How a thing on a track is named on its element, so that a box can find it. */
export const thingName = ({ kind, id }: Thing): string => `${kind} ${id}`

const thingOf = (name: string): Thing => {
  const at = name.indexOf(' ')
  return { kind: name.slice(0, at) as Thing['kind'], id: name.slice(at + 1) }
}

type Parts = { bench: Workbench; timeline: Timeline; held: Held | null; hold: Hold }

/** Several passages and layers in hand together: by a box, by Shift, or by taps while that is switched on. */
export const useSeveral = ({ bench, timeline, held, hold }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const [isOn, setOn] = useState(false)
  const [named, setNamed] = useState<{ names: ReadonlySet<string>; pieces: number }>({ names: new Set(), pieces: 0 })
  // Passages are named by their place in the order: with another number of them the names are about others.
  const names = new Set(
    [...named.names].filter((name) => {
      const { kind, id } = thingOf(name)
      return kind === 'piece'
        ? named.pieces === timeline.pieces.length && Number(id) < timeline.pieces.length
        : recipe.layers.some((layer) => layer.id === id)
    }),
  )
  const choose = (next: ReadonlySet<string>) => {
    setNamed({ names: next, pieces: timeline.pieces.length })
    if (next.size > 0) hold(null)
  }
  const things = [...names].map(thingOf)
  const layers = things.filter(({ kind }) => kind === 'layer').map(({ id }) => id)
  const pieces = things.filter(({ kind }) => kind === 'piece').map(({ id }) => Number(id))
  return {
    isOn,
    toggle: () => {
      setOn(!isOn)
      if (isOn) choose(new Set())
    },
    names,
    count: names.size,
    /** The passages among them, by their places in the order. */
    pieces,
    /** The layers among them, by their ids. */
    layers,
    /** A thing more, or one less; what was in hand alone is the first of them. */
    add: (thing: Thing) => {
      const next = new Set(
        held && (held.kind === 'piece' || held.kind === 'layer') && names.size === 0 ? [thingName(held)] : names,
      )
      const name = thingName(thing)
      if (!next.delete(name)) next.add(name)
      choose(next)
    },
    box: (found: readonly string[], isMore: boolean) => choose(new Set([...(isMore ? names : []), ...found])),
    all: () =>
      choose(
        new Set([
          ...timeline.pieces.map(({ index }) => thingName({ kind: 'piece', id: String(index) })),
          ...recipe.layers.map(({ id }) => thingName({ kind: 'layer', id })),
        ]),
      ),
    clear: () => choose(new Set()),
    remove: () => {
      if (mayWrite) change(lineWords.did.removed(names.size), removeSeveral({ pieces, layers }))
      choose(new Set())
    },
    /** Passages have their place by what comes before them: of several things the layers move. */
    nudge: (by: number) =>
      change(lineWords.did.moved(layers.length), moveSeveral(layers, by), `nudge ${layers.join(' ')}`),
  }
}

export type SeveralInHand = ReturnType<typeof useSeveral>
