import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { goals, type Goal } from '@clear-to-post/contract/goals'
import { dayIn } from '@clear-to-post/domain/calendar'
import { query } from '../../api.ts'
import { locale } from '../../language.ts'
import { currentZone } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { Listed, listOf } from '../../ui/listed.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'

/** The week on the ledger ruler: one tick a video, the coral head at what is approved; below it, day by day. */
export const WeekGoal = () => {
  const weeks = useQuery(query(goals.list, {}))
  const goal = weeks.data?.items[0]
  return (
    <section aria-labelledby="goal" className="flex min-h-62 flex-col rounded-card border border-line bg-surface">
      <header className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-3 md:px-5">
        <h2 id="goal" className="text-base">
          {messages.goal}
        </h2>
        {goal && goal.target > 0 && (
          <p className="text-[0.8125rem] text-muted">
            {goal.progress >= goal.target ? messages.goalDone : messages.goalLeft(goal.target - goal.progress)}
          </p>
        )}
      </header>
      <Listed
        list={listOf(weeks, ({ items }) => items.slice(0, 1))}
        failed={messages.goalFailed}
        isSmall
        loading={
          <div className="p-4 md:p-5">
            <Skeleton className="mb-4 h-9 w-32" />
            <Skeleton className="mb-4 h-6 w-full" />
            <Skeleton className="h-16 w-full" />
          </div>
        }
        empty={<p className="grid flex-1 place-content-center p-5 text-muted">{messages.noGoal}</p>}
      >
        {(shown) => shown.map((one) => <Week key={one.isoWeek} goal={one} />)}
      </Listed>
    </section>
  )
}

const Week = ({ goal }: { goal: z.infer<typeof Goal> }) => {
  const { progress, target, dailyMilestones } = goal
  const part = Math.min(1, target > 0 ? progress / target : 1)
  const most = Math.max(1, ...dailyMilestones.map((day) => Math.max(day.target, day.progress)))
  const today = dayIn(new Date(), currentZone())
  return (
    <div className="grid flex-1 content-between gap-5 p-4 md:p-5">
      <p>
        <span aria-hidden className="figures font-display text-3xl font-semibold">
          {progress}
        </span>
        <span aria-hidden className="text-muted">
          {target > 0 ? ` / ${target} ${messages.approved}` : ` ${messages.approved}`}
        </span>
        <span className="sr-only">{messages.goalOf(progress, target)}</span>
      </p>
      <div aria-hidden className="relative h-5">
        <span className="absolute inset-x-0 bottom-0 h-px bg-line" />
        <span className="absolute bottom-0 left-0 h-0.5 bg-ink" style={{ width: `${part * 100}%` }} />
        {target <= 60 &&
          Array.from({ length: target + 1 }, (_, i) => (
            <span
              key={i}
              className={cx(
                'absolute bottom-0 w-px',
                i % 5 === 0 ? 'h-3' : 'h-1.5',
                i <= progress ? 'bg-ink' : 'bg-edge',
              )}
              style={{ left: `calc(${target > 0 ? i / target : 0} * (100% - 1px))` }}
            />
          ))}
        <span className="absolute top-0 bottom-0 w-0.5 -translate-x-1/2 bg-coral" style={{ left: `${part * 100}%` }}>
          <span className="absolute top-0 -left-1 h-2.25 w-2.5 bg-coral [clip-path:polygon(0_0,100%_0,100%_45%,50%_100%,0_45%)]" />
        </span>
      </div>
      <ol className="grid grid-cols-7 gap-1.5">
        {dailyMilestones.map(({ id, date, target: wanted, progress: done }) => {
          const at = new Date(`${date}T12:00:00Z`)
          return (
            <li key={id} className="grid justify-items-center gap-1" aria-current={date === today ? 'date' : undefined}>
              <span aria-hidden className="relative flex h-11 w-full items-end border-b border-line">
                {wanted > 0 && (
                  <span
                    className="absolute inset-x-1 border-t border-dashed border-edge"
                    style={{ bottom: `${(wanted / most) * 100}%` }}
                  />
                )}
                <span
                  className={cx('mx-auto w-2.5', done >= wanted && done > 0 ? 'bg-good' : 'bg-primary')}
                  style={{ height: `${(done / most) * 100}%` }}
                />
              </span>
              <span
                aria-hidden
                className={cx(
                  'font-mono text-[0.6875rem]',
                  date === today ? 'font-semibold text-coral-text' : 'text-muted',
                )}
              >
                {letterOf.format(at)}
              </span>
              <span className="sr-only">{messages.dayOf(dayOf.format(at), done, wanted)}</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const letterOf = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' })
const dayOf = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
