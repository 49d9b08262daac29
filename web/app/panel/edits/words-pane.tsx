import { useState, type ReactNode } from 'react'
import {
  ArrowDownFromLine,
  ArrowUpFromLine,
  ChevronDown,
  ChevronUp,
  CircleCheck,
  ClockAlert,
  Film,
  MousePointerClick,
  Repeat2,
  Scissors,
  SpellCheck2,
  TextSelect,
  Undo2,
} from 'lucide-react'
import { switchReason, switchRemoval } from '@clear-to-post/edit/commands/cuts'
import {
  flatten,
  isCorrectable,
  tallyOf,
  type Concern,
  type Passage,
  type Token,
  type WordToken,
} from '@clear-to-post/edit/passages'
import type { Removed } from '@clear-to-post/edit/recipe'
import type { Timeline, Window } from '@clear-to-post/edit/timeline'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { clock } from '../../ui/player-time.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { messages } from './messages.ts'
import { wordsOf, type Selection } from './selection.ts'
import { atFrame, type TimelinePlayer } from './timeline-player.ts'
import { Transcript } from './transcript.tsx'
import type { Tries } from './use-tries.ts'
import type { Workbench } from './use-bench.ts'
import { orderWords } from './words/order.ts'

export type WordsPaneProps = {
  bench: Workbench
  /** Said where the viewer may only look. */
  resting: string
  /** How the words were found, where something was in the way. */
  notes: readonly string[]
  timeline: Timeline
  player: TimelinePlayer
  passages: readonly Passage[]
  concerns: readonly Concern[]
  selection: Selection | null
  selected: readonly Token[]
  range: Window | null
  onSelect: (selection: Selection | null, how: 'click' | 'extend') => void
  onEdit: (token: WordToken) => void
  onCut: () => void
  onCover: () => void
  tries: Tries | null | undefined
  /** Plays the selected words before or after the sentence beside them; undefined while none of them is heard. */
  onMove: ((by: 1 | -1) => void) | undefined
  onAccept: () => void
  onConcern: (direction: 1 | -1) => void
  onWords: () => void
}

