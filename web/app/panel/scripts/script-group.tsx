import type { ReactNode } from 'react'
import { Badge } from '../../ui/status-chip.tsx'
import { CategoryPicture } from './category-picture.tsx'
import { messages } from './messages.ts'
import { ScriptCard, scriptGrid } from './script-card.tsx'
import type { Category, Script } from './use-library.ts'

/** The scripts of a category, or one's own, under their name. */
export const ScriptGroup = ({
  id,
  title,
  scripts,
  category,
  actions,
  children,
}: {
  id: string
  title: string
  scripts: readonly Script[]
  category?: Category
  actions?: ReactNode
  children?: ReactNode
}) => (
  <section aria-labelledby={id}>
    <div className="mb-3 flex items-center gap-2.5">
      {category && <CategoryPicture category={category} className="size-8" />}
      <h2 id={id} className="min-w-0 text-base [overflow-wrap:anywhere]">
        {title}
      </h2>
      <span className="figures text-muted">{scripts.length}</span>
      {category && !category.active && <Badge tone="warn">{messages.hidden}</Badge>}
      <span aria-hidden className="ruler ml-1 h-2 flex-1 self-end" />
      {actions && <span className="-my-1 flex">{actions}</span>}
    </div>
    {scripts.length === 0 ? (
      <p className="text-muted">{messages.categoryEmpty}</p>
    ) : (
      <ul className={scriptGrid}>
        {scripts.map((script) => (
          <li key={script.id}>
            <ScriptCard script={script} {...(category ? { category } : {})} />
          </li>
        ))}
      </ul>
    )}
    {children}
  </section>
)
