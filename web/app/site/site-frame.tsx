import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { Logo } from '../ui/logo.tsx'
import { messages } from './messages.ts'

// Testimonies join this list with the first real ones.
const links = [
  ['/#home', messages.home],
  ['/#how-it-works', messages.how],
  ['/#plans', messages.plans],
  ['/#faq', messages.faq],
] as const

/** Links from 768 px, a menu below. Neither button shows until the script knows which (specification, section 2). */
export const SiteHeader = () => (
  <header className="sticky top-0 z-20 border-b border-line bg-canvas">
    <div className="mx-auto flex h-16 max-w-6xl items-center gap-8 px-5 md:px-8">
      <a href={paths.home} aria-label={messages.logo} className="touch flex items-center rounded-md">
        <Logo />
      </a>
      <nav aria-label={messages.menu} className="flex gap-6 max-md:hidden">
        {links.map(([to, label]) => (
          <a key={to} href={to} className="text-muted hover:text-ink">
            {label}
          </a>
        ))}
      </nav>
      <span className="ml-auto">
        <Way />
      </span>
      <details id="menu" className="group relative md:hidden">
        <summary
          aria-label={messages.menu}
          className="grid size-11 cursor-pointer list-none place-items-center rounded-control [&::-webkit-details-marker]:hidden"
        >
          <svg viewBox="0 0 20 20" aria-hidden className="size-5 stroke-current" strokeWidth="2" strokeLinecap="round">
            <path d="M2 5h16M2 10h16M2 15h16" />
          </svg>
        </summary>
        <nav
          aria-label={messages.menu}
          className="absolute right-0 mt-2 grid w-56 rounded-card border border-line bg-surface p-2 shadow-float"
        >
          {links.map(([to, label]) => (
            <a key={to} href={to} className="flex min-h-11 items-center rounded-control px-3 text-base hover:bg-sunken">
              {label}
            </a>
          ))}
        </nav>
      </details>
    </div>
  </header>
)

export const SiteFooter = () => (
  <footer className="bg-[#0f1729] text-[#e8ecf4]">
    <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-5 py-10 md:px-8">
      <Logo className="[&_circle]:stroke-[#0f1729]" />
      <nav aria-label={messages.foot} className="flex flex-wrap gap-x-6 gap-y-2">
        {links.map(([to, label]) => (
          <a key={to} href={to} className="touch inline-flex items-center text-[#9ba6b9] hover:text-white">
            {label}
          </a>
        ))}
      </nav>
      <p className="text-sm text-[#9ba6b9] md:ml-auto">{messages.rights(new Date().getFullYear())}</p>
    </div>
  </footer>
)

const Way = () => (
  <>
    <a href={paths.login} className={cx(buttonLook({ variant: 'primary' }), 'only-signed-out')}>
      {messages.signIn}
    </a>
    <a href={paths.panel} className={cx(buttonLook({ variant: 'primary' }), 'only-signed-in')}>
      {messages.panel}
    </a>
    <noscript>
      <a href={paths.login} className={buttonLook({ variant: 'primary' })}>
        {messages.signIn}
      </a>
    </noscript>
  </>
)
