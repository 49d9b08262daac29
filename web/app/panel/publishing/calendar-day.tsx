import type { RefObject } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { CalendarClock, GripVertical, SquareArrowOutUpRight } from 'lucide-react'
import { mostTogether } from '@clear-to-post/domain/post-days'
import { paths } from '../../paths.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { cx } from '../../ui/cx.ts'
import { Badge } from '../../ui/status-chip.tsx'
import { dayName, timeOf } from '../days.ts'
import { movingOf, statesOf, type CalendarCard } from './calendar-cards.ts'
import { messages } from './messages.ts'
import { StateBadge } from './posts-card.tsx'

/** What the days of a calendar share: which card is in the air, and what becomes of one that is let go. */
export type DayMoves = {
  held: RefObject<CalendarCard | null>
  onDrop: (card: CalendarCard, day: string) => void
  /** Asks for another time. */
  onMove: (card: CalendarCard) => void
}

/** A day of the calendar. Cards are taken here from other days, by mouse and by keyboard; they keep their time of day. */
export const CalendarDay = ({
  day,
  cards,
  free,
  isToday,
  isGrid,
  moves: { held, onDrop, onMove },
}: {
  day: string
  cards: readonly CalendarCard[]
  /** Slots that nothing fills. */
  free: readonly Date[]
  isToday: boolean
  isGrid: boolean
  moves: DayMoves
}) => {
  const navigate = useNavigate()
  const together = mostTogether(cards.flatMap(({ posts }) => posts))
  const find = (key: unknown) => cards.find((card) => card.key === key)
  const isHere = (card: CalendarCard | null) => card !== null && cards.some(({ key }) => key === card.key)
  const { dragAndDropHooks } = useDragAndDrop<CalendarCard>({
    getItems: (keys) => [...keys].map((key) => ({ [dragType]: String(key), 'text/plain': find(key)?.title ?? '' })),
    acceptedDragTypes: [dragType],
    getAllowedDropOperations: () => ['move'],
    getDropOperation: (target) => (target.type === 'root' && !isHere(held.current) ? 'move' : 'cancel'),
    onDragStart: ({ keys }) => void (held.current = find([...keys][0]) ?? null),
    onDragEnd: () => void (held.current = null),
    onRootDrop: () => held.current && onDrop(held.current, day),
  })
  const open = ({ projectId }: CalendarCard) => void navigate({ to: paths.project, params: { projectId } })
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto] content-start gap-1.5 rounded-control border bg-surface p-2',
        isToday ? 'border-primary' : 'border-line',
        isGrid && 'md:min-h-28',
        isGrid && cards.length + free.length === 0 && 'max-md:hidden',
      )}
    >
      <h3 className={cx('text-[0.8125rem]', isToday ? 'font-bold' : 'text-muted')}>{dayName(day)}</h3>
      {(isGrid || cards.length > 0) && (
        <GridList
          aria-label={dayName(day)}
          items={cards}
          {...(isGrid ? { dragAndDropHooks } : {})}
          keyboardNavigationBehavior="tab"
          onAction={(key) => {
            const card = find(key)
            if (card) open(card)
          }}
          renderEmptyState={() => <span className="sr-only">{messages.nothingOn}</span>}
          className="flex min-h-8 flex-col gap-1.5 rounded-control data-drop-target:bg-primary-tint data-drop-target:outline-2 data-drop-target:outline-primary"
        >
          {(card) => {
            const mayMove = movingOf(card) !== null
            return (
              <GridListItem
                id={card.key}
                textValue={card.title}
                className={cx(
                  'relative grid cursor-pointer grid-cols-[minmax(0,1fr)] gap-1 rounded-control border border-line p-1.5 hover:border-edge data-dragging:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-primary',
                )}
              >
                <CardWords card={card} />
                <ActionMenu
                  label={messages.mayDo(card.title)}
                  className="absolute top-0 right-0 size-8! text-muted max-md:size-11!"
                  actions={[
                    ...(mayMove ? [{ label: messages.move, icon: CalendarClock, onAction: () => onMove(card) }] : []),
                    { label: messages.openVideo, icon: SquareArrowOutUpRight, onAction: () => open(card) },
                  ]}
                />
                {/* The keyboard's and the screen reader's way to pick a card up; a mouse may take it anywhere. */}
                {isGrid && (
                  <Button
                    slot="drag"
                    aria-label={messages.drag(card.title)}
                    className="absolute bottom-1 right-1 grid size-6 place-items-center rounded-md bg-surface text-muted opacity-0 outline-offset-0 data-focus-visible:opacity-100"
                  >
                    <GripVertical aria-hidden className="size-4" />
                  </Button>
                )}
              </GridListItem>
            )
          }}
        </GridList>
      )}
      {free.length > 0 && (
        <ul className="grid gap-1.5">
          {free.map((at) => (
            <li
              key={at.getTime()}
              className="figures rounded-control border border-dashed border-edge px-1.5 py-1 text-[0.8125rem] text-muted"
            >
              {messages.freeSlot(timeOf(at.toISOString()))}
            </li>
          ))}
        </ul>
      )}
      {together > 1 && <p className="text-[0.8125rem] text-danger">{messages.together(together)}</p>}
    </li>
  )
}

const CardWords = ({ card }: { card: CalendarCard }) => (
  <>
    <span className="figures pr-8 text-[0.8125rem] text-muted max-md:pr-11">{timeOf(card.at)}</span>
    <span className="pr-8 leading-snug [overflow-wrap:anywhere] max-md:pr-11">{card.title}</span>
    {card.posts.length === 0 && (
      <span>
        <Badge tone="plain">{messages.download}</Badge>
      </span>
    )}
    {statesOf(card).map(({ state, network, names }) => (
      <span key={names} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
        {names}
        <StateBadge state={state} network={network} />
      </span>
    ))}
  </>
)

const dragType = 'application/x-calendar-card'