/** The transcript with what is done to all of it above, and what is done to the selection below. */
export const WordsPane = (props: WordsPaneProps) => {
  const { bench, timeline, player, passages, concerns, selection, selected, range } = props
  const { recipe, change, mayWrite } = bench
  const [extending, setExtending] = useState(false)
  const words = wordsOf(selected)
  const isOut = words.length > 0 && words.every(({ out }) => out)
  const length = words.reduce((sum, { word }) => sum + word.end - word.start, 0)
  const whole = recipe.sources.reduce((sum, { durationMs }) => sum + durationMs, 0)
  // What is kept of the recordings: a card is no part of them.
  const kept = timeline.frames - timeline.open - timeline.close
  const [only] = words
  const isWordless = recipe.words.length === 0 && recipe.unsaid.length === 0
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2 max-md:gap-y-0 max-md:py-0.5 md:px-5">
        {(['silence', 'filler'] as const).map((reason) => (
          <Bulk key={reason} reason={reason} bench={bench} />
        ))}
        <p className="figures ml-auto text-[0.8125rem] text-muted max-md:order-last @max-[21rem]:hidden">
          {messages.lengths(clock(atFrame(kept, timeline.fps)), clock(whole / 1000))}
        </p>
        <div
          className={cx(
            'flex items-center gap-1 text-[0.8125rem] max-md:order-1 md:basis-full',
            isWordless && 'hidden',
          )}
        >
          <CircleCheck aria-hidden className={cx('size-4', concerns.length > 0 ? 'text-warn' : 'text-good')} />
          <p role="status" className={cx('mr-1 font-medium', concerns.length > 0 ? 'text-warn' : 'text-good')}>
            {messages.concerns(concerns.length)}
          </p>
          <IconButton
            label={messages.previousConcern}
            isDisabled={concerns.length === 0}
            className="size-8!"
            onPress={() => props.onConcern(-1)}
          >
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton
            label={messages.nextConcern}
            isDisabled={concerns.length === 0}
            className="size-8!"
            onPress={() => props.onConcern(1)}
          >
            <ChevronDown aria-hidden />
          </IconButton>
        </div>
      </div>
      <div
        data-scrolls
        className="min-h-0 flex-1 overflow-y-auto px-4 py-4 max-md:pt-2 md:px-5 max-lg:overflow-visible"
      >
        {/* Silences may be out all the same: they are below, to be seen and put back. */}
        {isWordless && (
          <EmptyState
            title={messages.noWordsTitle}
            text={props.notes.length > 0 ? props.notes.join(' ') : messages.noWordsText}
            action={
              mayWrite && (
                <Button variant="primary" onPress={props.onWords}>
                  {messages.giveWordsShort}
                </Button>
              )
            }
            className="mb-4"
          />
        )}
        {!isWordless && <Estimated {...props} />}
        <Transcript
          passages={passages}
          recipe={recipe}
          timeline={timeline}
          player={player}
          selection={selection}
          extends={extending}
          onSelect={(next, how) => {
            setExtending(false)
            props.onSelect(next, how)
          }}
          onSwitch={({ removal }) =>
            change(
              (removal.on ? messages.did.in : messages.did.out)(messages.reason[removal.reason]),
              switchRemoval(removal.id, !removal.on),
            )
          }
          onOpen={(token) => token.kind === 'word' && mayWrite && props.onEdit(token)}
        />
      </div>
      {mayWrite && (
        <div
          data-phone-bar
          className="sticky bottom-0 z-[5] flex min-h-14 items-center gap-1.5 border-t border-line bg-surface px-4 py-2 @max-[26rem]:gap-1 @max-[26rem]:px-3 max-md:bottom-(--bottom-bar) md:px-5"
        >
          <p
            role="status"
            className="figures mr-auto min-w-10 flex-1 text-[0.8125rem] leading-snug text-muted @max-[21rem]:sr-only"
          >
            {range && words.length === 0 ? (
              messages.stretch((atFrame(range.to, timeline.fps) - atFrame(range.from, timeline.fps)) * 1000)
            ) : words.length > 0 ? (
              messages.selected(words.length, length)
            ) : isWordless ? (
              // A finger has no such keys.
              <span className="hidden pointer-fine:inline">{messages.stretchHint}</span>
            ) : (
              // Said, where there is no room to show it.
              <span className={props.tries === undefined ? '' : '@max-[26rem]:sr-only'}>{messages.selectHint}</span>
            )}
          </p>
          <Tool
            name={messages.extend}
            icon={<TextSelect aria-hidden />}
            isDisabled={words.length === 0}
            isOn={extending}
            className="pointer-fine:hidden"
            onPress={() => setExtending(!extending)}
          />
          <Tool
            name={messages.looksRight}
            icon={<CircleCheck aria-hidden />}
            isDisabled={!selected.some(isAskedAbout)}
            onPress={props.onAccept}
          />
          <Tool
            name={messages.correct}
            icon={<SpellCheck2 aria-hidden />}
            isDisabled={!isCorrectable(words)}
            onPress={() => only && props.onEdit(only)}
          />
          <Tool
            name={messages.coverShortName}
            icon={<Film aria-hidden />}
            isDisabled={words.length === 0 || isOut}
            onPress={props.onCover}
          />
          <Tool
            name={orderWords.earlier}
            icon={<ArrowUpFromLine aria-hidden />}
            isQuiet
            isDisabled={!props.onMove}
            className="@max-[26rem]:hidden"
            onPress={() => props.onMove?.(-1)}
          />
          <Tool
            name={orderWords.later}
            icon={<ArrowDownFromLine aria-hidden />}
            isQuiet
            isDisabled={!props.onMove}
            className="@max-[26rem]:hidden"
            onPress={() => props.onMove?.(1)}
          />
          {props.tries !== undefined && (
            <Tool
              name={messages.otherTry}
              hint={
                props.tries
                  ? messages.otherTryOf(props.tries.at + 1, props.tries.of, props.tries.best + 1)
                  : messages.otherTryNone
              }
              icon={<Repeat2 aria-hidden />}
              isDisabled={props.tries === null}
              onPress={() => props.tries?.next()}
            />
          )}
          <Button
            size="small"
            variant="primary"
            icon={isOut ? <Undo2 aria-hidden /> : <Scissors aria-hidden />}
            isDisabled={words.length === 0 && range === null}
            className="min-w-26 @max-[26rem]:min-w-0"
            onPress={props.onCut}
          >
            {isOut ? messages.putBack : messages.cut}
          </Button>
        </div>
      )}
      {!mayWrite && (
        <p className="flex items-center gap-2 border-t border-line px-4 py-3 text-[0.8125rem] text-muted md:px-5">
          <MousePointerClick aria-hidden className="size-4 shrink-0" />
          {props.resting}
        </p>
      )}
    </div>
  )
}

