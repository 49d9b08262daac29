import { tooMany } from '@clear-to-post/contract/errors'
import { answeredPerMinute } from '@clear-to-post/domain/most-kept'
import type { Caller } from './database.ts'
import { laneOf } from './lane.ts'

type Who = Pick<Caller, 'id' | 'key'>

/**
 * Bounds how much one person is answered in a minute: one thread writes every answer, and whoever reads long ones without a
 * pause would have it to themselves. `count` counts bytes of an answer; `require` throws `request.too-many` from
 * `answeredPerMinute` on until that minute is over. `now` is the clock, in ms.
 */
export const boundAnswers = ({ limits, now = Date.now }: { limits: boolean; now?: () => number }) => {
  const answered = new Map<string, { bytes: number; endsAt: number }>()
  const current = (id: string) => {
    const found = answered.get(id)
    if (found && found.endsAt > now()) return found
    answered.delete(id)
    return undefined
  }
  return {
    require: (who: Who): void => {
      const minute = current(laneOf(who))
      if (limits && minute && minute.bytes >= answeredPerMinute) throw tooMany(minute.endsAt - now())
    },
    count: (who: Who, bytes: number): void => {
      const lane = laneOf(who)
      const minute = current(lane)
      if (minute) minute.bytes += bytes
      else answered.set(lane, { bytes, endsAt: now() + 60_000 })
      // In the order in which minutes began: the first have ended, or are the oldest.
      for (const [other, { endsAt }] of answered) {
        if (endsAt > now() && answered.size <= mostPeople) break
        answered.delete(other)
      }
    },
  }
}

const mostPeople = 50_000
