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

/** What was changed, as the call takes it. */
export const changesOf = (form: Form, kept: Form) => ({
  ...(JSON.stringify(form.workWeek) === JSON.stringify(kept.workWeek) ? {} : { workWeek: [...form.workWeek] }),
  ...(JSON.stringify(form.timeOff) === JSON.stringify(kept.timeOff) ? {} : { timeOff: [...form.timeOff] }),
})
