import { useEffect, useMemo, useRef } from 'react'
import { movePieces } from '@clear-to-post/edit/commands/order'
import {
  pieceReach,
  removePiece,
  rollEdge,
  setPieceEdge,
  slipPiece,
  splitAt,
  trimTo,
  wordAcross,
  type Edge,
} from '@clear-to-post/edit/commands/trims'
import { spokenWords, timelineOf, type Timeline } from '@clear-to-post/edit/timeline'
import { preciseClock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'
import { atFrame, frameOf, type TimelinePlayer } from './timeline-player.ts'
import type { Bar, TrackHand } from './track.tsx'
import type { Workbench } from './use-bench.ts'
import type { Held, Hold } from './use-held.ts'
import { orderWords } from './words/order.ts'

type Holding = { bench: Workbench; timeline: Timeline; player: TimelinePlayer; held: Held | null; hold: Hold }

/** The passages of the video on their track: split, trimmed, rolled and taken out, by hand and by keys. */
export const usePieces = ({ bench, timeline, player, held, hold }: Holding) => {
  const { recipe, change, mayWrite } = bench
  const index = held?.kind === 'piece' ? Number(held.id) : -1
  const piece = timeline.pieces[index]
  const edge = piece ? (held?.edge ?? null) : null

  // A trim is seen when the timeline has it: its last frame, or its first.
  const shown = useRef<{ index: number; edge: Edge } | null>(null)
  const seekTo = (frame: number) => {
    player.pause()
    player.seek(atFrame(frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
  }
  const seek = useRef(seekTo)
  useEffect(() => {
    seek.current = seekTo
  })
  useEffect(() => {
    const one = shown.current
    const found = one && timeline.pieces[one.index]
    shown.current = null
    if (found) seek.current(one.edge === 'from' ? found.at : found.at + found.to - found.from - 1)
  }, [timeline])

  const words = useMemo(() => wordsByPiece(recipe, timeline), [recipe, timeline])
  const titleOf = (at: number) => words.get(at) ?? messages.passage(at + 1)
  const bars = useMemo(
    () =>
      timeline.pieces.map((one, i): Bar => {
        const window = { from: one.at, to: one.at + one.to - one.from - one.fadeOut }
        const time = (frame: number) => preciseClock(atFrame(frame, timeline.fps))
        const end = (which: Edge) => {
          const reach = pieceReach(recipe, timeline, i, which)!
          return { value: one[which], min: reach.from, max: reach.to, text: time(one[which]) }
        }
        const title = words.get(i) ?? messages.passage(i + 1)
        return {
          id: String(i),
          title,
          label: messages.passageAt(i + 1, title, time(window.from), time(window.to)),
          windows: [window],
          // Only what is in hand has ends; the others' need not be known.
          ends: i === index ? { from: end('from'), to: end('to') } : undefined,
        }
      }),
    [recipe, timeline, words, index],
  )

  const choose = (at: number, which: Edge | null = null) => {
    hold({ kind: 'piece', id: String(at), edge: which })
    const found = timeline.pieces[at]
    if (found && which === null) seekTo(found.at)
  }
  const setEnd: TrackHand['setEnd'] = (id, which, value, merge, rolls) => {
    const at = Number(id)
    const found = timeline.pieces[at]
    if (!mayWrite || !found) return
    shown.current = { index: at, edge: which }
    if (rolls) change(messages.did.rolled, rollEdge(at, which, value), merge)
    else change(messages.did.trimmed, setPieceEdge(at, which, value), merge)
  }
  /** The frame under the playhead, and the passage that has it. */
  const here = () => {
    const frame = frameOf(player.time(), timeline.fps)
    return { frame, at: timeline.pieces.findLastIndex((one) => frame >= one.at && frame < one.at + one.to - one.from) }
  }
  const split = () => {
    const { frame, at } = here()
    if (!mayWrite || at < 0) return
    player.pause()
    change(messages.did.split, splitAt(frame))
    const next = splitAt(frame)(recipe)
    if (next !== recipe)
      hold({ kind: 'piece', id: String(timelineOf(next).pieces.findIndex((one) => one.at === frame)), edge: 'from' })
  }
  const trim = (which: Edge) => {
    const { frame, at } = here()
    if (!mayWrite || at < 0) return
    player.pause()
    change(messages.did.trimmed, trimTo(which, frame))
    hold({ kind: 'piece', id: String(at), edge: which })
    shown.current = { index: at, edge: which }
  }
  /** Plays passages before the one at `before`; answers where the first of them is now, null where nothing changed. */
  const place = (first: number, last: number, before: number): number | null => {
    const command = movePieces(first, last, before)
    if (!mayWrite || command(recipe) === recipe) return null
    const at = before > last ? before - (last - first + 1) : before
    player.pause()
    shown.current = { index: at, edge: 'from' }
    change(orderWords.did.passage, command)
    if (piece) hold({ kind: 'piece', id: String(at), edge: null })
    return at
  }
  /** Shows another part of the recording in its place, by frames. */
  const slip = (id: string, by: number, merge: string) => {
    if (!mayWrite) return
    shown.current = { index: Number(id), edge: 'from' }
    change(orderWords.did.slipped, slipPiece(Number(id), by), merge)
  }
  /**
   * Moves the end in hand by frames, or a whole passage past the one beside it: its place is its place in the order. `rolls`: the
   * neighbour gives or takes as much; of a whole passage another part is shown.
   */
  const nudge = (by: number, rolls: boolean) => {
    if (!piece) return
    if (edge === null && rolls) return slip(String(index), by, `slip ${index}`)
    if (edge === null) return void place(index, index, by < 0 ? index - 1 : index + 2)
    setEnd(String(index), edge, piece[edge] + by, `nudge ${index} ${edge}`, rolls)
  }
  const remove = () => {
    if (!mayWrite || !piece) return
    change(messages.did.passageGone, removePiece(index))
    hold(null)
  }
  /** The passage under the playhead in hand, then its ends in turn. */
  const take = () => {
    const { at } = here()
    if (at < 0) return
    const next = index !== at ? null : edge === null ? 'from' : edge === 'from' ? 'to' : null
    hold({ kind: 'piece', id: String(at), edge: next })
  }
  /** To the cut before the playhead, or to the one after it. */
  const toCut = (direction: 1 | -1) => {
    const { frame } = here()
    const cuts = [...timeline.pieces.map(({ at }) => at), timeline.frames - timeline.close]
    const next = direction === 1 ? cuts.find((at) => at > frame) : cuts.findLast((at) => at < frame)
    if (next !== undefined) seekTo(Math.min(next, timeline.frames - 1))
  }
  const across = piece && edge !== null ? wordAcross(recipe, piece.source, piece[edge]) : null
  /** Where a passage is played when it is let go at a frame: at the nearest end of another one. Null where it is already. */
  const placeAt = (id: string, frame: number) => {
    const ends = [...timeline.pieces.map(({ at }) => at), timeline.frames - timeline.close]
    const away = (before: number) => Math.abs(ends[before]! - frame)
    const before = ends.reduce((best, _, i) => (away(i) < away(best) ? i : best), 0)
    return before === Number(id) || before === Number(id) + 1 ? null : { before, frame: ends[before]! }
  }
  const hand: TrackHand = {
    hold: (id, which) => choose(Number(id), which),
    setEnd,
    slip,
    placing: { placeAt, drop: (id, before) => void place(Number(id), Number(id), before) },
  }
  return {
    bars,
    held: piece ? { id: String(index), edge } : null,
    hand,
    split,
    trim,
    nudge,
    place,
    remove,
    take,
    toCut,
    /** The word into which the end in hand cuts. */
    cutWord: across && (recipe.captions.overrides[across.id]?.text || across.text),
    titleOf,
  }
}

export type Pieces = ReturnType<typeof usePieces>

/** The first words of each passage, as far as a bar may show them. */
const wordsByPiece = (recipe: Workbench['recipe'], timeline: Timeline): Map<number, string> => {
  const texts = new Map<number, string[]>()
  for (const { word, piece } of spokenWords(recipe, timeline)) {
    const list = texts.get(piece) ?? []
    texts.set(piece, list)
    if (list.length < 12) list.push(recipe.captions.overrides[word.id]?.text ?? word.text)
  }
  return new Map(
    [...texts].map(([piece, list]) => [piece, list.filter(Boolean).join(' ')] as const).filter(([, text]) => text),
  )
}
