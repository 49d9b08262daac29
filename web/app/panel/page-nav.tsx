import { Link, type LinkProps } from '@tanstack/react-router'
import { ScrollRow } from '../ui/scroll-row.tsx'

/** The pages of a room, beside the name of each: the same row on all of them. One page alone needs none. */
export const PageNav = ({
  label,
  pages,
}: {
  label: string
  pages: readonly { to: LinkProps['to'] & string; label: string }[]
}) =>
  pages.length < 2 ? null : (
    <nav aria-label={label} className="min-w-0 max-md:basis-full">
      <ScrollRow>
        <ul className="flex w-max gap-1">
          {pages.map((page) => (
            <li key={page.to}>
              <Link
                to={page.to}
                activeOptions={{ exact: true, includeSearch: false }}
                className="touch flex h-8 shrink-0 items-center rounded-lg px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                {page.label}
              </Link>
            </li>
          ))}
        </ul>
      </ScrollRow>
    </nav>
  )
