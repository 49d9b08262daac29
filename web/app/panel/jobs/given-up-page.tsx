import { getRouteApi, Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { jobs, type GivenUpJob } from '@clear-to-post/contract/jobs'
import { jobKinds } from '@clear-to-post/domain/job-kinds'
import { query, usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { fullWords, whenInSentence, whenWords } from '../../times.ts'
import { Nothing, type Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { AuditNav } from '../audit/audit-nav.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { messages } from './messages.ts'
import { JobMenu, SendAllButton } from './settling.tsx'

const route = getRouteApi('/panel/audit/jobs')

/** What the service could not do, and what becomes of it: for whoever runs the service. */
export const GivenUpPage = () => {
  const filters = useFilters(route.useSearch())
  const kind = [...jobKinds, 'earlier' as const].find((one) => one === filters.search.kind)
  const counts = useQuery(query(jobs.counts, {})).data?.items ?? []
  const countOf = (one: string) => counts.find((counted) => counted.kind === one)?.count ?? 0
  const offered = [...jobKinds, 'earlier' as const].filter((one) => countOf(one) > 0 || one === kind)
  return (
    <TablePage
      words={messages}
      icon={CircleCheck}
      beside={<AuditNav />}
      emptyAction={null}
      create={
        kind !== undefined && kind !== 'earlier' && countOf(kind) > 0 ? (
          <SendAllButton kind={kind} count={countOf(kind)} />
        ) : undefined
      }
      filter={{
        words: messages,
        isOn: kind !== undefined,
        onClear: filters.clear,
        fields: (
          <div role="search" className="flex">
            <FilterSelect
              label={messages.filter}
              all={messages.all}
              value={kind}
              options={offered.map((value) => ({
                value,
                label: messages.counted(messages.kinds[value], countOf(value)),
              }))}
              onChange={(next) => filters.change({ kind: next } as { kind?: string })}
            />
          </div>
        ),
      }}
      list={usePages(
        jobs.givenUp,
        { perPage: 50, wheres: kind === undefined ? [] : [`kind:eq:${kind}`] },
        { refetchInterval: 10_000 },
      )}
      label={messages.list}
      columns={columns}
      card={(one) => (
        <>
          <div className="grid min-w-0 flex-1 gap-1">
            <What of={one} />
            <p className="text-[0.8125rem] [overflow-wrap:anywhere]">{one.why}</p>
            <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
              {[one.company?.name ?? messages.noCompany, ...triesOf(one), whenWords(one.at)].join(' · ')}
            </p>
          </div>
          <JobMenu of={one} />
        </>
      )}
    />
  )
}

const triesOf = ({ tries }: GivenUpJob) => (tries === undefined ? [] : [messages.triesWords(tries)])

/** The kind of the job, its video, and whether somebody has tried this before. */
const What = ({ of: { kind, project, sentBefore } }: { of: GivenUpJob }) => (
  <div className="grid gap-0.5 [overflow-wrap:anywhere]">
    <span className="font-medium">{messages.kinds[kind]}</span>
    {project && (
      <Link
        to={paths.project}
        params={{ projectId: project.id }}
        className="text-[0.8125rem] underline underline-offset-2"
      >
        {project.title}
      </Link>
    )}
    {sentBefore > 0 && <span className="text-[0.8125rem] text-warn">{messages.sentBefore(sentBefore)}</span>}
  </div>
)

const columns: Column<GivenUpJob>[] = [
  {
    key: 'what',
    title: messages.what,
    headClassName: 'w-[24%]',
    cellClassName: 'align-top',
    cell: (one) => <What of={one} />,
  },
  {
    key: 'why',
    title: messages.why,
    cellClassName: 'align-top text-[0.8125rem] [overflow-wrap:anywhere]',
    cell: ({ why }) => why,
  },
  {
    key: 'company',
    isCompany: true,
    title: messages.company,
    headClassName: 'w-[15%] max-lg:hidden',
    cellClassName: 'align-top text-muted [overflow-wrap:anywhere] max-lg:hidden',
    cell: ({ company }) => company?.name ?? <Nothing />,
  },
  {
    key: 'tries',
    title: messages.tries,
    headClassName: 'w-16',
    cellClassName: 'figures align-top text-muted',
    cell: ({ tries }) => tries ?? <Nothing />,
  },
  {
    key: 'at',
    title: messages.at,
    headClassName: 'w-[13%]',
    cellClassName: 'align-top text-muted',
    cell: ({ at, askedAt }) => (
      <div className="grid gap-0.5">
        <time dateTime={at} title={fullWords(at)}>
          {whenWords(at)}
        </time>
        {askedAt !== undefined && (
          <span className="text-[0.8125rem]">{messages.askedFor(whenInSentence(askedAt))}</span>
        )}
      </div>
    ),
  },
  {
    key: 'actions',
    title: messages.actions,
    headClassName: 'w-16',
    cellClassName: 'align-top',
    cell: (one) => <JobMenu of={one} />,
  },
]
