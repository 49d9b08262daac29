import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { WifiOff } from 'lucide-react'
import { listen } from '../live.ts'
import { paths } from '../paths.ts'
import { useUser } from '../session.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useKeepAwake } from './assets/keep-awake.ts'
import { UploadStrip, UploadTray } from './assets/upload-tray.tsx'
import { resumeUploads } from './assets/uploads.ts'
import { entries } from './entries.ts'
import { messages } from './messages.ts'
import { NotificationBell } from './notifications/notification-bell.tsx'
import { Protected } from './protected.tsx'

/** What surrounds every page of the panel: a side bar from 768 px, a top and a bottom bar below. */
export const PanelShell = () => (
  <Protected>
    <Shell />
  </Protected>
)

const Shell = () => {
  const user = useUser()
  const isWide = useIsWide()
  // The new-video page shows the uploads itself.
  const hasTray = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') }) !== paths.newVideo
  useEffect(() => listen(), [user.id])
  useKeepAwake()
  useEffect(() => void resumeUploads(user.id), [user.id])
  return (
    <div className="max-md:flex max-md:min-h-dvh max-md:flex-col md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2.5 text-surface focus:translate-y-0"
      >
        {messages.skip}
      </a>
      {isWide ? (
        <header className="sticky top-0 flex h-dvh flex-col border-r border-line bg-surface">
          <div className="flex h-16 items-center justify-between pr-2 pl-4">
            <Link to={paths.panel} aria-label={messages.home} className="rounded-md">
              <Logo />
            </Link>
            <NotificationBell />
          </div>
          <nav aria-label={messages.panel} className="flex-1 overflow-y-auto px-3 py-2">
            <SideEntries />
          </nav>
          {hasTray && <UploadTray className="mx-3 mb-3" />}
          <div className="border-t border-line p-2">
            <AccountMenu look="card" />
          </div>
        </header>
      ) : (
        <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface pr-2 pl-4">
          <Link to={paths.panel} aria-label={messages.home} className="touch mr-auto flex items-center rounded-md">
            <Logo />
          </Link>
          <NotificationBell />
          <AccountMenu look="avatar" />
        </header>
      )}
      <div className="min-w-0 max-md:flex-1">
        <OfflineBar />
        <main id="content" tabIndex={-1} className="md:min-h-dvh">
          <Outlet />
        </main>
      </div>
      {!isWide && (
        <div className="sticky bottom-0 z-20 bg-surface pb-[env(safe-area-inset-bottom)]">
          {hasTray && <UploadStrip />}
          <nav aria-label={messages.panel} className="border-t border-line">
            <BottomEntries />
          </nav>
        </div>
      )}
      <Toasts />
    </div>
  )
}

const SideEntries = () => {
  const { role } = useUser()
  return (
    <ul className="grid gap-0.5">
      {entries[role].map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            className="touch flex h-9 items-center gap-2.5 rounded-control px-2.5 hover:bg-sunken [&_svg]:text-muted [&[aria-current]]:bg-primary-tint [&[aria-current]]:font-medium [&[aria-current]]:text-primary-text [&[aria-current]_svg]:text-primary-text"
          >
            <Icon aria-hidden className="size-4.5" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const BottomEntries = () => {
  const { role } = useUser()
  return (
    <ul className="flex">
      {entries[role].map(({ to, label, icon: Icon }) => (
        <li key={to} className="flex-1">
          <Link
            to={to}
            activeOptions={{ exact: true, includeSearch: false }}
            className="flex h-14 flex-col items-center justify-center gap-0.5 text-xs text-muted -outline-offset-4 [&[aria-current]]:font-medium [&[aria-current]]:text-primary-text"
          >
            <Icon aria-hidden className="size-5" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const OfflineBar = () => {
  const isOnline = useSyncExternalStore(hearNetwork, () => navigator.onLine)
  return (
    <div role="status" className={cx(!isOnline && 'bg-warn-tint text-warn')}>
      {!isOnline && (
        <p className="flex items-center gap-2 px-4 py-2 text-[0.8125rem] md:px-6">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {messages.offline}
        </p>
      )}
    </div>
  )
}

const hearNetwork = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

// One bar is rendered, not both: two bells would ask and speak twice.
const useIsWide = (): boolean => {
  const [wide] = useState(() => matchMedia('(width >= 48rem)'))
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener)
      return () => wide.removeEventListener('change', listener)
    },
    () => wide.matches,
  )
}
