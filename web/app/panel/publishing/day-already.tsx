import { useQuery } from '@tanstack/react-query'
import { publishing } from '@clear-to-post/contract/publishing'
import { dayIn } from '@clear-to-post/domain/calendar'
import { networks } from '@clear-to-post/domain/networks'
import { dayAfter } from '@clear-to-post/domain/periods'
import { fillsItsMoment, isSameMinute } from '@clear-to-post/domain/post-days'
import { query } from '../../api.ts'
import { currentZone } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { Loaded } from '../../ui/states.tsx'
import { startOfDay, timeOf } from '../days.ts'
import { messages } from './messages.ts'

// More would push what is asked out of a phone's screen.
const mostShown = 4

/** What of the person's own posts is due on the day of a moment, said where that moment is chosen; not those of the video that is moved. */
export const DayAlready = ({ at, except }: { at: Date; except?: string | undefined }) => {
  const day = dayIn(at, currentZone())
  const from = startOfDay(day).toISOString()
  const to = startOfDay(dayAfter(day, 1)).toISOString()
  const answer = useQuery(query(publishing.calendar, { query: { from, to } }))
  return (
    <Loaded answer={answer} isSmall loading={null}>
      {({ items }) => {
        const posts = items.filter(({ state, projectId }) => fillsItsMoment(state) && projectId !== except)
        // The one at the chosen moment is never among those that are only counted.
        const isThen = ({ dueAt }: { dueAt: string }) => isSameMinute(dueAt, at)
        const ordered = [...posts.filter(isThen), ...posts.filter((post) => !isThen(post))]
        const isCollision = posts.some(isThen)
        return (
          <div role="status" className={cx('text-[0.8125rem]', posts.length > 0 && 'mt-3')}>
            {posts.length > 0 && (
              <>
                <p className={isCollision ? 'text-danger' : 'text-muted'}>
                  {isCollision ? messages.sameTime : messages.sameDay}
                </p>
                <ul className="mt-1 grid gap-0.5">
                  {ordered.slice(0, mostShown).map((post) => (
                    <li key={post.id} className="[overflow-wrap:anywhere]">
                      <span className="figures text-muted">
                        {timeOf(post.dueAt)} · {networks[post.network].name}
                      </span>{' '}
                      {post.projectTitle}
                    </li>
                  ))}
                </ul>
                {posts.length > mostShown && <p className="text-muted">{messages.more(posts.length - mostShown)}</p>}
              </>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
