import { useMemo, useState } from 'react'
import { cutStretch, toggleWords } from '@clear-to-post/edit/commands/cuts'
import { acceptUnsaid, acceptWords } from '@clear-to-post/edit/commands/words'
import type { Concern, Token } from '@clear-to-post/edit/passages'
import type { Span } from '@clear-to-post/edit/recipe'
import type { Timeline, Window } from '@clear-to-post/edit/timeline'
import { messages } from './messages.ts'
import { carried, selectedTokens, wordsOf, type Selection } from './selection.ts'
import { frameOf, secondsOf, type TimelinePlayer } from './timeline-player.ts'
import { idOf } from './transcript.tsx'
import type { Workbench } from './use-bench.ts'

type Hold = {
  bench: Workbench
  timeline: Timeline
  player: TimelinePlayer
  flat: readonly Token[]
  concerns: readonly Concern[]
  /** Before a concern is shown: its place may be in another tab. */
  onConcern: () => void
}

/** What the editor has in hand, words of the transcript or a stretch between two marks, and what is done with it. */
export const useTranscriptSelection = ({ bench, timeline, player, flat, concerns, onConcern }: Hold) => {
  const { change, mayWrite } = bench
  const [chosen, setSelection] = useState<Selection | null>(null)
  const selection = useMemo(() => carried(flat, chosen), [flat, chosen])
  const [marks, setMarks] = useState<{ in: number | null; out: number | null }>({ in: null, out: null })
  const selected = useMemo(() => selectedTokens(flat, selection), [flat, selection])
  const words = wordsOf(selected)
  const range: Window | null =
    marks.in !== null && marks.out !== null && marks.out > marks.in ? { from: marks.in, to: marks.out } : null

  const seek = (span: Pick<Span, 'source' | 'start'>) => {
    const seconds = secondsOf(timeline, span.source, span.start)
    if (seconds !== null) player.seek(seconds)
  }
  const select = (next: Selection | null, how: 'click' | 'extend') => {
    setSelection(next)
    const token = flat.find(({ key }) => key === next?.focus)
    if (how === 'click' && token?.kind === 'word') seek(token.word)
  }
  const cut = () => {
    if (!mayWrite) return
    if (words.length > 0) {
      const isOut = words.every(({ out }) => out)
      change(
        (isOut ? messages.did.restored : messages.did.cut)(words.length),
        toggleWords(words.map(({ word }) => word.id)),
      )
    } else if (range) {
      change(messages.did.stretch, cutStretch(range.from, range.to))
      setMarks({ in: null, out: null })
    }
  }
  const goTo = (direction: 1 | -1) => {
    const here = flat.findIndex(({ key }) => key === selection?.focus)
    const placed = concerns.map((concern) => ({ concern, at: flat.findIndex(({ key }) => key === concern.key) }))
    const next =
      direction === 1
        ? (placed.find(({ at }) => at > here) ?? placed[0])
        : (placed.findLast(({ at, concern }) => at + concern.keys.length - 1 < here) ?? placed.at(-1))
    if (!next) return
    const { keys, key } = next.concern
    onConcern()
    setSelection({ anchor: key, focus: keys.at(-1)! })
    const token = flat[next.at]
    player.pause()
    if (token?.kind === 'word') seek(token.word)
    else if (token?.kind === 'unsaid') seek({ source: token.unsaid.source, start: token.unsaid.at })
    // The tab has to be there first.
    reveal(key)
  }
  const reveal = (key: string) =>
    void requestAnimationFrame(() => document.getElementById(idOf(key))?.scrollIntoView({ block: 'center' }))
  /** A token in hand and in sight, where the transcript is. */
  const show = (key: string) => {
    setSelection({ anchor: key, focus: key })
    reveal(key)
  }
  const accept = () => {
    if (!mayWrite || selected.length === 0) return
    const unsaid = selected.flatMap((token) => (token.kind === 'unsaid' ? [token.unsaid.id] : []))
    change(messages.did.accepted, (before) =>
      unsaid.reduce((all, id) => acceptUnsaid(id)(all), acceptWords(words.map(({ word }) => word.id))(before)),
    )
  }
  const mark = (end: 'in' | 'out' | null) => {
    const at = frameOf(player.time(), timeline.fps)
    if (end === null) {
      setMarks({ in: null, out: null })
      setSelection(null)
    } else if (end === 'in') setMarks(({ out }) => ({ in: at, out: out !== null && out > at ? out : null }))
    else setMarks((before) => ({ in: before.in !== null && before.in <= at ? before.in : 0, out: at + 1 }))
    if (end !== null) setSelection(null)
  }
  return { selection, selected, words, range, select, show, reveal, cut, goTo, accept, mark }
}

export type Chosen = ReturnType<typeof useTranscriptSelection>
