import { getRouteApi, Link } from '@tanstack/react-router'
import { FileCheck } from 'lucide-react'
import { accounts, type Consents } from '@clear-to-post/contract/accounts'
import { termsDocuments, termsVersions, type TermsDocument } from '@clear-to-post/domain/terms'
import { usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { PeopleNav } from '../accounts/people-nav.tsx'
import { CsvButton } from '../csv-button.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { wheresOf } from './search.ts'

const route = getRouteApi('/panel/people/consents')

/** Who agreed to which words of the terms and of the privacy notice. */
export const ConsentsPage = () => {
  const filters = useFilters(route.useSearch())
  const wheres = wheresOf(filters.search)
  return (
    <TablePage
      words={messages}
      icon={FileCheck}
      beside={<PeopleNav />}
      filter={searchFilter(
        messages,
        filters,
        <>
          <FilterSelect
            label={messages.show}
            all={messages.all}
            value={filters.search.show}
            options={(['due', 'agreed'] as const).map((value) => ({ value, label: messages.shows[value] }))}
            onChange={(show) => filters.change({ show })}
          />
          <CsvButton shape={accounts.consents} asked={{ wheres }} columns={csv} name="consents" />
        </>,
      )}
      list={usePages(accounts.consents, { perPage: 50, wheres })}
      label={messages.list}
      columns={columns}
      card={(one) => (
        <div className="grid min-w-0 flex-1 gap-1">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Name of={one} />
            <Due of={one} />
          </p>
          {termsDocuments.map((document) => (
            <p key={document} className="text-[0.8125rem] text-muted">
              {messages.documents[document]}: {givenWords(one, document)}
            </p>
          ))}
        </div>
      )}
      foot={
        <p className="text-[0.8125rem] text-muted">
          {messages.now(dayOf(termsVersions.terms), dayOf(termsVersions.privacy))}
        </p>
      }
    />
  )
}

/** A day as such, whatever the reader's zone. */
const dayOf = (version: string): string => dayWords(`${version}T12:00:00Z`)

const lastOf = ({ given }: Consents, document: TermsDocument) => given.find((one) => one.document === document)

const givenWords = (one: Consents, document: TermsDocument): string => {
  const last = lastOf(one, document)
  return last ? `${messages.wordsOf(dayOf(last.version))}, ${messages.agreedAt(dayWords(last.at))}` : messages.never
}

const Name = ({ of: { id, name } }: { of: Consents }) => (
  <Link
    to={paths.person}
    params={{ personId: id }}
    className="font-medium underline-offset-2 [overflow-wrap:anywhere] hover:underline"
  >
    {name}
  </Link>
)

const Due = ({ of: { due } }: { of: Consents }) =>
  due.length > 0 ? <Badge tone="warn">{messages.due}</Badge> : <Badge tone="good">{messages.current}</Badge>

const Given = ({ of: one, document }: { of: Consents; document: TermsDocument }) => {
  const last = lastOf(one, document)
  if (!last) return <span className="text-muted">{messages.never}</span>
  return (
    <div className="grid gap-0.5">
      {messages.wordsOf(dayOf(last.version))}
      <span className="text-[0.8125rem] text-muted">{messages.agreedAt(dayWords(last.at))}</span>
    </div>
  )
}

const columns: Column<Consents>[] = [
  {
    key: 'person',
    title: messages.person,
    cell: (one) => (
      <div className="grid gap-0.5 [overflow-wrap:anywhere]">
        <Name of={one} />
        <span className="text-[0.8125rem] text-muted">{one.email}</span>
      </div>
    ),
  },
  {
    key: 'company',
    isCompany: true,
    title: messages.company,
    headClassName: 'max-lg:hidden',
    cellClassName: 'text-muted max-lg:hidden',
    cell: ({ tenantName }) => tenantName ?? '',
  },
  ...termsDocuments.map((document) => ({
    key: document,
    title: messages.documents[document],
    cell: (one: Consents) => <Given of={one} document={document} />,
  })),
  { key: 'state', title: messages.state, cell: (one) => <Due of={one} /> },
]

const csv = [
  { title: messages.person, text: ({ name }: Consents) => name },
  { title: messages.email, text: ({ email }: Consents) => email },
  { title: messages.company, text: ({ tenantName }: Consents) => tenantName ?? '', isCompany: true as const },
  ...termsDocuments.flatMap((document) => [
    { title: messages.documents[document], text: (one: Consents) => lastOf(one, document)?.version ?? '' },
    {
      title: messages.documentAt(messages.documents[document]),
      text: (one: Consents) => lastOf(one, document)?.at ?? '',
    },
  ]),
]
