import type { ReactNode } from 'react'
import { MoreButton } from './more-button.tsx'
import { Awaiting, Skeleton } from './states.tsx'

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
  loading,
  empty,
  children,
}: {
  list: List<Item>
  /** The title when it failed. */
  failed: string
  /** Skeletons in the shape of what comes. */
  loading: ReactNode
  /** What stands there when there is nothing. */
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}) => {
  const { items } = list
  if (items === undefined)
    return (
      <Awaiting answer={list} failed={failed}>
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

/** Rows in a frame, pressed anywhere when they hold a `rowLink`; what else is pressed there lies above it. */
export const RowList = <Item extends { id: string }>({
  label,
  items,
  columns,
  children,
}: {
  label: string
  items: readonly Item[]
  /** The grid of a row: its columns and their distances, on phones and wider. */
  columns: string
  children: (item: Item) => ReactNode
}) => (
  <ul aria-label={label} className={rowFrame}>
    {items.map((item) => (
      <li
        key={item.id}
        className={`relative grid px-3 py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken/60 md:items-center md:px-4 ${columns}`}
      >
        {children(item)}
      </li>
    ))}
  </ul>
)

/** Skeleton rows in the same frame; `children` is what stands in each. */
export const RowsLoading = ({ count, row, children }: { count: number; row: string; children: ReactNode }) => (
  <div className={rowFrame}>
    {Array.from({ length: count }, (_, place) => (
      <div key={place} className={`flex items-center px-4 ${row}`}>
        {children}
      </div>
    ))}
  </div>
)

/** Two lines of a skeleton row, as wide as their classes say. */
export const TwoLines = ({ first, second }: { first: string; second: string }) => (
  <div className="grid gap-2">
    <Skeleton className={`h-4 ${first}`} />
    <Skeleton className={`h-3.5 ${second}`} />
  </div>
)

export const rowFrame = 'divide-y divide-line rounded-card border border-line bg-surface'
