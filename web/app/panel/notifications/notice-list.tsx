import type { MouseEvent } from 'react'
import { ArrowRight } from 'lucide-react'
import { agoWords, fullWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { addressOf } from './use-inbox.ts'
import type { Notice } from './use-notices.ts'

/** Notices in a column; each is one link to what it is about. */
export const NoticeList = ({
  items,
  onOpen,
}: {
  items: readonly Notice[]
  onOpen: (item: Notice, press: MouseEvent) => void
}) => (
  <ul className="divide-y divide-line">
    {items.map((item) => (
      <li key={item.id}>
        <Row item={item} onOpen={(press) => onOpen(item, press)} />
      </li>
    ))}
  </ul>
)

const Row = ({ item, onOpen }: { item: Notice; onOpen: (press: MouseEvent) => void }) => {
  const isUnread = item.openedAt === undefined
  const address = addressOf(item)
  const look = 'flex w-full gap-3 px-4 py-3 text-left -outline-offset-2 hover:bg-sunken'
  const content = (
    <>
      <span className={cx('mt-1.5 size-2 shrink-0 rounded-full', isUnread ? 'bg-primary' : 'bg-transparent')}>
        {isUnread && <span className="sr-only">{messages.unread}</span>}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className={cx('min-w-0 [overflow-wrap:anywhere]', isUnread && 'font-semibold')}>{item.title}</span>
          <time dateTime={item.deliveredAt} title={fullWords(item.deliveredAt)} className="shrink-0 text-xs text-muted">
            {agoWords(item.deliveredAt)}
          </time>
        </span>
        <span className="block text-[0.8125rem] [overflow-wrap:anywhere] whitespace-pre-line text-muted">
          {item.body}
        </span>
        {item.cta && item.metadata['projectId'] === undefined && (
          <span className="mt-1 flex items-center gap-1 text-[0.8125rem] font-medium text-primary">
            {item.cta.label}
            <ArrowRight aria-hidden className="size-3.5" />
          </span>
        )}
        {item.error !== undefined && <span className="block text-[0.8125rem] text-danger">{item.error}</span>}
      </span>
    </>
  )
  if (address === null)
    return (
      <button type="button" onClick={onOpen} className={look}>
        {content}
      </button>
    )
  return (
    <a
      href={address}
      {...(address.startsWith('/') ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
      onClick={onOpen}
      onAuxClick={(press) => press.button === 1 && onOpen(press)}
      className={look}
    >
      {content}
    </a>
  )
}

export const NoticeSkeletons = () => (
  <div className="grid gap-4 p-4">
    {[0, 1, 2].map((row) => (
      <div key={row} className="grid gap-2">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-3.5 w-4/5" />
      </div>
    ))}
  </div>
)
