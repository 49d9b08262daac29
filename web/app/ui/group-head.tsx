import type { ReactNode } from 'react'

/** The heading of a group of cards: its name, how many, and a ruler to the edge. */
export const GroupHead = ({
  id,
  title,
  count,
  picture,
  badge,
  actions,
}: {
  /** What the section is labelled by. */
  id: string
  title: string
  count: number
  picture?: ReactNode
  badge?: ReactNode
  actions?: ReactNode
}) => (
  <div className="mb-3 flex items-center gap-2.5">
    {picture}
    <h2 id={id} className="min-w-0 text-base [overflow-wrap:anywhere]">
      {title}
    </h2>
    <span className="figures text-muted">{count}</span>
    {badge}
    <span aria-hidden className="ruler ml-1 h-2 flex-1 self-end" />
    {actions && <span className="-my-1 flex">{actions}</span>}
  </div>
)
