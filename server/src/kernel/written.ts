import type { CallShape } from '@clear-to-post/contract/call'
import { writeBytes, writesPerMinute } from '@clear-to-post/domain/most-kept'
import type { Caller } from './database.ts'
import { refusal } from '@clear-to-post/contract/errors'
import { NetworkCounter } from './network-counter.ts'

/** `bytes` are the body's, as the request announces them. */
export type RequireWritable = (shape: CallShape, caller: Caller, bytes: number) => Promise<void>

/**
 * Bounds what people write by calls of whatever kind. The function answered throws `request.too-many` for a person's
 * writes beyond `writesPerMinute`, where one with a large body counts for several, and `service.unavailable` for what adds to a disk that has no room for it: `hasRoom`
 * says so. Reading, and what signs in and out, is always let through; so is removing, which makes room.
 */
export const boundWrites = ({
  hasRoom,
  limits,
}: {
  hasRoom: () => Promise<boolean>
  limits: boolean
}): RequireWritable => {
  const counter = new NetworkCounter()
  return async (shape, { id }, bytes) => {
    if (shape.method === 'GET' || shape.base === '/identity') return
    // A person is counted like a network that stands alone.
    const weight = Math.max(1, Math.ceil(bytes / writeBytes))
    const counted = { most: writesPerMinute, windowMs: 60_000, now: Date.now(), weight }
    if (limits && counter.count(id, counted).current > writesPerMinute) throw refusal('request.too-many')
    if (shape.method !== 'DELETE' && !(await hasRoom()))
      throw refusal(
        'service.unavailable',
        'There is no room for anything new right now. We have been told. Keep this page open and try again later.',
      )
  }
}
