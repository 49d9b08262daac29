import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from 'react-aria-components/Button'
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Ellipsis, Search, WifiOff } from 'lucide-react'
import { accounts } from '@clear-to-post/contract/accounts'
import { send } from '../api.ts'
import { paths } from '../paths.ts'
import { changedUser, holdFor, useSession, useUser } from '../session.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { PanelKeys, type Opened } from './actions/panel-keys.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useUploads } from './assets/uploads.ts'
import { useAwake } from '../ui/use-awake.ts'
import { useBeyond } from '../ui/use-beyond.ts'
import { useOnline } from '../ui/use-online.ts'
import { useOpener } from '../ui/use-opener.ts'
import { UploadStrip, UploadTray } from './assets/upload-tray.tsx'
import { resumeUploads } from './assets/uploads.ts'
import { ConfirmIdentity } from './confirm/confirm-identity.tsx'
import { entriesOf, isOpenTo, type Entry } from './entries.ts'
import { NoSuchRoom, PageLoading } from '../page-states.tsx'
import { messages } from './messages.ts'
import { PanelFooter } from './panel-footer.tsx'
import { NotificationBell } from './notifications/notification-bell.tsx'
import { Protected } from './protected.tsx'
import { RecorderContext, useRecorderPerson } from './record/recorder-person.ts'
import { VerifyBar } from './verify/verify-bar.tsx'
import { onDevice } from '../storage.ts'

/** What surrounds every page of the panel: a side bar from 768 px, a top and a bottom bar below. */
export const PanelShell = () => {
  const isRecorder = useLocation({ select: ({ pathname }) => recorderPaths.has(pathname.replace(/\/$/, '')) })
  if (isRecorder) return <RecorderShell />
  return (
    <Protected>
      <Shell />
    </Protected>
  )
}

const recorderPaths: ReadonlySet<string> = new Set([paths.record, paths.recordWords])

/** Listens once the page stands: its code comes with it. */
const listenLater = (person: string): (() => void) => {
  let stop: (() => void) | undefined
  let isOver = false
  const begin = () =>
    import('../live.ts').then(
      ({ listen }) => void (isOver || (stop = listen(person))),
      // Nobody answers, or a newer release is there: the page is as fresh as when it was read.
      () => void (isOver || setTimeout(() => isOver || void begin(), 10_000)),
    )
  void begin()
  return () => {
    isOver = true
    stop?.()
  }
}

/** Whoever stands before the camera sees nothing else, and needs no network to stand there. */
const RecorderShell = () => {
  const person = useRecorderPerson()
  const { user } = useSession()
  const id = person?.id
  const userId = user?.id
  useEffect(() => (userId === undefined ? undefined : listenLater(userId)), [userId])
  useEffect(() => {
    if (id === undefined) return
    holdFor(id)
    void resumeUploads(id)
  }, [id])
  useAwake(useUploads().some(({ state }) => state === 'sending'))
  if (person === null) return <Protected>{null}</Protected>
  return (
    <RecorderContext value={person}>
      {/* Somebody else's recorder is another one: a take that runs ends, and stays whose it is. */}
      <main key={id} id="content">
        {user === null || isOpenTo(user, paths.record) ? <Outlet /> : <NoSuchRoom />}
      </main>
      {user !== null && <ConfirmIdentity />}
      <Toasts />
    </RecorderContext>
  )
}

