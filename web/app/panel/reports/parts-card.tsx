import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { mostParts, reports } from '@clear-to-post/contract/reports'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { query } from '../../api.ts'
import { useMay } from '../../session.ts'
import { dayWords } from '../../times.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Listed, listOf, PeopleLoading } from '../../ui/listed.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { CsvColumn } from '../csv.ts'
import { CsvOfTable } from '../csv-button.tsx'
import { messages } from './messages.ts'
import { partKeys, type PartKey, type ReportsSearch } from './search.ts'
import { hoursWords, minutesOf, numberWords, shareWords } from './words.ts'

type Asked = { from: string; to: string; timezone: string; tenantId?: string; userId?: string; editorId?: string }
type Change = (part: Partial<ReportsSearch>) => void

/** The same figures by editor, company, officer or product, and the officers who send nothing any more. */
export const PartsCard = ({ asked, by, change }: { asked: Asked; by: PartKey; change: Change }) => {
  // Whoever runs one company has nothing to part by companies.
  const hasSeveral = useMay('tenant.create')
  const offered = partKeys.filter((key) => key !== 'company' || hasSeveral)
  return (
    <section aria-label={messages.parts} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-base font-bold">{messages.parts}</h2>
      <Tabs
        label={messages.parts}
        value={offered.includes(by) ? by : offered[0]!}
        onChange={(chosen) => change({ by: chosen })}
        items={offered.map((key) => ({ key, label: messages.by[key] }))}
      >
        {(key) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-3">
            {key === 'lost' ? <Lost asked={asked} /> : <Parts asked={asked} by={key} change={change} />}
          </div>
        )}
      </Tabs>
    </section>
  )
}

type Part = CallAnswer<typeof reports.parts>['items'][number]

const Parts = ({ asked, by, change }: { asked: Asked; by: Exclude<PartKey, 'lost'>; change: Change }) => {
  const answer = useQuery({ ...query(reports.parts, { query: { ...asked, by } }), placeholderData: keepPreviousData })
  const nameOf = ({ id, name }: Part) =>
    name || (by === 'product' ? messages.noPlan : id === null ? messages.noCompany : messages.somebody)
  const narrow = (part: Part) =>
    part.id === null || by === 'product' ? (
      nameOf(part)
    ) : (
      <button
        type="button"
        aria-label={messages.narrow(nameOf(part))}
        onClick={() => change({ [keys[by]]: part.id } as Partial<ReportsSearch>)}
        className="touch text-left underline decoration-edge underline-offset-2 [overflow-wrap:anywhere] hover:decoration-ink"
      >
        {nameOf(part)}
      </button>
    )
  const figures: (CsvColumn<Part> & { key: string; isOff?: boolean })[] = [
    { key: 'sent', title: messages.sentIn, text: ({ sentIn }) => numberWords(sentIn), isOff: by === 'editor' },
    { key: 'approved', title: messages.approved, text: ({ approved }) => numberWords(approved) },
    { key: 'minutes', title: messages.minutes, text: (part) => numberWords(minutesOf(part)) },
    { key: 'time', title: messages.onTime, text: ({ onTime, promised }) => shareWords(onTime, promised) },
    { key: 'hours', title: messages.turnaround, text: ({ turnaroundHours }) => hoursWords(turnaroundHours) },
    { key: 'first', title: messages.firstPass, text: ({ firstPass, approved }) => shareWords(firstPass, approved) },
    { key: 'denied', title: messages.denied, text: ({ denied }) => numberWords(denied) },
    { key: 'revisions', title: messages.revisions, text: ({ revisions }) => numberWords(revisions) },
  ]
  const shown = figures.filter(({ isOff }) => !isOff)
  const columns: Column<Part & { id: string }>[] = [
    { key: 'name', title: messages.name[by], cell: narrow },
    ...shown.map(({ key, title, text }) => ({
      key,
      title,
      headClassName: 'text-right',
      cellClassName: 'figures text-right',
      cell: text,
    })),
  ]
  return (
    <Listed
      list={listOf(answer, ({ items }) => items)}
      failed={messages.partsFailed}
      loading={<PeopleLoading count={4} />}
      empty={<EmptyState icon={<UsersRound aria-hidden />} title={messages.noneTitle} text={messages.noneText} />}
    >
      {(items) => (
        <>
          <DataTable
            label={messages.by[by]}
            rows={items.map((part) => ({ ...part, id: part.productId ?? part.id ?? '' })) as (Part & { id: string })[]}
            columns={columns}
            isStale={answer.isPlaceholderData}
            card={(part) => (
              <div className="grid min-w-0 flex-1 gap-1">
                <p className="font-medium">{narrow(part)}</p>
                <dl className="figures grid grid-cols-2 gap-x-4 gap-y-0.5 text-[0.8125rem]">
                  {shown.map(({ key, title, text }) => (
                    <div key={key} className="flex justify-between gap-2">
                      <dt className="text-muted">{title}</dt>
                      <dd>{text(part)}</dd>
                    </div>
                  ))}
                </dl>
              </div>
            )}
          />
          <Foot isCut={answer.data?.isCut === true}>
            <CsvOfTable
              rows={items}
              columns={[{ title: messages.name[by], text: nameOf }, ...shown]}
              name={`by-${by}`}
              label={messages.csvOf(messages.by[by])}
            >
              {messages.csv}
            </CsvOfTable>
          </Foot>
        </>
      )}
    </Listed>
  )
}

