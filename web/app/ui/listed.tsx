import { Fragment, type ReactNode } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { MoreButton } from './more-button.tsx'
import { Awaiting, Skeleton } from './states.tsx'
import { rowLink } from './table-look.ts'

/** A list on its way: `items` undefined until there is an answer. `usePages` gives all of it, `listOf` makes it of a query. */
export type List<Item> = {
  items: readonly Item[] | undefined
  error: unknown
  refetch: () => unknown
  isPlaceholderData?: boolean
} & (
  | { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  | { hasNextPage?: never }
)

/** What of a query’s answer is the list. */
export const listOf = <Data, Item>(
  answer: { data: Data | undefined; error: unknown; refetch: () => unknown },
  items: (data: Data) => readonly Item[],
): List<Item> => ({
  items: answer.data === undefined ? undefined : items(answer.data),
  error: answer.error,
  refetch: answer.refetch,
})

/**
 * A list in each of its states: on its way, failed, empty, or its rows and a button for more of them. The parts lie beside
 * each other, so that whoever places them decides on the distance.
 */
export const Listed = <Item,>({
  list,
  failed,
  isSmall,
  loading,
  empty,
  children,
}: {
  list: List<Item>
  /** The title when it failed. */
  failed: string
  /** Within a card or a menu: a failure is a line. */
  isSmall?: boolean
  /** Skeletons in the shape of what comes. */
  loading: ReactNode
  /** What stands there when there is nothing. */
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) => {
  const { items } = list
  if (items === undefined)
    return (
      <Awaiting answer={list} failed={failed} isSmall={isSmall}>
        {loading}
      </Awaiting>
    )
  return (
    <>
      {items.length === 0 ? empty : children(items)}
      {list.hasNextPage !== undefined && <MoreButton list={list} />}
    </>
  )
}

/** What a row of a list consists of, each part a function of the thing. The whole row leads to it. */
export type RowParts<Item> = {
  link: (item: Item) => Pick<LinkProps, 'to' | 'params'>
  picture?: (item: Item) => ReactNode
  name: (item: Item) => string
  /** Stands beside the name. */
  badge?: (item: Item) => ReactNode
  /** Stands below the name. */
  text: (item: Item) => ReactNode
  /** Stands beside both, on phones below. */
  facts: (item: Item) => ReactNode
  /** Pressed by itself. */
  menu: (item: Item) => ReactNode
}

/** Things in a frame, a row each. */
export const RowList = <Item extends { id: string }>({
  label,
  items,
  row: { link, picture, name, badge, text, facts, menu },
}: {
  label: string
  items: readonly Item[]
  row: RowParts<Item>
}) => (
  <ul aria-label={label} className={rowFrame}>
    {items.map((item) => (
      <li
        key={item.id}
        className="relative flex items-center gap-x-3.5 px-3 py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken/60 md:px-4"
      >
        {picture?.(item)}
        <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5 md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_auto] md:items-center">
          <div className="grid min-w-0 gap-1">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <Link {...link(item)} className={`font-medium ${rowLink} focus-visible:after:rounded-md`}>
                {name(item)}
              </Link>
              {badge?.(item)}
            </p>
            <p className="text-[0.8125rem] [overflow-wrap:anywhere] text-muted">{text(item)}</p>
          </div>
          <div className="figures min-w-0 text-[0.8125rem] max-md:col-start-1">{facts(item)}</div>
          <span className="relative z-[1] max-md:col-start-2 max-md:row-start-1">{menu(item)}</span>
        </div>
      </li>
    ))}
  </ul>
)

/** Skeletons of as many rows, with or without a picture. */
export const RowsLoading = ({ count, hasPicture = false }: { count: number; hasPicture?: boolean }) => (
  <LinesLoading count={count}>
    {hasPicture && <Skeleton className="size-10 rounded-lg" />}
    <div className="grid gap-2 py-1">
      <Skeleton className="h-4 w-48" />
      <Skeleton className="h-3.5 w-32" />
    </div>
    <Skeleton className="ml-auto h-4 w-32 max-md:hidden" />
  </LinesLoading>
)

/** Skeletons of as many lines of a table that begins with a person. */
export const PeopleLoading = ({ count }: { count: number }) => (
  <LinesLoading count={count}>
    <Skeleton className="size-8 rounded-full" />
    <Skeleton className="h-4 w-40" />
    <Skeleton className="h-4 w-52 max-md:hidden" />
    <Skeleton className="ml-auto h-4 w-20" />
  </LinesLoading>
)

const LinesLoading = ({ count, children }: { count: number; children: ReactNode }) => (
  <div className={rowFrame}>
    {Array.from({ length: count }, (_, place) => (
      <div key={place} className="flex items-center gap-3.5 px-4 py-3">
        {children}
      </div>
    ))}
  </div>
)

/** Skeletons of cards in their grid, below the heading of their group. */
export const CardsLoading = ({ grid, children }: { grid: string; children: ReactNode }) => (
  <>
    <Skeleton className="mb-3 h-6 w-32" />
    <div className={grid}>
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <Fragment key={card}>{children}</Fragment>
      ))}
    </div>
  </>
)

export const rowFrame = 'divide-y divide-line rounded-card border border-line bg-surface'
