import type { ReactNode } from 'react'

/**
 * The body of a page about a plan: the plan, and below it, on wide screens beside it, what was charged. Below it that has no
 * place before the plan is there.
 */
export const PlanColumns = ({
  plan,
  charges,
  children,
}: {
  plan: { isPending: boolean }
  charges: ReactNode
  children: ReactNode
}) => (
  <div className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] items-start gap-6 px-4 py-5 md:px-6 xl:has-[>:nth-child(2)]:grid-cols-[30rem_minmax(0,1fr)]">
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">{children}</div>
    {charges && <div className={plan.isPending ? 'max-xl:hidden' : undefined}>{charges}</div>}
  </div>
)
