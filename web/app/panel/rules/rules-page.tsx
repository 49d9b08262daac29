import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Scissors } from 'lucide-react'
import { edits, type RuleFigures } from '@clear-to-post/contract/edits'
import { withoutRule } from '@clear-to-post/domain/first-cut'
import { thresholdsOf } from '@clear-to-post/edit/first-cut-rules'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { cx } from '../../ui/cx.ts'
import { TableFrame } from '../../ui/data-table.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Select } from '../../ui/select.tsx'
import { bodyRow, cell } from '../../ui/table-look.ts'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
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
              <Rule key={figures.rule} {...figures} />
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

const Rule = ({ rule, kept, undone, added }: RuleFigures) => {
  const isRule = rule !== withoutRule
  const numbers = isRule ? thresholdsOf(rule) : []
  const figure = (label: string, value: string) => (
    <td className={cx(rowCell, 'figures md:text-right')}>
      <span className="text-[0.8125rem] text-muted md:sr-only">{label} </span>
      {value}
    </td>
  )
  return (
    <tr className={cx(bodyRow, 'max-md:grid max-md:grid-cols-3 max-md:gap-x-3 max-md:gap-y-2 max-md:p-4')}>
      <th scope="row" className={cx(rowCell, 'text-left font-medium max-md:col-span-3')}>
        {messages.rules[rule]}
      </th>
      {figure(messages.kept, isRule ? number.format(kept) : '–')}
      {figure(
        messages.undone,
        isRule
          ? `${number.format(undone)}${kept + undone > 0 ? ` · ${messages.undoneOf(undone / (kept + undone))}` : ''}`
          : '–',
      )}
      {figure(messages.added, number.format(added))}
      <td className={cx(rowCell, 'text-[0.8125rem] text-muted max-md:col-span-3')}>
        {numbers.length === 0 ? (
          isRule && messages.noNumbers
        ) : (
          <ul>
            {numbers.map(({ what, value, unit }) => (
              <li key={what}>{messages.number(what, `${number.format(value)} ${unit}`)}</li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

const rowCell = cx(cell, 'max-md:block max-md:p-0! md:py-2.5 align-top')
const number = new Intl.NumberFormat(locale)
