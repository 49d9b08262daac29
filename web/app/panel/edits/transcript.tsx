import { memo, useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { Ban, CornerDownLeft, MessageSquareOff, Scissors, SmilePlus, Undo2 } from 'lucide-react'
import {
  flatten,
  type Passage,
  type RemovalToken,
  type Token,
  type UnsaidToken,
  type WordToken,
} from '@clear-to-post/edit/passages'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { spokenWords, type Timeline } from '@clear-to-post/edit/timeline'
import { cx } from '../../ui/cx.ts'
import { clock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'
import { selectedTokens, stepped, type Selection } from './selection.ts'
import { frameOf, secondsOf, type TimelinePlayer } from './timeline-player.ts'

type TranscriptProps = {
  passages: readonly Passage[]
  recipe: Recipe
  timeline: Timeline
  player: TimelinePlayer
  selection: Selection | null
  onSelect: (selection: Selection | null, how: 'click' | 'extend') => void
  /** A decision's switch. */
  onSwitch: (token: RemovalToken) => void
  /** Enter or a double click. */
  onOpen: (token: Token) => void
  /** A finger taps the other end of a selection. */
  extends: boolean
}

export const idOf = (key: string): string => `word-${key}`

/**
 * What is said, as text that edits the video. One list for a keyboard and a screen reader: arrows go from word to word,
 * with Shift they select. The spoken word and the selection are marked without React, because they change all the time.
 */
export const Transcript = ({
  passages,
  recipe,
  timeline,
  player,
  selection,
  onSelect,
  onSwitch,
  onOpen,
  extends: extending,
}: TranscriptProps) => {
  const root = useRef<HTMLDivElement>(null)
  const flat = useMemo(() => flatten(passages), [passages])
  const dragged = useRef(false)
  const anchor = useRef<string | null>(null)
  useSpokenWord(root, recipe, timeline, player)

  const selected = useMemo(() => selectedTokens(flat, selection), [flat, selection])
  useEffect(() => {
    const marked = selected.map(({ key }) => document.getElementById(idOf(key))).filter((one) => one !== null)
    for (const one of marked) one.setAttribute('aria-selected', 'true')
    const active = selection && document.getElementById(idOf(selection.focus))
    active?.setAttribute('data-active', '')
    return () => {
      for (const one of marked) one.setAttribute('aria-selected', 'false')
      active?.removeAttribute('data-active')
    }
  }, [selected, selection])

  const keyAt = (target: EventTarget): string | null =>
    target instanceof Element ? (target.closest<HTMLElement>('[data-key]')?.dataset['key'] ?? null) : null

  const down = (event: PointerEvent) => {
    dragged.current = false
    anchor.current = event.pointerType === 'mouse' && event.button === 0 && !event.shiftKey ? keyAt(event.target) : null
  }
  const move = (event: PointerEvent) => {
    if (anchor.current === null || event.buttons !== 1) return
    const key = keyAt(event.target)
    if (key === null || (key === anchor.current && !dragged.current)) return
    dragged.current = true
    onSelect({ anchor: anchor.current, focus: key }, 'extend')
  }
  const click = (event: MouseEvent) => {
    if (dragged.current) return
    const key = keyAt(event.target)
    const token = flat.find((one) => one.key === key)
    if (!token) return onSelect(null, 'click')
    if (token.kind === 'removal') return onSwitch(token)
    if ((event.shiftKey || extending) && selection) return onSelect({ ...selection, focus: token.key }, 'extend')
    onSelect({ anchor: token.key, focus: token.key }, 'click')
  }
  const double = (event: MouseEvent) => {
    const token = flat.find((one) => one.key === keyAt(event.target))
    if (token && token.kind !== 'removal') onOpen(token)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const focus = selection?.focus
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: lineStep(focus, 1), ArrowUp: lineStep(focus, -1) }[event.key]
    const to =
      by !== undefined
        ? stepped(flat, focus, by)
        : event.key === 'Home'
          ? flat[0]
          : event.key === 'End'
            ? flat.at(-1)
            : null
    if (to) {
      event.preventDefault()
      onSelect(
        { anchor: event.shiftKey && selection ? selection.anchor : to.key, focus: to.key },
        event.shiftKey ? 'extend' : 'click',
      )
      document.getElementById(idOf(to.key))?.scrollIntoView({ block: 'nearest' })
      return
    }
    if (event.key !== 'Enter') return
    const token = flat.find(({ key }) => key === focus)
    if (!token) return
    event.preventDefault()
    if (token.kind === 'removal') onSwitch(token)
    else onOpen(token)
  }

  return (
    <div
      ref={root}
      role="listbox"
      aria-label={messages.transcript}
      aria-multiselectable
      aria-orientation="horizontal"
      aria-activedescendant={selection ? idOf(selection.focus) : undefined}
      tabIndex={0}
      className="transcript"
      onPointerDown={down}
      onPointerMove={move}
      onClick={click}
      onDoubleClick={double}
      onKeyDown={press}
      onFocus={() => {
        if (!selection && flat[0]) onSelect({ anchor: flat[0].key, focus: flat[0].key }, 'extend')
      }}
    >
      {passages.map((passage) => (
        <PassageText key={passage.key} passage={passage} at={startOf(passage, timeline)} sign={signOf(passage)} />
      ))}
    </div>
  )
}

type PassageProps = { passage: Passage; at: string | null; sign: string }

const PassageText = memo(
  ({ passage, at }: PassageProps) => (
    <div role="group" aria-label={at ?? messages.notInVideo} className="passage">
      <span aria-hidden className="passage-time">
        {at ?? '–'}
      </span>
      <p>
        {passage.tokens.map((token) =>
          token.kind === 'word' ? (
            <WordText key={token.key} token={token} />
          ) : token.kind === 'removal' ? (
            <RemovalChip key={token.key} token={token} />
          ) : (
            <UnsaidText key={token.key} token={token} />
          ),
        )}
      </p>
    </div>
  ),
  (before, after) => before.sign === after.sign && before.at === after.at,
)
PassageText.displayName = 'PassageText'

const WordText = ({ token }: { token: WordToken }) => {
  const { key, word, text, out, offered, missing, isCorrected } = token
  const isUnsure = token.isUnsure || missing.length > 0
  const notes = [
    out && messages.isOut(messages.reason[out.reason]),
    !out && word.mark && messages.mark[word.mark],
    !out && missing.length > 0 && messages.boxes(missing.join('')),
    !out && token.isUnsure && messages.unsure,
    !out && word.estimated && messages.estimated,
    text === '' && messages.notCaptioned,
  ].filter((note) => typeof note === 'string')
  return (
    <>
      {token.break && (
        <span aria-hidden className="word-break" title={messages.breaks[token.break]}>
          <CornerDownLeft />
        </span>
      )}
      <span
        id={idOf(key)}
        data-key={key}
        data-word={word.id}
        role="option"
        aria-selected={false}
        aria-label={[text || word.text, ...notes].join(', ')}
        className="word"
        data-out={out ? true : undefined}
        data-offered={!out && offered ? true : undefined}
        data-unsure={!out && isUnsure ? true : undefined}
        data-estimated={(!out && word.estimated) || undefined}
        data-mark={out ? undefined : word.mark}
        data-silent={text === '' || undefined}
        data-corrected={isCorrected || undefined}
        title={notes.join(' · ') || undefined}
      >
        {text || word.text}
        {text === '' && <MessageSquareOff aria-hidden className="word-sign" />}
        {!out && isUnsure && <sup aria-hidden>?</sup>}
        {token.emoji && <span className="word-emoji">{token.emoji}</span>}
        {token.emoji === '' && <SmilePlus aria-hidden className="word-sign opacity-60" />}
      </span>{' '}
    </>
  )
}

const RemovalChip = ({ token: { key, removal, words } }: { token: RemovalToken }) => {
  const Icon = removal.on ? Undo2 : Scissors
  const length = words === 0 || removal.reason === 'silence' ? ` ${messages.seconds(removal.end - removal.start)}` : ''
  const name = messages.reason[removal.reason] + length
  return (
    <>
      <span
        id={idOf(key)}
        data-key={key}
        role="option"
        aria-selected={false}
        aria-label={removal.on ? messages.chipOut(name) : messages.chipIn(name)}
        title={`${removal.why} ${removal.on ? messages.putBackHint : messages.takeOutHint}`}
        className={cx('chip', removal.on ? 'chip-out' : 'chip-in')}
      >
        <Icon aria-hidden />
        {name}
      </span>{' '}
    </>
  )
}

const UnsaidText = ({ token: { key, unsaid } }: { token: UnsaidToken }) => (
  <>
    <span
      id={idOf(key)}
      data-key={key}
      role="option"
      aria-selected={false}
      aria-label={messages.unsaidOf(unsaid.text)}
      title={messages.unsaidHint}
      className="unsaid"
    >
      <Ban aria-hidden />
      {unsaid.text}
    </span>{' '}
  </>
)

const useSpokenWord = (
  root: { current: HTMLElement | null },
  recipe: Recipe,
  timeline: Timeline,
  player: TimelinePlayer,
) => {
  const spoken = useMemo(
    () => spokenWords(recipe, timeline).map((one) => ({ ...one, keep: timeline.pieces[one.piece]!.keep })),
    [recipe, timeline],
  )
  useEffect(() => {
    let shown: HTMLElement | null = null
    let quietUntil = 0
    // Whoever scrolls by hand reads somewhere else.
    const scrolled = () => (quietUntil = performance.now() + 4000)
    const gestures = ['wheel', 'touchmove'] as const
    for (const gesture of gestures) addEventListener(gesture, scrolled, { passive: true })
    const stop = player.onTime((seconds) => {
      const at = frameOf(seconds, timeline.fps)
      const found = spoken[lastStarted(spoken, at)]
      const next = found && at < found.to + 6 ? document.getElementById(idOf(`${found.keep}.${found.word.id}`)) : null
      if (next === shown) return
      shown?.removeAttribute('data-spoken')
      next?.setAttribute('data-spoken', '')
      shown = next
      if (next && player.state().playing && performance.now() > quietUntil) reveal(root.current, next)
    })
    return () => {
      stop()
      shown?.removeAttribute('data-spoken')
      for (const gesture of gestures) removeEventListener(gesture, scrolled)
    }
  }, [root, spoken, timeline, player])
}

// The text moves before the word reaches the edge, and half a page at once: a text that creeps cannot be read.
const reveal = (root: HTMLElement | null, word: HTMLElement) => {
  const pane = root?.closest<HTMLElement>('[data-scrolls]')
  const isOwn = pane && pane.scrollHeight > pane.clientHeight + 1
  const box = isOwn ? pane.getBoundingClientRect() : null
  if (!box) return
  const at = word.getBoundingClientRect()
  if (at.bottom > box.bottom - 40 || at.top < box.top + 8)
    pane!.scrollBy({ top: at.top - box.top - box.height / 4, behavior: 'smooth' })
}

const lastStarted = (spoken: readonly { from: number }[], at: number): number => {
  let [low, high] = [0, spoken.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (spoken[middle]!.from <= at) low = middle + 1
    else high = middle - 1
  }
  return high
}

// Up and down go by lines as they stand on the screen: how many tokens away is the one above or below.
const lineStep = (from: string | undefined, direction: 1 | -1): number => {
  const start = from ? document.getElementById(idOf(from)) : null
  if (!start) return direction
  const all = [...start.closest('[role="listbox"]')!.querySelectorAll<HTMLElement>('[data-key]')]
  const origin = start.getBoundingClientRect()
  const at = all.indexOf(start)
  let best: { index: number; far: number } | null = null
  let line: number | null = null
  for (let i = at + direction; i >= 0 && i < all.length; i += direction) {
    const box = all[i]!.getBoundingClientRect()
    if (Math.abs(box.top - origin.top) < origin.height / 2) continue
    if (line !== null && Math.abs(box.top - line) > origin.height / 2) break
    line ??= box.top
    const far = Math.abs(box.left - origin.left)
    if (!best || far < best.far) best = { index: i, far }
  }
  return best ? best.index - at : direction
}

const startOf = ({ source, tokens }: Passage, timeline: Timeline): string | null => {
  const first = tokens.find((token) => token.kind === 'word' && !token.out)
  const seconds = first?.kind === 'word' ? secondsOf(timeline, source, first.word.start) : null
  return seconds === null ? null : clock(seconds)
}

// Everything that a passage shows, so that a changed word draws one passage anew and not the whole text.
const signOf = ({ tokens }: Passage): string =>
  tokens
    .map((token) =>
      token.kind === 'word'
        ? [
            token.key,
            token.text,
            token.out?.reason,
            token.offered?.reason,
            token.isUnsure,
            token.missing.length > 0,
            token.word.mark,
            token.word.estimated,
            token.break,
            token.emoji,
          ].join('|')
        : token.kind === 'removal'
          ? [token.key, token.removal.on, token.removal.start, token.removal.end, token.words].join('|')
          : token.key,
    )
    .join('\n')
