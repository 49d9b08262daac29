import { lazy, Suspense, useState } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { Bell } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { floating } from '../../ui/menu.tsx'
import { messages } from './messages.ts'
import { useUnread } from './use-notices.ts'

// The count is there at once; the list is loaded when somebody opens it.
const NotificationPopover = lazy(() =>
  import('./notification-popover.tsx').then((module) => ({ default: module.NotificationPopover })),
)

/** The bell: how many notices nobody has read, counted live, and the newest of them. */
export const NotificationBell = () => {
  const { count: unread } = useUnread()
  const [isOpen, setOpen] = useState(false)
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
        <Dialog aria-label={messages.title} className="flex max-h-[min(32rem,80dvh)] flex-col outline-none">
          <Suspense fallback={<div className="h-40" />}>
            <NotificationPopover onClose={() => setOpen(false)} />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
