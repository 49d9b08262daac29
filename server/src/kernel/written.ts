import type { CallShape } from '@clear-to-post/contract/call'
import { outsidePerMinute, writeBytes, writesPerDay, writesPerMinute } from '@clear-to-post/domain/most-kept'
import type { Caller } from './database.ts'
import { refusal, tooMany } from '@clear-to-post/contract/errors'
import { laneOf } from './lane.ts'
import { NetworkCounter } from './network-counter.ts'

/** `caller` is null for who has no account; `bytes` are the body's, as the request announces them. */
export type RequireWritable = (
  shape: Pick<CallShape, 'method' | 'base' | 'creates' | 'asksOutside'>,
  caller: Caller | null,
  bytes: number,
) => Promise<void>

/**
 * Bounds what people write by calls of whatever kind. The function answered throws `request.too-many` for a person's
 * writes beyond `writesPerMinute`, where one with a large body counts for several, and beyond `writesPerDay`, and for what
 * asks a service outside beyond `outsidePerMinute`; and
 * `service.unavailable` for what adds to a disk that has no room for it: `hasRoom` says so. `now` is the clock, in ms.
 * Reading, and what signs in and out, is always let through; so is removing, which makes room. Without an account there is
 * no room for what makes something new; networks are counted elsewhere.
 */
export const boundWrites = ({
  hasRoom,
  limits,
  now = Date.now,
  counter = () => new NetworkCounter(),
}: {
  hasRoom: () => Promise<boolean>
  limits: boolean
  now?: () => number
  /** A counter by its name, which all hosts give it. */
  counter?: (name: string) => NetworkCounter
}): RequireWritable => {
  const [minutes, days, outside] = ['writes of a minute', 'writes of a day', 'questions outside'].map(counter) as [
    NetworkCounter,
    NetworkCounter,
    NetworkCounter,
  ]
  const countFor = (id: string, bytes: number) => {
    // A person is counted like a network that stands alone.
    const weight = Math.max(1, Math.ceil(bytes / writeBytes))
    const minute = { most: writesPerMinute, windowMs: 60_000, now: now(), weight }
    if (!limits) return
    const written = minutes.count(id, minute)
    if (written.current > writesPerMinute) throw tooMany(written.ttl)
    const today = days.count(id, { most: writesPerDay, windowMs: 86_400_000, now: now() })
    if (today.current > writesPerDay)
      throw tooMany(today.ttl, 'You wrote as much as we take from one person in a day. Go on tomorrow.')
  }
  const countOutside = (id: string) => {
    const minute = { most: outsidePerMinute, windowMs: 60_000, now: now() }
    if (!limits) return
    const asked = outside.count(id, minute)
    if (asked.current > outsidePerMinute) throw tooMany(asked.ttl)
  }
  return async (shape, caller, bytes) => {
    if (caller && shape.asksOutside) countOutside(laneOf(caller))
    if (shape.method === 'GET' || shape.base === '/identity') return
    if (caller) countFor(laneOf(caller), bytes)
    else if (!shape.creates) return
    if (shape.method !== 'DELETE' && !(await hasRoom()))
      throw refusal(
        'service.unavailable',
        'There is no room for anything new right now. We have been told. Keep this page open and try again later.',
      )
  }
}
