import { column } from './column.ts'
import { slots } from './frame.tsx'
import { PlanPeriod } from './plan-cards.tsx'
import { words } from './words/plans.ts'

/** The server writes the cards into it (docs/specification/pages.md): prices stand there without any script. */
export const Plans = () => (
  <section id="plans" className="plans scroll-mt-16 border-y border-line bg-surface py-16 md:py-24">
    <div className={column}>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6">
        <div>
          <h2 className="text-3xl font-bold tracking-tight md:text-[2.75rem]">{words.title}</h2>
          <p className="mt-4 max-w-lg text-muted">{words.lead}</p>
        </div>
        <PlanPeriod />
      </div>
      <div id="plan-list" className="mt-10 md:mt-12">
        {slots.plans}
      </div>
      <p className="mt-6 text-sm text-muted">{words.next}</p>
    </div>
  </section>
)
