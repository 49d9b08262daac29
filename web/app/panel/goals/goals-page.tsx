import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { isoWeekIn } from '@clear-to-post/domain/calendar'
import { locale } from '../../language.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { TableFrame } from '../../ui/data-table.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { GoalRow } from './goal-row.tsx'
import { messages } from './messages.ts'
import { useWeeks } from './use-weeks.ts'
import { WeekStepper } from './week-stepper.tsx'

const route = getRouteApi('/panel/goals')

/** Every editor's week: what is approved, day by day, and the target, which is set here. */
export const GoalsPage = () => {
  const thisWeek = isoWeekIn(new Date(), useUser().timezone ?? 'UTC')
  const { search, change } = useFilters(route.useSearch())
  const { week = thisWeek } = search
  const { list, done, target } = useWeeks(week)
  return (
    <ListPage
      words={messages}
      icon={UsersRound}
      beside={
        <WeekStepper
          week={week}
          thisWeek={thisWeek}
          onChange={(chosen) => change({ week: chosen === thisWeek ? undefined : chosen })}
        />
      }
      list={list}
      loading={<PeopleLoading count={4} />}
      emptyAction={<LinkButton to={paths.people}>{messages.toPeople}</LinkButton>}
    >
      {(weeks) => (
        <>
          <p className="figures font-medium">
            {messages.together(done.toLocaleString(locale), target.toLocaleString(locale))}
          </p>
          <TableFrame label={messages.editors} heads={heads} narrow="max-md">
            {weeks.map((one) => (
              <GoalRow key={`${one.editor.id} ${week}`} week={week} {...one} />
            ))}
          </TableFrame>
        </>
      )}
    </ListPage>
  )
}

const heads = [
  { title: messages.editor },
  { title: messages.progress, className: 'w-[26%]' },
  { title: messages.days },
  { title: messages.target },
]
