import { useQuery } from '@tanstack/react-query'
import { feedback } from '@clear-to-post/contract/feedback'
import { query } from '../../api.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { PageHead } from '../page-head.tsx'
import { CriteriaForm } from './criteria-form.tsx'
import { messages } from './messages.ts'

/** What QA scores, changed by the service's own admin; a company's admin reads it. */
export const CriteriaPage = () => {
  const list = useQuery(query(feedback.criteria, {}))
  return (
    <>
      <PageHead title={messages.title} />
      <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 px-4 py-5 md:px-6">
        <p className="text-muted">{messages.text}</p>
        <Loaded answer={list} failed={messages.failed} loading={<Skeleton className="h-80 rounded-card" />}>
          {(kept) =>
            kept.actions.includes('setCriteria') ? (
              <CriteriaForm kept={kept} />
            ) : (
              <>
                <ol className="divide-y divide-line rounded-card border border-line bg-surface">
                  {kept.criteria.map(({ id, label }, i) => (
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
            )
          }
        </Loaded>
      </div>
    </>
  )
}
