import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { liveEvents, type LiveEvents } from '@clear-to-post/contract/live'
import { Status } from '@clear-to-post/domain/workflow'
import type { Caller } from '../kernel/database.ts'
import { Audience, type Listener, type Told, type Watch } from './live-audience.ts'

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
        recheck: async () => true,
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

const projectId = randomUUID()
const otherProject = randomUUID()
const work = { stage: null, progress: null }
/** One of each event that the database tells; a new one must say here how it looks. */
const told: { [Name in Exclude<keyof LiveEvents, 'again' | 'full' | 'projects'>]: LiveEvents[Name] } = {
  project: { projectId, status: Status.submitted, seq: 1, verb: 'create' },
  asset: { assetId: randomUUID(), projectId, state: 'ready', ...work },
  edit: { projectId, state: 'ready', revision: 1, ...work },
  render: { renderId: randomUUID(), projectId, state: 'done', secondsLeft: null, ...work },
  notification: { id: randomUUID() },
  support: { threadId: randomUUID() },
  prompter: { said: { from: 'words', press: 'hello' } },
}
type Event = keyof typeof told
const events = Object.keys(told) as Event[]
const roles = ['User', 'Editor', 'QA', 'ADMIN'] as const
const watchings = {
  everything: undefined,
  nothing: { lists: false, support: false, projects: new Set<string>() },
  lists: { lists: true, support: false, projects: new Set<string>() },
  support: { lists: false, support: true, projects: new Set<string>() },
  'this video': { lists: false, support: false, projects: new Set([projectId]) },
  'another video': { lists: false, support: false, projects: new Set([otherProject]) },
} satisfies Record<string, Watch | undefined>
type Watching = keyof typeof watchings

/** Written out once more, by its words: what somebody who watches this hears of an event. */
const expected = (
  event: Event,
  { isTheirs, role, reaches, watching }: { isTheirs: boolean; role: string; reaches: boolean; watching: Watching },
): string[] => {
  if (isTheirs)
    return event === 'project' && watching === 'lists' && role !== 'User' && reaches ? ['project', 'projects'] : [event]
  const isPersonal = event === 'notification' || event === 'prompter'
  const isLetIn = event === 'support' ? role === 'ADMIN' : role !== 'User'
  if (isPersonal || !isLetIn || !reaches) return []
  if (watching === 'everything') return [event]
  if (watching === 'lists') return event === 'project' ? ['projects'] : []
  if (watching === 'support') return event === 'support' ? ['support'] : []
  return watching === 'this video' && event !== 'support' ? [event] : []
}

test('each event reaches whom it concerns, by role, company and watch, as it happens and as it is caught up with', () => {
  const company = randomUUID()
  const wrong: string[] = []
  let asked = 0
  for (const event of events)
    for (const role of roles)
      for (const [where, tenantId] of Object.entries({
        'this company': company,
        'another one': randomUUID(),
        'no company': null,
      }))
        for (const watching of Object.keys(watchings) as Watching[])
          for (const isTheirs of [true, false])
            for (const isLate of [true, false]) {
              const caller = callerAs(role, tenantId)
              const audience = new Audience()
              const heard: string[] = []
              const listener: Listener = {
                caller,
                watch: watchings[watching],
                from: isLate ? performance.now() : undefined,
                send: (name) => heard.push(name),
                close: () => {},
                recheck: async () => true,
              }
              const news = {
                type: event,
                userId: isTheirs ? caller.id : randomUUID(),
                tenantId: company,
                ...told[event],
              }
              if (!isLate) audience.add(listener)
              audience.tell(news as Told)
              if (isLate) audience.catchUp(listener)
              audience.close()
              const reaches = tenantId === company || (tenantId === null && role !== 'User')
              // What two devices tell each other is nothing to come back to: each asks the other anew.
              const isPast = isLate && event === 'prompter'
              const right = isPast ? [] : expected(event, { isTheirs, role, reaches, watching })
              // What is caught up with is told once: as the event, or in the hint about lists.
              const same = isLate
                ? heard.length > 0 === right.length > 0 && heard.every((one) => right.includes(one))
                : heard.join() === right.join()
              asked += 1
              if (!same)
                wrong.push(
                  `${event}${isTheirs ? ' of their own' : ''} to ${role} of ${where} who watches ${watching}${isLate ? ', late' : ''}: ${heard.join() || 'nothing'}, not ${right.join() || 'nothing'}`,
                )
            }
  expect(asked).toBe(events.length * roles.length * 3 * Object.keys(watchings).length * 4)
  expect(wrong).toEqual([])
})

test('a stream that comes back reads nothing anew that was told to others, however much is remembered', () => {
  const company = randomUUID()
  let looked = 0
  /** As the database tells it; counts who looks into it. */
  const counted = (userId: string): Told => ({
    ...told.project,
    userId,
    tenantId: company,
    get type() {
      looked += 1
      return 'project' as const
    },
  })
  const own = callerAs('User', company)
  const staff = callerAs('QA', company)
  const audience = new Audience()
  const since = performance.now()
  for (let n = 0; n < 1000; n++) audience.tell(counted(randomUUID()))
  audience.tell(counted(own.id))
  expect(looked).toBe(1001)
  const heard: Record<string, number> = {}
  for (const caller of [own, staff])
    for (let n = 0; n < 20; n++)
      audience.catchUp({
        caller,
        from: since,
        watch: undefined,
        send: () => (heard[caller.role] = (heard[caller.role] ?? 0) + 1),
        close: () => {},
        recheck: async () => true,
      })
  expect(heard).toEqual({ User: 20, QA: 20 * 1001 })
  expect(looked).toBe(1001)
})

test('every live event is told by the database, or by the hub alone', () => {
  expect([...events, 'again', 'full', 'projects'].toSorted()).toEqual(Object.keys(liveEvents).toSorted())
})
