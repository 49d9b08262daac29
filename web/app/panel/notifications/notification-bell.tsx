import { useState } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Popover } from 'react-aria-components/Popover'
import { useRouter } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { projectPath } from '../../paths.ts'
import { agoWords, fullWords } from '../../times.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { floating } from '../../ui/menu.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { useNotifications, type Notice } from './use-notifications.ts'

/** The bell and its list: what the service told this person, newest first. */
export const NotificationBell = () => {
  const { items, unread, ...list } = useNotifications()
  const [isOpen, setOpen] = useState(false)
  const router = useRouter()
  const follow = (item: Notice) => {
    list.read(item)
    const address = addressOf(item)
    if (address === null) return
    setOpen(false)
    if (address.startsWith('/')) router.history.push(address)
    else window.open(address, '_blank', 'noopener')
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <IconButton label={messages.bell(unread)} className="relative">
        <Bell aria-hidden />
        {unread !== null && (
          <span
            aria-hidden
            className="figures absolute top-0.5 right-0.5 min-w-4 rounded-full bg-primary px-1 text-center text-[0.625rem] leading-4 font-semibold text-on-primary"
          >
            {unread}
          </span>
        )}
      </IconButton>
      <Popover placement="bottom start" className={cx(floating, 'w-88')}>
        <Dialog className="flex max-h-[min(32rem,80dvh)] flex-col outline-none">
          <header className="flex min-h-12 items-center justify-between border-b border-line py-1.5 pr-2 pl-4">
            <Heading slot="title" className="text-base">
              {messages.title}
            </Heading>
            {items !== undefined && items.length > 0 && (
              <Button variant="quiet" size="small" onPress={list.clear}>
                {messages.clear}
              </Button>
            )}
          </header>
          {items === undefined ? (
            list.isFailed ? (
              <div role="alert" className="grid justify-items-center gap-3 p-6 text-center text-muted">
                {messages.failed}
                <Button size="small" onPress={list.retry}>
                  {messages.retry}
                </Button>
              </div>
            ) : (
              <Loading className="grid gap-4 p-4">
                {[0, 1, 2].map((row) => (
                  <div key={row} className="mb-4 grid gap-2">
                    <Skeleton className="h-4 w-2/5" />
                    <Skeleton className="h-3.5 w-4/5" />
                  </div>
                ))}
              </Loading>
            )
          ) : items.length === 0 ? (
            <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
              <Bell aria-hidden className="mb-2 size-6 text-muted" />
              <p className="font-medium">{messages.empty}</p>
              <p className="text-muted">{messages.emptyText}</p>
            </div>
          ) : (
            <ul className="divide-y divide-line overflow-y-auto">
              {items.map((item) => (
                <li key={item.id}>
                  <button
                    type="button"
                    onClick={() => follow(item)}
                    className="flex w-full gap-3 px-4 py-3 text-left -outline-offset-2 hover:bg-sunken"
                  >
                    <span
                      className={cx(
                        'mt-1.5 size-2 shrink-0 rounded-full',
                        item.openedAt === undefined ? 'bg-primary' : 'bg-transparent',
                      )}
                    >
                      {item.openedAt === undefined && <span className="sr-only">{messages.unread}</span>}
                    </span>
                    <span className="min-w-0 flex-1">
                      <span className="flex items-baseline justify-between gap-3">
                        <span className={cx(item.openedAt === undefined && 'font-semibold')}>{item.title}</span>
                        <time
                          dateTime={item.deliveredAt}
                          title={fullWords(item.deliveredAt)}
                          className="shrink-0 text-xs text-muted"
                        >
                          {agoWords(item.deliveredAt)}
                        </time>
                      </span>
                      <span className="block text-[0.8125rem] break-words text-muted">{item.body}</span>
                    </span>
                  </button>
                </li>
              ))}
              {list.hasOlder && (
                <li className="p-2">
                  <Button
                    variant="quiet"
                    size="small"
                    className="w-full"
                    onPress={list.showOlder}
                    isPending={list.isLoadingOlder}
                  >
                    {messages.older}
                  </Button>
                </li>
              )}
            </ul>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

const addressOf = ({ cta, metadata }: Notice): string | null =>
  cta?.url ?? (typeof metadata['projectId'] === 'string' ? projectPath(metadata['projectId']) : null)
