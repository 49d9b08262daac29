import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { cx } from '../ui/cx.ts'
import { useHeadingFocus } from './use-heading-focus.ts'

/** Where the way back leads, and its name for who does not see the arrow. */
type Back = { to: string; label: string }

/** The bar over a page: the way back, its name, what stands beside it, its actions. Also the document's title. */
export const PageHead = ({
  title,
  back,
  beside,
  actions,
}: {
  title: string
  back?: Back
  beside?: ReactNode
  actions?: ReactNode
}) => {
  const heading = useHeadingFocus()
  return (
    <header className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2.5 md:px-6">
      <title>{`${title} · Clear to Post`}</title>
      <div className="flex min-w-0 items-center gap-1">
        {back && <BackLink {...back} className="-ml-2" />}
        <h1 ref={heading} tabIndex={-1} className="text-xl font-bold outline-none [overflow-wrap:anywhere]">
          {title}
        </h1>
      </div>
      {beside}
      {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}

/** The arrow at the head of a page. */
export const BackLink = ({ to, label, className }: Back & { className: string }) => (
  <Link
    to={to}
    aria-label={label}
    className={cx(
      'grid size-9 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken max-md:size-11',
      className,
    )}
  >
    <ArrowLeft aria-hidden className="size-5" />
  </Link>
)