const Shell = () => {
  const user = useUser()
  // A service of the release before, still running beside this panel, does not say.
  const asksForTerms = (user.termsDue ?? []).length > 0
  const { history } = useRouter()
  const isWide = useIsWide()
  const [opened, setOpened] = useState<Opened>(null)
  const home = user.tenantName ? messages.homeOf(user.tenantName) : messages.home
  // The new-video page shows the uploads itself.
  const place = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') })
  const hasTray = place !== paths.newVideo
  const isOpen = useLocation({ select: ({ pathname }) => isOpenTo(user, pathname) })
  useEffect(() => listenLater(user.id), [user.id])
  useAwake(useUploads().some(({ state }) => state === 'sending'))
  useFreshPhoto()
  useEffect(() => {
    // Painted before the first script by the company of before: a person without one has the panel's own colours.
    if (user.tenantId === undefined && onDevice.read('brand') !== null)
      void import('./brand/use-brand.ts').then(({ paint }) => paint({}))
  }, [user.tenantId])
  useEffect(() => void resumeUploads(user.id), [user.id])
  useEffect(() => {
    if (onDevice.read('push-device') === null) return
    void import('./push/device.ts').then(({ followPresses, renewPushSubscription }) => {
      followPresses((path) => history.push(path))
      // What fails now is tried again when the panel opens next.
      renewPushSubscription(user.id).catch(() => undefined)
    })
  }, [user.id, history])
  return (
    <div
      data-panel
      className="max-md:flex max-md:min-h-dvh max-md:flex-col md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]"
    >
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2.5 text-surface focus:translate-y-0"
      >
        {messages.skip}
      </a>
      {isWide ? (
        <header className="sticky top-0 flex h-dvh flex-col border-r border-line bg-surface">
          <div className="flex h-16 items-center justify-between pr-2 pl-4">
            <a href={paths.home} aria-label={home} className="rounded-md">
              <HeadLogo />
            </a>
            <NotificationBell />
          </div>
          <Button
            onPress={() => setOpened('find')}
            className="mx-3 mt-1 flex h-9 items-center gap-2.5 rounded-control border border-line px-2.5 text-muted hover:border-edge hover:text-ink"
          >
            <Search aria-hidden className="size-4.5" />
            <span className="flex-1 text-left">{messages.search}</span>
            <kbd aria-hidden className="font-mono text-xs">
              {messages.searchKey}
            </kbd>
          </Button>
          <SideNav />
          {hasTray && <UploadTray className="mx-3 mb-3" />}
          <div className="border-t border-line p-2">
            <AccountMenu look="card" />
          </div>
        </header>
      ) : (
        <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-surface pr-2 pl-4">
          <a href={paths.home} aria-label={home} className="touch mr-auto flex items-center rounded-md">
            <HeadLogo />
          </a>
          <Button
            aria-label={messages.search}
            onPress={() => setOpened('find')}
            className="grid size-11 place-items-center rounded-control text-ink hover:bg-sunken"
          >
            <Search aria-hidden className="size-5" />
          </Button>
          <NotificationBell />
          <AccountMenu look="avatar" />
        </header>
      )}
      <div className="flex min-w-0 flex-col max-md:flex-1 md:min-h-dvh">
        <OfflineBar />
        <VerifyBar />
        <main id="content" tabIndex={-1} className="flex-1">
          {asksForTerms ? (
            <Suspense fallback={<PageLoading />}>
              <TermsPage />
            </Suspense>
          ) : isOpen ? (
            <Outlet />
          ) : (
            <NoSuchRoom />
          )}
        </main>
        <PanelFooter />
      </div>
      {!isWide && (
        <div data-nav-bar className="sticky bottom-0 z-20 bg-surface pb-[env(safe-area-inset-bottom)]">
          {hasTray && <UploadStrip />}
          <nav aria-label={messages.panel} className="border-t border-line">
            <BottomEntries />
          </nav>
        </div>
      )}
      <PanelKeys open={opened} onOpen={setOpened} />
      <ConfirmIdentity />
      <Toasts />
    </div>
  )
}

const GivenUpCount = lazy(() =>
  import('./jobs/given-up-count.tsx').then((module) => ({ default: module.GivenUpCount })),
)
const TermsPage = lazy(() => import('./terms/terms-page.tsx').then((module) => ({ default: module.TermsPage })))
const TenantLogo = lazy(() => import('./brand/tenant-logo.tsx').then((module) => ({ default: module.TenantLogo })))

const HeadLogo = () =>
  useUser().tenantId === undefined ? (
    <Logo />
  ) : (
    <Suspense fallback={<span className="h-10 w-30" />}>
      <TenantLogo />
    </Suspense>
  )

// Signed picture addresses end after some hours, and a panel stays open longer.
const useFreshPhoto = (): void => {
  const { id } = useUser()
  useEffect(() => {
    const timer = setInterval(() => void send(accounts.info, {}).then(changedUser, () => undefined), 60 * 60_000)
    return () => clearInterval(timer)
  }, [id])
}

