import { useQuery } from '@tanstack/react-query'
import { feedback } from '@clear-to-post/contract/feedback'
import { query } from '../../api.ts'
import { Awaiting, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { CriteriaForm } from './criteria-form.tsx'
import { messages } from './messages.ts'

/** What QA scores, changed by the service's own admin; a company's admin reads it. */
export const CriteriaPage = () => {
  const list = useQuery(query(feedback.criteria, {}))
  return (
    <>
      <PageHead title={messages.title} />
      <div className="mx-auto max-w-7xl px-4 py-5 md:px-6">
        <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-muted">{messages.text}</p>
          {list.data === undefined ? (
            <Awaiting answer={list} failed={messages.failed}>
              <Skeleton className="h-80 rounded-card" />
            </Awaiting>
          ) : list.data.actions.includes('setCriteria') ? (
            <CriteriaForm kept={list.data} />
          ) : (
            <>
              <ol className="divide-y divide-line rounded-card border border-line bg-surface">
                {list.data.criteria.map(({ id, label }, i) => (
                  <li key={id} className="flex gap-3 px-4 py-3">
                    <span aria-hidden className="figures w-5 text-right text-muted">
                      {i + 1}
                    </span>
                    <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
                  </li>
                ))}
              </ol>
              <p className="text-[0.8125rem] text-muted">{messages.readOnly}</p>
            </>
          )}
        </div>
      </div>
    </>
  )
}
