import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Caller } from '../kernel/database.ts'
import { Audience, type Listener, type Watch } from './live-audience.ts'

const callerAs = (role: Caller['role'], tenantId: string | null): Caller => ({
  id: randomUUID(),
  role,
  tenantId,
  securityStamp: 1,
})
const watches: (() => Watch | undefined)[] = [
  () => undefined,
  () => ({ lists: true, support: true, projects: new Set() }),
  () => ({ lists: false, support: false, projects: new Set(Array.from({ length: 50 }, () => randomUUID())) }),
]
const callers = [
  callerAs('User', randomUUID()),
  callerAs('QA', randomUUID()),
  callerAs('ADMIN', randomUUID()),
  callerAs('ADMIN', null),
]

test('nothing is kept of streams that have ended, however often they say so', () => {
  const audience = new Audience()
  const listeners = callers.flatMap((caller) =>
    watches.map((watch): Listener => {
      const stream: Listener = {
        caller,
        watch: watch(),
        send: () => {},
        close: () => audience.delete(stream),
        recheck: async () => {},
      }
      return stream
    }),
  )
  for (const one of listeners) audience.add(one)
  expect(audience.placesKept).toBeGreaterThan(callers.length)
  // Asked for nobody, and told of nobody's video: no place is made for it.
  const before = audience.placesKept
  audience.tell({ type: 'project', userId: randomUUID(), tenantId: randomUUID() })
  expect(audience.of(randomUUID()).size).toBe(0)
  expect(audience.placesKept).toBe(before)
  for (const one of listeners) {
    one.close()
    // The line that ends says it once more.
    expect(audience.delete(one)).toBe(false)
  }
  expect(audience.placesKept).toBe(0)
  expect(audience.listeners.size).toBe(0)
  audience.close()
})