/** Says that captions may come too early or too late, why, and what to do about it; gone when every word was looked at. */
const Estimated = ({ bench, passages, notes, onConcern, onWords }: WordsPaneProps) => {
  const isRoomy = useMedia('(width >= 48rem)')
  const words = flatten(passages).filter((token) => token.kind === 'word' && !token.out && token.word.estimated)
  if (words.length === 0) return null
  const of = bench.recipe.words.length
  return (
    // A small phone has room for the words or for the reasons.
    <details
      open={isRoomy}
      className="group mx-auto mb-4 max-w-[68ch] rounded-control border border-line bg-sunken px-3 py-2 text-[0.8125rem] max-md:mb-1 max-md:py-0 max-md:open:pb-2"
    >
      <summary className="touch flex cursor-pointer items-center gap-2 font-medium">
        <ClockAlert aria-hidden className="size-4 shrink-0 text-warn" />
        {messages.estimatedTitle}
        <ChevronDown aria-hidden className="ml-auto size-4 shrink-0 group-open:rotate-180" />
      </summary>
      <p className="mt-1.5 text-muted">
        {notes.length > 0 ? notes.join(' ') : messages.estimatedWhy(words.length, of)}{' '}
        {bench.mayWrite && messages.estimatedNext}
      </p>
      {bench.mayWrite && (
        <p className="mt-2 flex flex-wrap gap-1.5">
          <Button size="small" onPress={() => onConcern(1)}>
            {messages.estimatedCheck}
          </Button>
          <Button size="small" variant="quiet" onPress={onWords}>
            {messages.estimatedGive}
          </Button>
        </p>
      )}
    </details>
  )
}

const isAskedAbout = (token: Token): boolean =>
  token.kind === 'unsaid' ||
  (token.kind === 'word' && (token.isUnsure || token.word.mark !== undefined || token.word.estimated === true))

type ToolProps = {
  name: string
  /** Said instead of the name. */
  hint?: string
  icon: ReactNode
  isDisabled: boolean
  onPress: () => void
  /** Held down until it is used. */
  isOn?: boolean
  /** Its picture alone says what it is. */
  isQuiet?: boolean
  className?: string
}

// Words where there is room for them, else the picture alone.
const Tool = ({ name, hint = name, icon, isDisabled, onPress, isOn, isQuiet = false, className }: ToolProps) => (
  <Button
    size="small"
    icon={icon}
    aria-label={hint}
    {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
    variant={isOn ? 'primary' : 'secondary'}
    isDisabled={isDisabled}
    onPress={onPress}
    className={cx(isQuiet ? 'px-2!' : '@max-[40rem]:px-2!', className)}
  >
    {!isQuiet && <span className="@max-[40rem]:hidden">{name}</span>}
  </Button>
)

const Bulk = ({ reason, bench }: { reason: 'silence' | 'filler'; bench: Workbench }) => {
  const { all, on, ms } = tallyOf(bench.recipe, reason satisfies Removed['reason'])
  const name = reason === 'silence' ? messages.silences : messages.fillers
  if (all === 0) return null
  return (
    <Switch
      isSelected={all > 0 && on === all}
      isDisabled={!bench.mayWrite}
      onChange={() => bench.change(messages.did.all(name, on < all), switchReason(reason, on < all))}
      aria-label={messages.allOf(name, on, all)}
      className="items-center! gap-2! text-[0.8125rem]"
    >
      <span className="figures">
        {name} {on}/{all} <span className="text-muted @max-[22rem]:hidden">{messages.saves(ms)}</span>
      </span>
    </Switch>
  )
}
