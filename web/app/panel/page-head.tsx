import type { ReactNode } from 'react'

/** The bar over a page: the way back, its name, what stands beside it, its actions. Also the document's title. */
export const PageHead = ({
  title,
  before,
  beside,
  actions,
}: {
  title: string
  before?: ReactNode
  beside?: ReactNode
  actions?: ReactNode
}) => (
  <header className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-2.5 md:px-6">
    <title>{`${title} · Clear to Post`}</title>
    <div className="flex min-w-0 items-center gap-1">
      {before}
      <h1 className="text-xl font-bold [overflow-wrap:anywhere]">{title}</h1>
    </div>
    {beside}
    {actions !== undefined && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
  </header>
)