/** The rooms; where the window is too low for all of them, an arrow at the edge says that there are more and brings them. */
const SideNav = () => {
  const list = useRef<HTMLDivElement>(null)
  const beyond = useBeyond(list, 'y', useLocation({ select: ({ pathname }) => pathname }))
  const move = (direction: 1 | -1) =>
    list.current!.scrollBy({ top: (direction * list.current!.clientHeight * 2) / 3, behavior: 'smooth' })
  return (
    <nav aria-label={messages.panel} className="relative min-h-0 flex-1">
      <div ref={list} className="relative h-full overflow-y-auto px-3 py-2 [scrollbar-width:none]">
        <SideEntries />
      </div>
      {beyond.before && <NavArrow at="before" onPress={() => move(-1)} />}
      {beyond.after && <NavArrow at="after" onPress={() => move(1)} />}
    </nav>
  )
}

// For pointers: whoever goes by keys or hears the page meets all of them.
const NavArrow = ({ at, onPress }: { at: 'before' | 'after'; onPress: () => void }) => {
  const Icon = at === 'before' ? ChevronUp : ChevronDown
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      data-more-rooms={at}
      onClick={onPress}
      className={cx(
        'absolute inset-x-0 flex h-12 justify-center text-ink',
        at === 'before'
          ? 'top-0 items-start bg-linear-to-b from-surface from-50% to-transparent'
          : 'bottom-0 items-end bg-linear-to-t from-surface from-50% to-transparent',
      )}
    >
      <Icon className="size-5" />
    </button>
  )
}

const SideEntries = () => {
  const user = useUser()
  return (
    <ul className="grid gap-0.5">
      {entriesOf(user).map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            activeOptions={activeBy(to)}
            className="touch flex h-9 items-center gap-2.5 rounded-control px-2.5 hover:bg-sunken [&_svg]:text-muted [&[aria-current]]:bg-primary-tint [&[aria-current]]:font-medium [&[aria-current]]:text-primary-text [&[aria-current]_svg]:text-primary-text"
          >
            <Icon aria-hidden className="size-4.5" />
            {label}
            {to === paths.audit && user.actions.includes('job.settle') && (
              <Suspense>
                <GivenUpCount />
              </Suspense>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

// Five fit beside each other on the narrowest phone; more go behind the last one.
const BottomEntries = () => {
  const user = useUser()
  const all = entriesOf(user)
  const shown = all.length > 5 ? all.slice(0, 4) : all
  return (
    <ul className="flex">
      {shown.map(({ to, label, icon: Icon }) => (
        <li key={to} className="min-w-0 flex-1">
          <Link to={to} activeOptions={activeBy(to)} className={bottomEntry}>
            <Icon aria-hidden className="size-5" />
            {label}
          </Link>
        </li>
      ))}
      {shown.length < all.length && (
        <li className="min-w-0 flex-1">
          <MoreButton items={all.slice(shown.length)} />
        </li>
      )}
    </ul>
  )
}

const loadMore = () => import('./more-entries.tsx')
const MoreEntries = lazy(() => loadMore().then((module) => ({ default: module.MoreEntries })))

const MoreButton = ({ items }: { items: readonly Entry[] }) => {
  const { button, entered, close, buttonProps } = useOpener('menu', loadMore)
  const isThere = useLocation({ select: ({ pathname }) => items.some(({ to }) => pathname.startsWith(to)) })
  return (
    <>
      <Button {...buttonProps} {...(isThere ? { 'aria-current': 'true' } : {})} className={cx(bottomEntry, 'w-full')}>
        <Ellipsis aria-hidden className="size-5" />
        {messages.more}
      </Button>
      <Suspense>
        {entered !== null && <MoreEntries button={button} entered={entered} onClose={close} items={items} />}
      </Suspense>
    </>
  )
}

const bottomEntry =
  'flex h-14 flex-col items-center justify-center gap-0.5 text-xs text-muted -outline-offset-4 [&[aria-current]]:font-medium [&[aria-current]]:text-primary-text'

// The panel's own address begins every other one.
const activeBy = (to: Entry['to']) => ({ exact: to === paths.panel, includeSearch: false })

const OfflineBar = () => {
  const isOnline = useOnline()
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
