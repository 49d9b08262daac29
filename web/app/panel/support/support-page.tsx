import { useState, type ReactNode } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { LifeBuoy, MessageCircleQuestionMark } from 'lucide-react'
import { support, type SupportThread } from '@clear-to-post/contract/support'
import { usePages } from '../../api.ts'
import { useMay, useUser } from '../../session.ts'
import { agoWords, fullWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { FilterSelect } from '../../ui/filter-bar.tsx'
import { CsvButton } from '../csv-button.tsx'
import { searchFilter } from '../search-filter.tsx'
import { TablePage } from '../table-page.tsx'
import { useFilters } from '../use-filters.ts'
import { AskDialog } from './ask-dialog.tsx'
import { BulkClose } from './bulk-close.tsx'
import { messages } from './messages.ts'
import { askerWords, StateBadge, Subject } from './parts.tsx'
import { wheresOf } from './search.ts'

const route = getRouteApi('/panel/support')

/** Questions: for who answers the queue, for everybody else what they have asked. */
export const SupportPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const answers = useMay('support.answer')
  const asks = useMay('support.ask')
  const [isAsking, setAsking] = useState(false)
  const ask = asks && (
    <Button variant="primary" icon={<MessageCircleQuestionMark aria-hidden />} onPress={() => setAsking(true)}>
      {messages.ask}
    </Button>
  )
  return (
    <>
      {answers && search.whose !== 'own' ? <Queue ask={ask} /> : <Own ask={ask} answers={answers} />}
      {asks && (isAsking || search.about !== undefined) && (
        <AskDialog
          projectId={search.about}
          onClose={() => {
            setAsking(false)
            if (search.about !== undefined)
              void navigate({
                search: (before) => ({ ...before, about: undefined }),
                replace: true,
                resetScroll: false,
              })
          }}
        />
      )}
    </>
  )
}

const Queue = ({ ask }: { ask: ReactNode }) => {
  const filters = useFilters(route.useSearch(), ['whose', 'about'])
  const { id } = useUser()
  const wheres = wheresOf(filters.search, id)
  const list = usePages(support.list, { perPage: 50, wheres })
  // As they were when they were chosen: who writes on after that is read before their question is closed.
  const [ticked, setTicked] = useState<readonly SupportThread[]>([])
  const closable = (list.items ?? []).filter(({ actions }) => actions.includes('close'))
  const chosen = ticked.filter(({ id: one }) => closable.some((other) => other.id === one))
  const choice = (one: SupportThread) =>
    one.actions.includes('close') && (
      <Checkbox
        aria-label={messages.choose(one.subject)}
        isSelected={ticked.some((other) => other.id === one.id)}
        onChange={(isChosen) =>
          setTicked((before) => [...before.filter((other) => other.id !== one.id), ...(isChosen ? [one] : [])])
        }
        className="relative z-1 self-start max-md:-m-2 max-md:size-11 max-md:justify-center md:mt-0.5"
      >
        {null}
      </Checkbox>
    )
  return (
    <TablePage
      // Letters of the contact form are for whoever runs the service, who asks nobody.
      words={ask === false ? messages : { ...messages, emptyText: messages.companyEmptyText }}
      icon={LifeBuoy}
      create={
        <>
          {ask}
          <CsvButton shape={support.list} asked={{ wheres }} columns={csv} name="questions" />
        </>
      }
      emptyAction={ask}
      selected={
        chosen.length > 0 && (
          <BulkClose
            chosen={chosen}
            left={closable.length - chosen.length}
            onAll={() =>
              setTicked([...chosen, ...closable.filter((one) => !chosen.some((other) => other.id === one.id))])
            }
            onEnd={() => {
              setTicked([])
              // The bar goes, and what was pressed in it.
              document.getElementById('content')?.focus({ preventScroll: true })
            }}
          />
        )
      }
      filter={searchFilter(
        messages,
        filters,
        <>
          <FilterSelect
            label={messages.show}
            all={messages.all}
            value={filters.search.show}
            options={(['waiting', 'mine', 'answered', 'closed'] as const).map((value) => ({
              value,
              label: messages.shows[value],
            }))}
            onChange={(show) => filters.change({ show })}
          />
          {ask !== false && <Whose />}
        </>,
      )}
      list={list}
      label={messages.list}
      columns={[subjectBeside(choice), ...queueColumns]}
      card={(one) => (
        <>
          {choice(one)}
          <ThreadCard of={one} from={askerWords(one)} />
        </>
      )}
    />
  )
}

