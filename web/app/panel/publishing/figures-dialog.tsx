import { useQuery } from '@tanstack/react-query'
import { publishing, type BestTime, type Post } from '@clear-to-post/contract/publishing'
import { figureNames, sumFigures } from '@clear-to-post/domain/figures'
import { networks } from '@clear-to-post/domain/networks'
import { query } from '../../api.ts'
import { whenInSentence } from '../../times.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { CsvOfTable } from '../csv-button.tsx'
import { today } from '../days.ts'
import { figureWords, hourName, weekdayName } from './figures-words.ts'
import { messages } from './messages.ts'

/** How the officer's posts of the last ninety days did, by network and all in all, and when they do best. */
export const FiguresDialog = ({ onClose }: { onClose: () => void }) => {
  const answer = useQuery(query(publishing.figures, {}))
  return (
    <Dialog title={messages.figures} size="medium" isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <p className="mb-3 text-muted">{messages.figuresText}</p>
      <Loaded answer={answer} failed={messages.figuresFailed} isSmall loading={<Skeleton className="h-24 w-full" />}>
        {({ items, bestTime }) => (
          <div className="grid gap-5">
            {items.length === 0 ? <p role="status">{messages.noFigures}</p> : <Sums posts={items} />}
            <section className="grid gap-1">
              <h3 className="text-sm">{messages.bestTime}</h3>
              <p>{bestTimeWords(bestTime)}</p>
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

const Sums = ({ posts }: { posts: readonly Post[] }) => {
  const byNetwork = [...Map.groupBy(posts, ({ network }) => network)]
  return (
    <section className="grid gap-2">
      <dl className="grid gap-2">
        {byNetwork.length > 1 && <Sum name={messages.allPosts(posts.length)} posts={posts} />}
        {byNetwork.map(([network, those]) => (
          <Sum key={network} name={`${networks[network].name}: ${messages.postCount(those.length)}`} posts={those} />
        ))}
      </dl>
      <div>
        <CsvOfTable
          rows={posts}
          columns={columns}
          name={`${messages.figuresFile}-${today()}`}
          label={messages.figuresDownload}
        >
          {messages.figuresDownload}
        </CsvOfTable>
      </div>
    </section>
  )
}

const Sum = ({ name, posts }: { name: string; posts: readonly Post[] }) => (
  <div className="border-b border-line pb-2">
    <dt className="font-medium">{name}</dt>
    <dd>{figureWords(sumFigures(posts.flatMap(({ figures }) => figures ?? [])))}</dd>
  </div>
)

const columns = [
  { title: messages.column.video, text: ({ projectTitle }: Post) => projectTitle },
  { title: messages.column.network, text: ({ network }: Post) => networks[network].name },
  { title: messages.column.account, text: ({ account = '' }: Post) => account },
  { title: messages.column.posted, text: ({ liveAt = '' }: Post) => liveAt },
  { title: messages.column.address, text: ({ address = '' }: Post) => address },
  ...figureNames.map((name) => ({
    title: messages.column[name],
    text: ({ figures }: Post) => String(figures?.[name] ?? ''),
  })),
  { title: messages.column.read, text: ({ figures }: Post) => figures?.at ?? '' },
]

const bestTimeWords = ({ posts, needed, weekday, hour, next }: BestTime): string => {
  if (needed > 0) return messages.tooFew(posts, posts + needed)
  if (!weekday && !hour) return messages.noBetter(posts)
  const when = [
    ...(weekday ? [messages.betterDay(weekdayName(weekday.weekday), String(weekday.lift))] : []),
    ...(hour ? [messages.betterHours(hourName(hour.hour), hourName(hour.hour + 3), String(hour.lift))] : []),
  ]
  return [...when, ...(next ? [messages.nextBest(whenInSentence(next))] : []), messages.bestHint(posts)].join(' ')
}
