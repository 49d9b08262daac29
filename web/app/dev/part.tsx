import { type ReactNode } from 'react'

/** A kind of piece, under its name. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-4 border-t border-line pt-5">
    <h2 className="text-xl">{title}</h2>
    {children}
  </section>
)

export const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

export const Grid = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
)
