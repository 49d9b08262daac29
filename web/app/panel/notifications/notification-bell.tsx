import { lazy, Suspense } from 'react'
import { Bell } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { messages } from './messages.ts'
import { useUnread } from './use-notices.ts'

// The count is there at once; the list is loaded when somebody opens it.
const loadPopover = () => import('./notification-popover.tsx')
const NotificationPopover = lazy(() => loadPopover().then((module) => ({ default: module.NotificationPopover })))

/** The bell: how many notices nobody has read, counted live, and the newest of them. */
export const NotificationBell = () => {
  const { count: unread } = useUnread()
  const { button, entered, close, buttonProps } = useOpener('dialog', loadPopover)
  return (
    <>
      <IconButton {...buttonProps} label={messages.bell(unread)} className="relative">
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
      <Suspense>{entered !== null && <NotificationPopover button={button} onClose={close} />}</Suspense>
    </>
  )
}
