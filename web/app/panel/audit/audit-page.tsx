import { getRouteApi } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { audit, type AuditEntry } from '@clear-to-post/contract/audit'
import { auditKinds } from '@clear-to-post/domain/audit'
import { usePages } from '../../api.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { CsvButton } from '../csv-button.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { AuditNav } from './audit-nav.tsx'
import { actorWords, AuditCard, Changes, fieldWords, whatWords, When } from './audit-row.tsx'
import { messages } from './messages.ts'
import { auditPeriods, wheresOf } from './search.ts'
import { VerifyButton } from './verify-button.tsx'

const route = getRouteApi('/panel/audit')

/** Who changed what: find it, take it along, and check that nobody changed the log. */
export const AuditPage = () => {
  const filters = useFilters(route.useSearch())
  const { search, change } = filters
  const wheres = wheresOf(search, new Date())
  return (
    <TablePage
      words={messages}
      icon={History}
      beside={<AuditNav />}
      create={
        <>
          <VerifyButton />
          <CsvButton shape={audit.list} asked={{ wheres }} columns={csv} name="audit-log" />
        </>
      }
      emptyAction={null}
      filter={searchFilter(
        messages,
        filters,
        <>
          <FilterSelect
            label={messages.kind}
            all={messages.allKinds}
            value={search.kind}
            options={auditKinds.map((kind) => ({ value: kind, label: messages.kinds[kind] }))}
            onChange={(kind) => change({ kind })}
          />
          <FilterSelect
            label={messages.since}
            all={messages.allTime}
            value={search.since}
            options={auditPeriods.map((since) => ({ value: since, label: messages.periods[since] }))}
            onChange={(since) => change({ since })}
          />
        </>,
      )}
      list={usePages(audit.list, { perPage: 50, wheres })}
      label={messages.list}
      columns={columns}
      card={(one) => <AuditCard of={one} />}
    />
  )
}

const columns: Column<AuditEntry>[] = [
  {
    key: 'what',
    title: messages.what,
    headClassName: 'w-[26%]',
    cellClassName: 'font-medium! align-top [overflow-wrap:anywhere]',
    cell: whatWords,
  },
  { key: 'changes', title: messages.changes, cellClassName: 'align-top', cell: (one) => <Changes of={one} /> },
  {
    key: 'actor',
    title: messages.actor,
    headClassName: 'w-[16%]',
    cellClassName: 'align-top [overflow-wrap:anywhere]',
    cell: actorWords,
  },
  {
    key: 'company',
    isCompany: true,
    title: messages.company,
    headClassName: 'w-[13%]',
    cellClassName: 'align-top text-muted [overflow-wrap:anywhere]',
    cell: ({ company }) => company?.name ?? messages.wholeService,
  },
  {
    key: 'at',
    title: messages.at,
    cellClassName: 'align-top whitespace-nowrap text-muted',
    cell: (one) => <When of={one} />,
  },
]

const lines =
  (side: 'from' | 'to') =>
  ({ kind, changes }: AuditEntry) =>
    changes
      .map((one) => `${fieldWords(one.field, kind)}: ${one.isHidden ? messages.hidden : (one[side] ?? '')}`)
      .join('\n')

const csv = [
  { title: messages.at, text: ({ at }: AuditEntry) => at },
  { title: messages.actor, text: actorWords },
  {
    title: messages.company,
    text: ({ company }: AuditEntry) => company?.name ?? messages.wholeService,
    isCompany: true as const,
  },
  { title: messages.what, text: whatWords },
  { title: messages.csv.from, text: lines('from') },
  { title: messages.csv.to, text: lines('to') },
  { title: messages.csv.id, text: ({ id }: AuditEntry) => id },
  { title: messages.csv.seq, text: ({ seq }: AuditEntry) => (seq === undefined ? '' : String(seq)) },
  { title: messages.csv.hash, text: ({ hash }: AuditEntry) => hash ?? '' },
]
