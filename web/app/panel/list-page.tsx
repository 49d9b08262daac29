import type { ReactNode } from 'react'
import { SearchX } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Listed, type List } from '../ui/listed.tsx'
import { EmptyState } from '../ui/states.tsx'
import { PageHead } from './page-head.tsx'

/**
 * A page that is a list: its head, what narrows the list, the list in each of its states, what stands at its foot. Rooms
 * bring a query, the words and the rows.
 */
export const ListPage = <Item,>({
  title,
  beside,
  create,
  actions,
  filter,
  list,
  failed,
  loading,
  empty,
  foot,
  className = 'mx-auto gap-4 py-4',
  children,
}: {
  title: string
  /** Stands beside the title. */
  beside?: ReactNode
  /** The button that makes a new one. Where there is none yet it stands in the middle of the page, not in its head. */
  create?: ReactNode
  /** More in the head. */
  actions?: ReactNode
  /** What narrows the list. */
  filter?: {
    fields: ReactNode
    /** It does now. */
    isOn: boolean
    /** What stands there when nothing fits: `NothingFits`. */
    none: ReactNode
    /** Offers no filter over nothing. */
    needsRows?: boolean
  }
  list: List<Item>
  failed: string
  loading: ReactNode
  /** What stands there when there is nothing at all. */
  empty: ReactNode
  foot?: ReactNode
  /** The body’s place and the distances between its parts. */
  className?: string
  children: (items: readonly Item[]) => ReactNode
}) => {
  const isEmpty = list.items?.length === 0 && !filter?.isOn
  return (
    <>
      <PageHead title={title} beside={beside} actions={(!isEmpty && create) || actions} />
      <div className={cx('grid max-w-7xl grid-cols-[minmax(0,1fr)] px-4 md:px-6', className)}>
        {!(filter?.needsRows && isEmpty) && filter?.fields}
        <Listed list={list} failed={failed} loading={loading} empty={filter?.isOn ? filter.none : empty}>
          {children}
        </Listed>
        {foot}
      </div>
    </>
  )
}

/** What was looked for is not there, and the way back to all of it. */
export const NothingFits = ({
  title,
  text,
  clear,
  onClear,
}: {
  title: string
  text: string
  /** The words of the button that leads back. */
  clear: string
  onClear: () => void
}) => (
  <EmptyState
    icon={<SearchX aria-hidden />}
    title={title}
    text={text}
    action={<Button onPress={onClear}>{clear}</Button>}
  />
)
