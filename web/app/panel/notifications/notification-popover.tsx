import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Bell } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { floating } from '../../ui/floating.ts'
import { Listed } from '../../ui/listed.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { NoticeList, NoticeSkeletons } from './notice-list.tsx'
import { useInbox } from './use-inbox.ts'
import { useUnread } from './use-notices.ts'

/** What the bell opens: the newest notices, and the way to all of them. */
export const NotificationPopover = ({
  button,
  onClose,
}: {
  button: RefObject<HTMLElement | null>
  onClose: () => void
}) => {
  const inbox = useInbox()
  const { count } = useUnread()
  return (
    <Popover
      isOpen
      onOpenChange={onClose}
      triggerRef={button}
      placement="bottom start"
      className={cx(floating, 'w-88')}
    >
      <Dialog aria-label={messages.title} className="flex max-h-[min(32rem,80dvh)] flex-col outline-none">
        <header className="flex min-h-12 items-center justify-between gap-2 border-b border-line py-1.5 pr-2 pl-4">
          <h2 className="text-base">{messages.title}</h2>
          {count !== null && (
            <Button variant="quiet" size="small" onPress={inbox.readAll}>
              {messages.readAll}
            </Button>
          )}
        </header>
        <div className="min-h-0 overflow-y-auto">
          <Listed
            list={inbox.list}
            failed={messages.failed}
            isSmall
            loading={<NoticeSkeletons />}
            empty={<EmptyState isSmall icon={<Bell aria-hidden />} title={messages.empty} text={messages.emptyText} />}
          >
            {(items) => (
              <NoticeList
                items={items}
                onOpen={(item, press) => {
                  inbox.open(item, press)
                  if (press.defaultPrevented) onClose()
                }}
              />
            )}
          </Listed>
        </div>
        <footer className="border-t border-line p-2">
          <LinkButton to={paths.notifications} variant="quiet" size="small" className="w-full" onClick={onClose}>
            {messages.all}
          </LinkButton>
        </footer>
      </Dialog>
    </Popover>
  )
}
