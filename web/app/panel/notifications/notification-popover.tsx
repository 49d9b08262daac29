import { Bell } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import { NoticeList, NoticesLoading } from './notice-list.tsx'
import { useInbox } from './use-inbox.ts'
import { useUnread } from './use-notices.ts'

/** What the bell opens: the newest notices, and the way to all of them. */
export const NotificationPopover = ({ onClose }: { onClose: () => void }) => {
  const inbox = useInbox()
  const { count } = useUnread()
  const { items } = inbox
  return (
    <>
      <header className="flex min-h-12 items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-4">
        <h2 className="text-base">{messages.title}</h2>
        {count !== null && (
          <Button variant="quiet" size="small" onPress={inbox.readAll}>
            {messages.readAll}
          </Button>
        )}
      </header>
      <div className="min-h-0 overflow-y-auto">
        {items === undefined ? (
          inbox.error ? (
            <div role="alert" className="grid justify-items-center gap-3 p-6 text-center text-muted">
              {messages.failed}
              <Button size="small" onPress={inbox.retry}>
                {messages.retry}
              </Button>
            </div>
          ) : (
            <NoticesLoading />
          )
        ) : items.length === 0 ? (
          <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
            <Bell aria-hidden className="mb-2 size-6 text-muted" />
            <p className="font-medium">{messages.empty}</p>
            <p className="text-muted">{messages.emptyText}</p>
          </div>
        ) : (
          <NoticeList
            items={items}
            onOpen={(item, press) => {
              inbox.open(item, press)
              if (press.defaultPrevented) onClose()
            }}
          />
        )}
      </div>
      <footer className="border-t border-line p-2">
        <LinkButton to={paths.notifications} variant="quiet" size="small" className="w-full" onClick={onClose}>
          {messages.all}
        </LinkButton>
      </footer>
    </>
  )
}
