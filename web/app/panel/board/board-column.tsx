import { useRef, useState, type RefObject } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { DropZone } from 'react-aria-components/DropZone'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Ban, Minus } from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { statuses, Status } from '@clear-to-post/domain/workflow'
import { paths } from '../../paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { Loaded } from '../../ui/states.tsx'
import { StatusIcon } from '../../ui/status-chip.tsx'
import { Card, cardLook, CardSkeleton } from './card.tsx'
import { useColumn, type Column, type Filters } from './columns.ts'
import { messages } from './messages.ts'
import { useBoardMoves } from './use-moves.ts'

/** The card in the air; shared by the columns of one board, because a drop target is told only that some project hangs over it. */
export type Dragged = {
  /** As it is in this moment, for what the browser asks. */
  ref: RefObject<Project | null>
  /** As the columns draw it: those that do not take it say so. */
  held: Project | null
  hold: (project: Project | null) => void
}

type ColumnProps = { status: Status; filters: Filters; dragged: Dragged; onFold?: (() => void) | undefined }

/** One status: its cards, more on demand. Cards are taken here from other columns; in the queue they also change places. */
export const BoardColumn = ({ status, filters, dragged, onFold }: ColumnProps) => {
  const column = useColumn(status, filters)
  const moves = useBoardMoves()
  const navigate = useNavigate()
  const items = column.items ?? []
  const find = (key: unknown) => items.find(({ id }) => id === key)
  const isQueue = status === Status.submitted
  const isClosed = dragged.held !== null && !moves.takes(dragged.held, status)

  const { dragAndDropHooks } = useDragAndDrop<Project>({
    getItems: (keys) => [...keys].map((key) => ({ [dragType]: String(key), 'text/plain': find(key)?.title ?? '' })),
    acceptedDragTypes: [dragType],
    getAllowedDropOperations: () => ['move'],
    // Places matter only within the queue, for whom it is theirs to order; every other column is one target.
    getDropOperation: (target) =>
      target.type === 'root'
        ? dragged.ref.current?.status === status
          ? 'cancel'
          : 'move'
        : isQueue && dragged.ref.current?.actions.includes('reorder') && target.dropPosition !== 'on'
          ? 'move'
          : 'cancel',
    onDragStart: ({ keys }) => dragged.hold(find([...keys][0]) ?? null),
    onDragEnd: () => dragged.hold(null),
    onRootDrop: () => dragged.ref.current && moves.drop(dragged.ref.current, status),
    ...(isQueue
      ? {
          onReorder: ({ keys, target }) => {
            const [project, place] = [find([...keys][0]), find(target.key)]
            if (project?.actions.includes('reorder') && place && project !== place && target.dropPosition !== 'on')
              moves.place(project, items, place, target.dropPosition)
          },
        }
      : {}),
    renderDropIndicator: (target) => (
      <DropIndicator
        target={target}
        className="outline-none data-drop-target:my-0.5 data-drop-target:h-0.5 data-drop-target:rounded-full data-drop-target:bg-coral"
      />
    ),
  })

  return (
    <section
      aria-label={messages.column(statuses[status], countOf(column))}
      className="flex h-full min-h-0 min-w-0 flex-col"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 px-1">
        <StatusIcon status={status} />
        <h2 className="truncate font-sans text-sm font-semibold tracking-normal">{statuses[status]}</h2>
        <span className="figures text-muted">{countOf(column)}</span>
        {isClosed && <Ban aria-hidden className="ml-auto size-4 text-danger" />}
        {onFold && (
          <IconButton
            label={messages.collapse(statuses[status])}
            onPress={onFold}
            className="ml-auto size-7! text-muted"
          >
            <Minus aria-hidden />
          </IconButton>
        )}
      </header>
      <Loaded
        answer={{ ...column, data: column.items }}
        failed={messages.columnFailed}
        isSmall
        loading={
          <div className="grid gap-2">
            <CardSkeleton />
            <CardSkeleton />
            <CardSkeleton />
          </div>
        }
      >
        {() => (
          <>
            <GridList
              aria-label={statuses[status]}
              items={items}
              dependencies={[items, moves.busy]}
              dragAndDropHooks={dragAndDropHooks}
              keyboardNavigationBehavior="tab"
              onAction={(id) => void navigate({ to: paths.project, params: { projectId: String(id) } })}
              className={cx(
                'flex min-h-28 flex-1 flex-col gap-2 rounded-card md:-m-1 md:overflow-y-auto md:overscroll-contain md:p-1 md:[scrollbar-width:thin] data-drop-target:outline-2 data-drop-target:-outline-offset-2',
                isClosed ? closedLook : openLook,
              )}
              renderEmptyState={() => (
                <p className="rounded-card border border-dashed border-edge/50 px-3 py-6 text-center text-[0.8125rem] text-muted">
                  {messages.empty}
                </p>
              )}
            >
              {(project) => (
                <GridListItem
                  id={project.id}
                  textValue={project.title}
                  className={cx(
                    cardLook,
                    'cursor-pointer hover:border-edge data-dragging:opacity-40 data-focus-visible:outline-2 data-focus-visible:outline-primary',
                  )}
                >
                  <Card project={project} items={items} />
                </GridListItem>
              )}
            </GridList>
            {column.hasNextPage && (
              <Button
                size="small"
                variant="quiet"
                className="mt-2 w-full text-muted"
                isPending={column.isFetchingNextPage}
                onPress={() => void column.fetchNextPage()}
              >
                {messages.more}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

/** A folded column: opens at a press, and takes cards as it is. */
export const BoardRail = ({
  status,
  filters,
  dragged,
  onOpen,
}: Omit<ColumnProps, 'onFold'> & { onOpen: () => void }) => {
  const column = useColumn(status, filters)
  const moves = useBoardMoves()
  const isClosed = dragged.held !== null && !moves.takes(dragged.held, status)
  return (
    <DropZone
      aria-label={statuses[status]}
      getDropOperation={(types) => (types.has(dragType) && dragged.ref.current?.status !== status ? 'move' : 'cancel')}
      onDrop={() => dragged.ref.current && moves.drop(dragged.ref.current, status)}
      className={cx('h-full rounded-card data-drop-target:outline-2', isClosed ? closedLook : openLook)}
    >
      <AriaButton
        onPress={onOpen}
        className="flex h-full min-h-72 w-full flex-col items-center gap-2.5 rounded-card border border-line bg-surface py-3 hover:border-edge"
      >
        <StatusIcon status={status} />
        {/* Named by what is seen in it, so that who speaks to the screen can say what they read. */}
        <span className="sr-only">{messages.expand}</span>
        <span className="figures text-[0.8125rem] text-muted">{countOf(column)}</span>
        <span className="text-[0.8125rem] text-muted [writing-mode:vertical-rl]">{statuses[status]}</span>
      </AriaButton>
    </DropZone>
  )
}

export const useDragged = (): Dragged => {
  const ref = useRef<Project | null>(null)
  const [held, setHeld] = useState<Project | null>(null)
  const hold = (project: Project | null) => {
    ref.current = project
    setHeld(project)
  }
  return { ref, held, hold }
}

// A card that is let go over a column that does not take it stays where it was, and the reason is said.
const openLook = 'data-drop-target:bg-primary-tint data-drop-target:outline-primary'
const closedLook =
  'opacity-60 data-drop-target:bg-danger-tint data-drop-target:outline-dashed data-drop-target:outline-danger'

const dragType = 'application/x-project'

const countOf = ({ items, hasNextPage }: Column): string =>
  items === undefined ? '' : `${items.length}${hasNextPage ? '+' : ''}`
