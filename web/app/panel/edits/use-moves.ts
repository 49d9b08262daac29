import { toast } from 'sonner'
import { punchInAt, removeMove, setMove, switchMove } from '@clear-to-post/edit/commands/picture'
import { focusOf } from '@clear-to-post/edit/focus'
import { frameAt } from '@clear-to-post/edit/frames'
import { focusOfPart, moveAt, partOfMove, type Point } from '@clear-to-post/edit/on-picture'
import { messages } from './messages.ts'
import { frameOf, secondsOf } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { Held, Hold } from './use-held.ts'
import type { PreviewParts } from './use-preview.ts'
import { pictureWords } from './words/picture.ts'

type Parts = { bench: Workbench; preview: PreviewParts; held: Held | null; hold: Hold }

/** The move that is set on the picture: how near it brings it, and where it is pointed. */
export const useMoves = ({ bench, preview, held, hold }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const { timeline, player } = preview
  const move = held?.kind === 'move' && mayWrite ? recipe.moves.find(({ id }) => id === held.id) : undefined
  // As the render has it: without a point of its own a move comes nearer to the person's head.
  const head = move && focusOf(recipe).at(move.source, frameAt(move.start, recipe.output.fps))?.head
  const focus = move?.focus ?? head ?? recipe.frame.focus
  const set = (part: { scale?: number; focus?: Point }, merge: string) =>
    move && change(pictureWords.did.move, setMove(move.id, part), merge)
  const take = (id: string) => {
    const found = recipe.moves.find((one) => one.id === id)
    const at = found && secondsOf(timeline, found.source, found.start)
    if (!mayWrite || !found) return
    player.pause()
    const now = moveAt(recipe, timeline, frameOf(player.time(), timeline.fps))
    if (now?.id !== id && at !== null && at !== undefined) player.seek(at)
    hold({ kind: 'move', id, edge: null })
  }
  return {
    move,
    focus,
    set,
    take,
    /** The one that is seen here in hand; where none is, a punch-in over the passage. */
    takeHere: () => {
      if (!mayWrite) return
      const frame = frameOf(player.time(), timeline.fps)
      const here = moveAt(recipe, timeline, frame)
      if (here) return take(here.id)
      const next = punchInAt(frame)(recipe)
      const fresh = next.moves.find(({ id }) => !recipe.moves.some((one) => one.id === id))
      if (!fresh) return void toast.info(pictureWords.nothingHere)
      player.pause()
      change(pictureWords.did.punchIn, punchInAt(frame))
      hold({ kind: 'move', id: fresh.id, edge: null })
    },
    /** Draws the part that is seen to a place, with its corner where it is or by so much wider. */
    draw: (from: { scale: number; focus: Point }, by: Point, merge: string) => {
      const part = partOfMove(from.scale, from.focus)
      set({ focus: focusOfPart(from.scale, { x: part.x + by.x, y: part.y + by.y }, from.focus) }, merge)
    },
    size: (from: { scale: number; focus: Point }, wider: number, merge: string) => {
      const part = partOfMove(from.scale, from.focus)
      const scale = 1 / Math.max(0.5, Math.min(1, part.width + wider))
      set({ scale, focus: focusOfPart(scale, part, from.focus) }, merge)
    },
    /** A rule’s move is switched off, a person’s goes. */
    remove: () => {
      if (!move) return
      if (move.by === 'person') change(messages.did.moveGone, removeMove(move.id))
      else change(messages.did.moveOff, switchMove(move.id, false))
      hold(null)
    },
  }
}

export type Moves = ReturnType<typeof useMoves>