type LostOfficer = CallAnswer<typeof reports.lost>['items'][number]

const Lost = ({ asked: { from, to, timezone, tenantId, userId } }: { asked: Asked }) => {
  const asked = {
    from,
    to,
    timezone,
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(userId === undefined ? {} : { userId }),
  }
  const answer = useQuery({ ...query(reports.lost, { query: asked }), placeholderData: keepPreviousData })
  return (
    <Listed
      list={listOf(answer, ({ items }) => items)}
      failed={messages.partsFailed}
      loading={<PeopleLoading count={4} />}
      empty={<EmptyState icon={<UsersRound aria-hidden />} title={messages.noLostTitle} text={messages.noLostText} />}
    >
      {(items) => (
        <>
          <DataTable
            label={messages.by.lost}
            rows={items}
            columns={lostColumns.map((column, place) => ({
              ...column,
              key: column.title,
              cell: column.text,
              ...(place > 1 ? { headClassName: 'text-right', cellClassName: 'figures text-right' } : {}),
            }))}
            isStale={answer.isPlaceholderData}
            card={(one) => (
              <div className="grid min-w-0 flex-1 gap-0.5">
                <p className="font-medium [overflow-wrap:anywhere]">{one.name || messages.somebody}</p>
                <p className="figures text-[0.8125rem] text-muted">
                  {[one.company, `${messages.videosBefore}: ${one.videos}`, dayWords(one.lastSentIn)]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
            )}
          />
          <Foot isCut={answer.data?.isCut === true}>
            <CsvOfTable
              rows={items}
              columns={lostColumns}
              name="lost-officers"
              label={messages.csvOf(messages.by.lost)}
            >
              {messages.csv}
            </CsvOfTable>
          </Foot>
        </>
      )}
    </Listed>
  )
}

const lostColumns: CsvColumn<LostOfficer>[] = [
  { title: messages.name.officer, text: ({ name }) => name || messages.somebody },
  { title: messages.company, text: ({ company = '' }) => company },
  { title: messages.videosBefore, text: ({ videos }) => numberWords(videos) },
  { title: messages.lastSentIn, text: ({ lastSentIn }) => dayWords(lastSentIn) },
]

const Foot = ({ isCut, children }: { isCut: boolean; children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">
    {isCut && <p className="text-muted">{messages.isCut(mostParts)}</p>}
    <div className="ml-auto">{children}</div>
  </div>
)

const keys = { editor: 'editor', company: 'tenant', officer: 'officer' } as const
