import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scissors } from 'lucide-react'
import { edits } from '@clear-to-post/contract/edits'
import { query } from '../../api.ts'
import { TableFrame } from '../../ui/data-table.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { RuleRow } from './rule-row.tsx'
import { ruleDays, type RuleDays } from './search.ts'

const route = getRouteApi('/panel/rules')

/** Each rule of the first cut with its numbers, and what editors made of its decisions. */
export const RulesPage = () => {
  const { search, change } = useFilters(route.useSearch())
  const days = search.days ?? 30
  const answer = useQuery(query(edits.rules, { query: { days } }))
  return (
    <ListPage
      words={messages}
      icon={Scissors}
      beside={
        <Select
          label={messages.period}
          hideLabel
          value={String(days)}
          options={ruleDays.map((one) => ({ value: String(one), label: messages.days[one] }))}
          onChange={(value) => change({ days: Number(value) as RuleDays })}
          className="min-w-40"
        />
      }
      list={{ ...answer, items: answer.data?.items }}
      loading={<PeopleLoading count={6} />}
    >
      {(items) => (
        <>
          <p className="figures font-medium">
            {answer.data?.videos ? messages.videos(answer.data.videos) : messages.none}
          </p>
          <TableFrame label={messages.table} heads={heads} narrow="max-md">
            {items.map((figures) => (
              <RuleRow key={figures.rule} {...figures} />
            ))}
          </TableFrame>
        </>
      )}
    </ListPage>
  )
}

const heads = [
  { title: messages.rule },
  { title: messages.kept, className: 'w-[10%] text-right' },
  { title: messages.undone, className: 'w-[14%] text-right' },
  { title: messages.added, className: 'w-[10%] text-right' },
  { title: messages.numbers, className: 'w-[42%]' },
]
