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
