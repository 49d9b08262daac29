import type { ReactNode } from 'react'
import { isMissing } from '../failures.ts'
import { LinkButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Awaiting, EmptyState } from '../ui/states.tsx'
import { PageHead } from './page-head.tsx'

/** One thing on its way: a query, or what a page makes of several. */
export type FoundThing<Thing> = { data: Thing | undefined; error: unknown; refetch: () => unknown }

/**
 * A page about one thing: its head with the way back, and the thing in each of its states. `isNew`: there is nothing to
 * find, `children` gets nothing and makes it.
 */
export const DetailPage = <Thing,>({
  title,
  back,
  isTop = false,
  beside,
  actions,
  found,
  isNew = false,
  isGone = isMissing(found.error),
  missing,
  failed,
  loading,
  className = 'mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-5 py-5 md:px-6',
  children,
}: {
  title: string
  back: { to: string; label: string }
  /** It stands in the navigation itself, so no arrow leads back. */
  isTop?: boolean
  beside?: (thing: Thing) => ReactNode
  actions?: (thing: Thing) => ReactNode
  found: FoundThing<Thing>
  isNew?: boolean
  /** There is no such thing, or not for this person. */
  isGone?: boolean
  /** Said then; `toList` leads back. */
  missing: { title: string; text: string; toList: string }
  failed: string
  /** Skeletons in the shape of what comes. */
  loading: ReactNode
  /** The body’s place and the distances between its parts. */
  className?: string
  children: (thing: Thing | undefined) => ReactNode
}) => {
  const thing = isGone ? undefined : found.data
  return (
    <>
      <PageHead
        title={title}
        {...(isTop ? {} : { back })}
        beside={thing && beside?.(thing)}
        actions={thing && actions?.(thing)}
      />
      <div className={cx('px-4', className)}>
        {isNew || thing !== undefined ? (
          children(thing)
        ) : isGone ? (
          <EmptyState
            title={missing.title}
            text={missing.text}
            action={<LinkButton to={back.to}>{missing.toList}</LinkButton>}
          />
        ) : (
          <Awaiting answer={found} failed={failed}>
            {loading}
          </Awaiting>
        )}
      </div>
    </>
  )
}
