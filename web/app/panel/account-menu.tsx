import { lazy, Suspense, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { ChevronsUpDown } from 'lucide-react'
import { signOut, useUser } from '../session.ts'
import { Avatar } from '../ui/avatar.tsx'
import { useOpener } from '../ui/use-opener.ts'
import { onlyHere } from './assets/uploads.ts'
import { messages } from './messages.ts'

// Only who leaves while a file is on its way is asked.
const Confirm = lazy(() => import('../ui/dialog.tsx').then((module) => ({ default: module.Confirm })))
const loadEntries = () => import('./account-entries.tsx')
const AccountEntries = lazy(() => loadEntries().then((module) => ({ default: module.AccountEntries })))

/** Who is signed in, the theme, and the way out. */
export const AccountMenu = ({ look }: { look: 'card' | 'avatar' }) => {
  const user = useUser()
  const { button, entered, close, buttonProps } = useOpener('menu', loadEntries)
  const [leaving, setLeaving] = useState<{ everywhere: boolean; what: 'take' | 'file' } | null>(null)
  const leave = (everywhere: boolean) => {
    const what = onlyHere()
    if (what) setLeaving({ everywhere, what })
    else void signOut({ everywhere })
  }
  return (
    <>
      {look === 'card' ? (
        <Button
          {...buttonProps}
          className="touch flex w-full items-center gap-2.5 rounded-control p-2 text-left hover:bg-sunken"
        >
          <Avatar name={user.name} photoUrl={user.photoUrl} />
          <span className="min-w-0 flex-1 leading-tight">
            <span className="sr-only">{messages.account}: </span>
            <span className="block truncate font-medium">{user.name}</span>
            <span className="block truncate text-[0.8125rem] text-muted">{user.tenantName ?? user.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </Button>
      ) : (
        <Button
          {...buttonProps}
          aria-label={`${messages.account}: ${user.name}`}
          className="touch grid place-items-center rounded-full"
        >
          <Avatar name={user.name} photoUrl={user.photoUrl} />
        </Button>
      )}
      <Suspense>
        {entered !== null && (
          <AccountEntries
            button={button}
            entered={entered}
            onClose={close}
            placement={look === 'card' ? 'top start' : 'bottom end'}
            onLeave={leave}
          />
        )}
        {leaving !== null && (
          <Confirm
            title={messages.logoutTitle}
            text={messages.logoutText[leaving.what]}
            confirm={messages.logout}
            keep={messages.stay}
            isOpen
            onOpenChange={() => setLeaving(null)}
            onConfirm={() => void signOut(leaving)}
          />
        )}
      </Suspense>
    </>
  )
}
