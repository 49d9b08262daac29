import type { ReactNode } from 'react'

/** A part of the page about a person: its name, where to read on, and what it says. */
export const Card = ({
  id,
  title,
  more,
  children,
}: {
  id: string
  title: string
  more?: ReactNode
  children: ReactNode
}) => (
  <section
    aria-labelledby={id}
    className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
  >
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="text-base">
        {title}
      </h2>
      {more}
    </div>
    {children}
  </section>
)

/** Names and what stands for each; what is empty is left out. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid gap-2">
    {of.map(
      ([name, value]) =>
        value !== undefined &&
        value !== '' && (
          <div key={name} className="grid grid-cols-[minmax(7rem,38%)_minmax(0,1fr)] gap-3">
            <dt className="text-muted">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ),
    )}
  </dl>
)
