import { acceptFocus, putPerson } from '@clear-to-post/edit/commands/picture'
import { personUnsure } from '@clear-to-post/edit/finish-check'
import type { Point } from '@clear-to-post/edit/framing'
import { shownAt } from '@clear-to-post/edit/timeline'
import { atFrame, frameOf } from './timeline-player.ts'
import type { Workbench } from './use-bench.ts'
import type { Held, Hold } from './use-held.ts'
import type { PreviewParts } from './use-preview.ts'
import { pictureWords } from './words/picture.ts'

type Parts = { bench: Workbench; preview: PreviewParts; held: Held | null; hold: Hold }

/** Where the person of a recording is: asked where no rule is sure, answered once for all of its passages. */
export const usePerson = ({ bench, preview, held, hold }: Parts) => {
  const { recipe, change, mayWrite } = bench
  const { timeline, player } = preview
  const unsure = personUnsure(recipe, timeline)
  const source = held?.kind === 'person' && mayWrite ? recipe.sources.find(({ id }) => id === held.id) : undefined
  const own = recipe.focus?.findLast((one) => one.source === source?.id && one.on && one.by === 'person')
  const found = recipe.focus?.findLast((one) => one.source === source?.id && one.on)
  const at: Point = (own ?? found)?.at ?? recipe.frame.focus
  return {
    /** The recording whose whole picture is shown, to be pointed at. */
    source,
    at,
    /** In how many places nobody is sure; asked of who may answer. */
    unsure: mayWrite ? unsure.length : 0,
    /** Shows the first unsure place, else what is seen now, as the whole picture. */
    ask: () => {
      if (!mayWrite) return
      player.pause()
      const [first] = unsure
      if (first) player.seek(atFrame(first.frame, timeline.fps) + 0.5 / (timeline.fps.num / timeline.fps.den))
      const here = shownAt(timeline, frameOf(player.time(), timeline.fps))[0]?.piece
      const id = (first ?? here ?? timeline.pieces[0])?.source
      if (id !== undefined) hold({ kind: 'person', id, edge: null })
    },
    put: (place: Point, merge?: string) =>
      source && change(pictureWords.person.did.put, putPerson(source.id, place), merge),
    accept: () => change(pictureWords.person.did.right, acceptFocus),
    done: () => hold(null),
  }
}

export type PersonPlace = ReturnType<typeof usePerson>
