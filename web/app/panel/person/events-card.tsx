import { Link } from '@tanstack/react-router'
import type { Person } from '@clear-to-post/contract/accounts'
import { audit } from '@clear-to-post/contract/audit'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { Listed } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { actorWords, Changes, whatWords, When } from '../audit/audit-row.tsx'
import { Card } from './card.tsx'
import { messages } from './messages.ts'

/** What changed of somebody's account lately, and by whom. */
export const EventsCard = ({ person: { id, name } }: { person: Person }) => {
  const list = usePages(audit.list, { perPage: 5, wheres: [`personId:eq:${id}`] })
  return (
    <Card
      id="events"
      title={messages.events}
      more={
        <Link to={paths.audit} search={{ q: name }} className="underline underline-offset-2">
          {messages.allEvents}
        </Link>
      }
    >
      <Listed
        list={list}
        failed={messages.eventsFailed}
        isSmall
        loading={<Skeleton className="h-24" />}
        empty={<p className="text-muted">{messages.noEvents}</p>}
      >
        {(items) => (
          <ol className="grid gap-3 [&>li+li]:border-t [&>li+li]:border-line [&>li+li]:pt-3">
            {items.map((entry) => (
              <li key={entry.id} className="grid gap-1">
                <p className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="font-medium [overflow-wrap:anywhere]">{whatWords(entry)}</span>
                  <span className="text-[0.8125rem] text-muted">
                    <When of={entry} />
                  </span>
                </p>
                <Changes of={entry} />
                <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">{actorWords(entry)}</p>
              </li>
            ))}
          </ol>
        )}
      </Listed>
    </Card>
  )
}
