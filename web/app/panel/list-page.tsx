import type { ReactNode } from 'react'
import { SearchX, type LucideIcon } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Listed, type List } from '../ui/listed.tsx'
import { EmptyState } from '../ui/states.tsx'
import { PageHead } from './page-head.tsx'

/**
 * A page that is a list: its head, what narrows the list, the list in each of its states, what stands at its foot. A room
 * brings a query, the rows and its words, which carry these names in its `messages`.
 */
export const ListPage = <Item,>({
  words,
  icon: Icon,
  beside,
  create,
  filter,
  selected,
  list,
  loading,
  emptyAction = create,
  empty = (
    <EmptyState icon={<Icon aria-hidden />} title={words.emptyTitle} text={words.emptyText} action={emptyAction} />
  ),
  foot,
  className = 'mx-auto gap-4 py-4',
  children,
}: {
  /** The page’s name, a sentence about the list, and what is said when it did not load or when there is nothing yet. */
  words: { title: string; text?: string; failed: string; emptyTitle: string; emptyText: string }
  /** Over the words of an empty list. */
  icon: LucideIcon
  /** Stands beside the title. */
  beside?: ReactNode
  /** The button that makes a new one. Where there is none yet it stands in the middle of the page, not in its head. */
  create?: ReactNode
  /** What narrows the list; over nothing at all it is not offered. */
  filter?: {
    /** What is said when nothing fits, and on the button that leads back to all of it. */
    words: { noneTitle: string; noneText: string; clear: string }
    fields: ReactNode
    /** It does now. */
    isOn: boolean
    onClear: () => void
  }
  /** Stands over the list while several of it are chosen. */
  selected?: ReactNode
  list: List<Item>
  /** Skeletons in the shape of what comes. */
  loading: ReactNode
  /** The one thing to do about an empty list, where that is not `create`. */
  emptyAction?: ReactNode
  /** Instead of symbol, words and action, where an empty list has more to say. */
  empty?: ReactNode
  foot?: ReactNode
  /** The body’s place and the distances between its parts. */
  className?: string
  children: (items: readonly Item[]) => ReactNode
}) => {
  const isEmpty = list.items?.length === 0 && !filter?.isOn
  return (
    <>
      <PageHead title={words.title} beside={beside} actions={!isEmpty && create} />
      <div className={cx('grid max-w-page grid-cols-[minmax(0,1fr)] px-4 md:px-6', className)}>
        {!isEmpty && words.text !== undefined && <p className="max-w-prose text-muted">{words.text}</p>}
        {!isEmpty && filter?.fields}
        {selected}
        <Listed
          list={list}
          failed={words.failed}
          loading={loading}
          empty={filter?.isOn ? <NothingFits {...filter} /> : empty}
        >
          {children}
        </Listed>
        {/* Its place is known once the list is as long as it is. */}
        <div hidden={list.items === undefined && !list.error} className="contents">
          {foot}
        </div>
      </div>
    </>
  )
}

/** What was looked for is not there, and the way back to all of it. */
export const NothingFits = ({
  words,
  onClear,
}: {
  words: { noneTitle: string; noneText: string; clear: string }
  onClear: () => void
}) => (
  <EmptyState
    icon={<SearchX aria-hidden />}
    title={words.noneTitle}
    text={words.noneText}
    action={<Button onPress={onClear}>{words.clear}</Button>}
  />
)
