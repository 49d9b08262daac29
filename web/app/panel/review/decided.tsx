import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { projects } from '@clear-to-post/contract/projects'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { query } from '../../api.ts'
import { paths } from '../../paths.ts'
import { fullWords, whenWords } from '../../times.ts'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { whoseWords } from '../project/whose.ts'
import { messages } from './messages.ts'

type Decision = CallAnswer<typeof projects.decided>['items'][number] & { id: string }

/** What reviewers decided, newest first: which cut of which video, by whom, and what was taken back. */
export const Decided = () => {
  const decided = useQuery(query(projects.decided, {}))
  return (
    <section aria-labelledby="decided" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="decided" className="text-base">
        {messages.decided}
      </h2>
      <Loaded answer={decided} failed={messages.decidedFailed} isSmall loading={<Skeleton className="h-32 w-full" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-muted">{messages.noneDecided}</p>
          ) : (
            <DataTable
              label={messages.decided}
              columns={columns}
              rows={items.map((item, at) => ({ ...item, id: `${item.projectId} ${at}` }))}
              card={(one) => (
                <div className="grid min-w-0 flex-1 gap-1">
                  <Video of={one} />
                  <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] text-muted">
                    <Verdict of={one} />
                    {`${by(one)} · ${whenWords(one.at)}`}
                  </p>
                </div>
              )}
            />
          )
        }
      </Loaded>
    </section>
  )
}

const Video = ({ of: { projectId, title, cut, ...whose } }: { of: Decision }) => (
  <span className="[overflow-wrap:anywhere]">
    <Link to={paths.project} params={{ projectId }} className="font-medium hover:underline hover:underline-offset-2">
      {title}
    </Link>{' '}
    <span className="text-[0.8125rem] text-muted">
      {[cut === undefined ? '' : messages.cut(cut), whoseWords(whose)].filter(Boolean).join(' · ')}
    </span>
  </span>
)

const Verdict = ({ of: { verdict, isUndone } }: { of: Decision }) => (
  <Badge tone={isUndone ? 'plain' : verdict === 'approved' ? 'good' : 'danger'}>
    {isUndone ? messages.undone(messages.verdicts[verdict]) : messages.verdicts[verdict]}
  </Badge>
)

const by = ({ isOwn, byName }: Decision): string => (isOwn ? messages.you : byName)

const columns: Column<Decision>[] = [
  { key: 'video', title: messages.video, cell: (one) => <Video of={one} /> },
  { key: 'verdict', title: messages.verdict, cell: (one) => <Verdict of={one} /> },
  { key: 'by', title: messages.by, cell: by },
  {
    key: 'at',
    title: messages.when,
    cellClassName: 'text-muted whitespace-nowrap',
    cell: ({ at }) => <time title={fullWords(at)}>{whenWords(at)}</time>,
  },
]
