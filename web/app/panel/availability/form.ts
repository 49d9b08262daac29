import { usualWeek, type Hours, type TimeOff } from '@clear-to-post/domain/availability'
import type { User } from '@clear-to-post/contract/accounts'

export type Form = { workWeek: readonly (Hours | null)[]; timeOff: readonly TimeOff[] }

export const formOf = (person: Pick<User, 'workWeek' | 'timeOff'>): Form => ({
  workWeek: person.workWeek ?? usualWeek,
  timeOff: person.timeOff ?? [],
})

export const isRight = ({ from, to }: Hours): boolean => from !== '' && from < to

export const areHoursRight = ({ workWeek }: Form): boolean =>
  workWeek.every((hours) => hours === null || isRight(hours))

/** What was changed, and from what, as the call takes it; undefined where nothing was. */
export const changesOf = (form: Form, from: Form) => {
  const changed = parts.filter((part) => JSON.stringify(form[part]) !== JSON.stringify(from[part]))
  const of = (one: Form) => Object.fromEntries(changed.map((part) => [part, [...one[part]]]))
  return changed.length === 0 ? undefined : { ...of(form), was: of(from) }
}
const parts = ['workWeek', 'timeOff'] as const
