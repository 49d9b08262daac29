import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'
import { footLinks, publicLinks } from './public-links.ts'
import { words } from './words/frame.ts'

/** What the server writes into a prerendered page when it serves it (server/src/http/site.ts). */
export const slots = {
  head: '{{head}}',
  plans: '{{plans}}',
  year: '{{year}}',
  privacy: '{{privacy}}',
  ways: '{{ways}}',
  status: '{{status}}',
}

/** The frame of every public page (docs/specification/pages.md): header, main area, footer. */
export const Frame = ({
  children,
  account,
  year = slots.year,
  privacy = slots.privacy,
}: {
  children: ReactNode
  account?: { avatar: ReactNode; card: ReactNode }
  year?: string
  privacy?: string
}) => (
  <div className="site-frame flex min-h-dvh flex-col">
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2.5 text-surface focus:translate-y-0"
    >
      {words.skip}
    </a>
    <Header account={account} />
    <main id="content" className="flex-1 overflow-x-clip text-base">
      {children}
    </main>
    <Footer year={year} privacy={privacy} />
  </div>
)

/**
 * Desktop from 768 px, mobile below. The menus are popovers: the browser opens and closes them, also by an outside press
 * and Escape, without a script. Who is signed in comes into #account and #account-card (account.tsx).
 */
const Header = ({ account }: { account: { avatar: ReactNode; card: ReactNode } | undefined }) => (
  <header className="sticky top-0 z-20 border-b border-line bg-canvas/92 backdrop-blur-md">
    <div className="mx-auto flex h-16 max-w-6xl items-center gap-3 px-5 md:gap-8 md:px-8">
      <a href={paths.home} aria-label={words.logo} className="touch flex items-center rounded-md">
        <Logo />
      </a>
      <nav aria-label={words.menu} className="flex gap-6 max-md:hidden lg:gap-7">
        {publicLinks.map(([to, label]) => (
          <a key={to} href={to} className="rounded-sm py-2 whitespace-nowrap text-muted hover:text-ink">
            {label}
          </a>
        ))}
      </nav>
      <span className="ml-auto" />
      <SignIn />
      <div id="account" className="empty:hidden max-md:hidden">
        {account?.avatar}
      </div>
      <button
        type="button"
        popoverTarget="menu"
        aria-label={words.menu}
        className="-mr-2 grid size-11 place-items-center rounded-control md:hidden"
      >
        <svg viewBox="0 0 20 20" aria-hidden className="size-5 stroke-current" strokeWidth="2" strokeLinecap="round">
          <path d="M2 5h16M2 10h16M2 15h16" />
        </svg>
      </button>
    </div>
    <div
      id="menu"
      popover="auto"
      className="inset-x-3 top-17 m-0 w-auto rounded-card border border-line bg-surface p-2 text-ink shadow-float md:hidden"
    >
      <nav aria-label={words.menu} className="grid">
        {publicLinks.map(([to, label]) => (
          <a key={to} href={to} className="flex min-h-12 items-center rounded-control px-3 text-base hover:bg-sunken">
            {label}
          </a>
        ))}
      </nav>
      <div id="account-card">{account?.card}</div>
    </div>
  </header>
)

const SignIn = () => (
  <>
    <a href={paths.login} className={cx(buttonLook({ variant: 'primary' }), 'only-signed-out')}>
      {words.signIn}
    </a>
    <noscript>
      <a href={paths.login} className={buttonLook({ variant: 'primary' })}>
        {words.signIn}
      </a>
    </noscript>
  </>
)

const Footer = ({ year, privacy }: { year: string; privacy: string }) => (
  <footer className="on-ink bg-night text-on-night">
    <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-5 py-10 md:px-8">
      <a href={paths.home} aria-label={words.logo} className="touch flex items-center rounded-md">
        <Logo className="[&_circle]:stroke-night" />
      </a>
      <nav aria-label={words.foot} className="flex flex-wrap gap-x-6">
        {[...publicLinks, ...footLinks].map(([to, label]) => (
          <a key={to} href={to} className="touch inline-flex items-center text-muted-on-night hover:text-white">
            {label}
          </a>
        ))}
      </nav>
      <p className="text-sm text-muted-on-night md:ml-auto">{words.rights(year)}</p>
      {privacy}
    </div>
  </footer>
)
