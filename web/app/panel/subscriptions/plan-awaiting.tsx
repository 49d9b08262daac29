import type { ComponentProps } from 'react'
import { Awaiting, Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'

/** What stands where a plan will be. */
export const PlanAwaiting = ({ answer }: Pick<ComponentProps<typeof Awaiting>, 'answer'>) => (
  <Awaiting answer={answer} failed={messages.failed}>
    <div className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Skeleton className="h-72 rounded-card" />
      <Skeleton className="h-36 rounded-card" />
    </div>
  </Awaiting>
)