const Own = ({ ask, answers }: { ask: ReactNode; answers: boolean }) => {
  const list = usePages(support.mine, { perPage: 50 })
  const words = {
    ...messages,
    text: messages.ownText,
    emptyTitle: messages.ownEmptyTitle,
    emptyText: messages.ownEmptyText,
  }
  return (
    <TablePage
      words={words}
      icon={LifeBuoy}
      create={ask}
      beside={answers && <Whose />}
      list={list}
      label={messages.list}
      columns={ownColumns}
      card={(one) => <ThreadCard of={one} from={one.project?.title ?? ''} />}
    />
  )
}

/** Of who answers and asks: which of the two lists. */
const Whose = () => {
  const { whose } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <FilterSelect
      label={messages.whose}
      all={messages.queue}
      value={whose}
      options={[{ value: 'own', label: messages.own }]}
      onChange={(chosen) => void navigate({ search: chosen === undefined ? {} : { whose: chosen }, replace: true })}
    />
  )
}

/** A question on a phone. */
const ThreadCard = ({ of: one, from }: { of: SupportThread; from: string }) => (
  <div className="relative grid min-w-0 flex-1 gap-1.5">
    <Subject of={one} />
    <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[0.8125rem] text-muted">
      <StateBadge of={one} />
      {from !== '' && <span className="[overflow-wrap:anywhere]">{from}</span>}
      <Since of={one} />
    </p>
  </div>
)

const Since = ({ of: { since } }: { of: SupportThread }) => (
  <time dateTime={since} title={fullWords(since)}>
    {agoWords(since)}
  </time>
)

const subject: Column<SupportThread> = {
  key: 'subject',
  title: messages.subject,
  headClassName: 'w-[42%]',
  cell: (one) => <Subject of={one} />,
}
const state: Column<SupportThread> = { key: 'state', title: messages.state, cell: (one) => <StateBadge of={one} /> }
const since: Column<SupportThread> = {
  key: 'since',
  title: messages.since,
  cellClassName: 'text-muted whitespace-nowrap',
  cell: (one) => <Since of={one} />,
}

const subjectBeside = (choice: (one: SupportThread) => ReactNode): Column<SupportThread> => ({
  ...subject,
  cell: (one) => (
    <div className="flex gap-3">
      {choice(one)}
      <Subject of={one} />
    </div>
  ),
})

const csv = [
  { title: messages.subject, text: ({ subject: words }: SupportThread) => words },
  { title: messages.from, text: askerWords },
  { title: messages.company, text: ({ tenant }: SupportThread) => tenant?.name ?? '', isCompany: true as const },
  { title: messages.assignee, text: ({ assignee }: SupportThread) => assignee?.name ?? '' },
  { title: messages.state, text: ({ state: one }: SupportThread) => messages.states[one] },
  { title: messages.askedOn, text: ({ createdAt }: SupportThread) => createdAt },
  { title: messages.since, text: ({ since: at }: SupportThread) => at },
]

const queueColumns: Column<SupportThread>[] = [
  {
    key: 'from',
    title: messages.from,
    cell: (one) => (
      <div className="grid gap-0.5 [overflow-wrap:anywhere]">
        {askerWords(one)}
        <span className="text-[0.8125rem] text-muted">{one.person ? one.tenant?.name : messages.guest}</span>
      </div>
    ),
  },
  {
    key: 'assignee',
    title: messages.assignee,
    headClassName: 'max-lg:hidden',
    cellClassName: 'text-muted max-lg:hidden',
    cell: ({ assignee, isWithService }) => assignee?.name ?? (isWithService ? messages.service : messages.nobody),
  },
  state,
  since,
]

const ownColumns: Column<SupportThread>[] = [
  subject,
  {
    key: 'video',
    title: messages.video,
    cellClassName: 'text-muted [overflow-wrap:anywhere]',
    cell: ({ project }) => project?.title ?? '',
  },
  state,
  since,
]
