import { footLinks, publicLinks } from '../site/public-links.ts'
import { words } from '../site/words/frame.ts'

/** The foot of every page of the panel: the public pages and the year, in one line. */
export const PanelFooter = () => (
  <footer
    data-panel-foot
    className="flex flex-wrap items-center justify-between gap-x-6 border-t border-line px-4 text-[0.8125rem] text-muted md:px-6"
  >
    <nav aria-label={words.foot} className="flex flex-wrap gap-x-4 md:gap-x-5">
      {[...publicLinks, ...footLinks].map(([to, label]) => (
        <a key={to} href={to} className="touch inline-flex min-h-9 items-center hover:text-ink">
          {label}
        </a>
      ))}
    </nav>
    <p className="py-2">{words.rights(String(new Date().getFullYear()))}</p>
  </footer>
)
