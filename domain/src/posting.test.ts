import { expect, it } from 'vitest'
import {
  afterPostEvent,
  hasEnded,
  isTooNear,
  mayBeOut,
  partOf,
  postActionsFor,
  postEvents,
  posting,
  postStates,
  isLate,
  lateHours,
  lateMinutes,
  isAskedAgain,
  nextTry,
  processingHours,
  secondsBeforeTry,
  sendSeconds,
  settleSeconds,
  staysReady,
  type FailureKind,
  type PostEvent,
  type PostState,
} from './posting.ts'

/** Every state with the events that are possible in it, written out by hand: the table is asked against it. */
const possible: Record<PostState, Partial<Record<PostEvent, PostState>>> = {
  scheduled: {
    prepare: 'preparing',
    fail: 'failed',
    lose: 'unconfirmed',
    withdraw: 'withdrawn',
    hold: 'withdrawn',
    move: 'scheduled',
    reword: 'scheduled',
  },
  preparing: {
    prepared: 'prepared',
    restart: 'scheduled',
    fail: 'failed',
    lose: 'unconfirmed',
    withdraw: 'withdrawn',
    hold: 'withdrawn',
    move: 'preparing',
  },
  prepared: {
    arm: 'armed',
    restart: 'scheduled',
    fail: 'failed',
    lose: 'unconfirmed',
    withdraw: 'withdrawn',
    hold: 'withdrawn',
    move: 'prepared',
  },
  armed: {
    send: 'sent',
    process: 'processing',
    live: 'live',
    hand: 'handed',
    absent: 'prepared',
    restart: 'scheduled',
    fail: 'failed',
    lose: 'unconfirmed',
  },
  sent: {
    process: 'processing',
    live: 'live',
    hand: 'handed',
    absent: 'prepared',
    fail: 'failed',
    lose: 'unconfirmed',
  },
  processing: { live: 'live', hand: 'handed', fail: 'failed', lose: 'unconfirmed' },
  live: { remove: 'removed' },
  handed: { live: 'live', repeat: 'scheduled' },
  failed: { repeat: 'scheduled', withdraw: 'withdrawn', reword: 'failed' },
  unconfirmed: { live: 'live', deny: 'withdrawn', repeat: 'scheduled' },
  withdrawn: { repeat: 'scheduled' },
  removed: { repeat: 'scheduled' },
}

it('every state answers every event of a post as the table by hand says', () => {
  for (const state of postStates)
    for (const event of postEvents)
      expect(afterPostEvent(state, event), `${state} ${event}`).toBe(possible[state][event] ?? null)
})

it('a post that may be out is never taken back, and goes back before its sending only by the network’s word', () => {
  for (const state of postStates.filter(mayBeOut)) {
    expect(afterPostEvent(state, 'withdraw')).toBeNull()
    expect(afterPostEvent(state, 'repeat')).toBeNull()
    for (const event of postEvents.filter((event) => posting[event].by !== 'service'))
      expect([null, 'live']).toContain(afterPostEvent(state, event))
  }
})

it('only arming leads to the request that nobody can take back, and only from prepared', () => {
  const leading = postStates.flatMap((state) =>
    postEvents.filter((event) => afterPostEvent(state, event) === 'armed').map((event) => `${state} ${event}`),
  )
  expect(leading).toEqual(['prepared arm'])
})

it('every state but the ended ones is left by the service, and an ended one never by it', () => {
  for (const state of postStates) {
    const byService = postEvents.filter((event) => posting[event].by === 'service' && afterPostEvent(state, event))
    expect(byService.length > 0, state).toBe(!hasEnded(state))
  }
})

it('officers are offered what their post allows, and no repeat without approval or account', () => {
  const rest = { isRecut: false, isLatest: true, canTakeDown: true }
  const offered = (state: PostState, isApproved = true, isScheduled = isApproved, isUsable = true) =>
    postActionsFor(state, { ...rest, isApproved, isScheduled, isUsable })
  expect(offered('unconfirmed')).toEqual(['confirm', 'deny', 'repeat'])
  expect(offered('failed')).toEqual(['repeat', 'reword', 'withdraw'])
  expect(offered('failed', false)).toEqual(['withdraw'])
  for (const state of ['scheduled', 'preparing', 'prepared'] as const) {
    // Once something of it is brought to the network, its words are there, too.
    const words = state === 'scheduled' ? ['reword'] : []
    expect(offered(state)).toEqual(['move', ...words, 'withdraw'])
    expect(offered(state, true, false)).toEqual([...words, 'withdraw'])
    expect(offered(state, false)).toEqual(['withdraw'])
  }
  expect(offered('armed')).toEqual([])
  expect(offered('live')).toEqual(['remove'])
  expect([offered('handed'), offered('handed', false)]).toEqual([['confirm', 'repeat'], ['confirm']])
  const all = { isApproved: true, isScheduled: true, isUsable: true }
  expect(postActionsFor('live', { ...rest, ...all, canTakeDown: false })).toEqual([])
  expect(offered('withdrawn', true, true, false)).toEqual([])
  // What was made for its account later goes on instead.
  expect(postActionsFor('failed', { ...rest, ...all, isLatest: false })).toEqual(['reword', 'withdraw'])
  // With another cut goes again what is not there, and cannot be.
  const recut = (isUsable: boolean) =>
    postStates.filter((state) => {
      const of = { ...rest, isApproved: false, isRecut: true, isScheduled: true, isUsable }
      const offers: readonly string[] = postActionsFor(state, of)
      return offers.includes('repeat')
    })
  expect([recut(true), recut(false)]).toEqual([['failed', 'withdrawn'], []])
})

it('a prepared post is brought once more for a moment beyond an hour, unless the network keeps it', () => {
  const now = new Date('2026-11-24T12:00:00Z')
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  expect([60, 61].map((minutes) => staysReady(inMinutes(minutes), now, false))).toEqual([true, false])
  expect(staysReady(inMinutes(50_000), now, true)).toBe(true)
  expect([1.99, 2].map((minutes) => isTooNear(inMinutes(minutes), now))).toEqual([true, false])
})

it('tries wait longer and longer up to ten minutes, and absence is believed only after a sender has given up', () => {
  expect([1, 2, 3, 4, 5, 6, 9].map(secondsBeforeTry)).toEqual([15, 30, 60, 120, 240, 480, 600])
  expect(settleSeconds).toBeGreaterThan(sendSeconds)
})

it('a post that comes to nothing is tried until hours after its moment, and looked at when that comes', () => {
  const dueAt = new Date('2026-11-24T12:00:00Z')
  const minute = 60_000
  const inMinutes = (minutes: number) => new Date(dueAt.getTime() + minutes * minute)
  const after = (tried: number, from: number, again?: number) => {
    const next = nextTry(tried, { dueAt, now: inMinutes(from), again: again === undefined ? null : inMinutes(again) })
    return next && (next.getTime() - dueAt.getTime()) / minute
  }
  expect([after(6, -50), after(20, -30), after(20, -4), after(20, 0), after(20, 5)]).toEqual([-42, -20, 0, 5, 15])
  const last = lateHours * 60
  expect([after(9, last - 10), after(9, last - 9), after(2, last + 30), after(6, last + 30)]).toEqual([
    last,
    null,
    last + 30.5,
    null,
  ])
  // When the network itself says when: the day after is too late.
  expect([after(1, 0, 900), after(6, 0, 900), after(1, 0, processingHours * 60 + 1)]).toEqual([900, null, null])
  // Said before its moment, it is looked at when it is late, and its officer hears then.
  expect([after(1, -50, 900), after(1, -50, 3), after(1, -50, -20)]).toEqual([lateMinutes, 3, -20])
  expect([isLate(dueAt, inMinutes(lateMinutes)), isLate(dueAt, inMinutes(lateMinutes + 1))]).toEqual([false, true])
})

it('a network that answers and does not take a post is asked a few times, and on and on where it says when', () => {
  const asked = (kind: FailureKind, again: Date | null) =>
    [1, 5, 6, 40].map((tried) => isAskedAgain(tried, { kind, again }))
  expect(asked('retry', null)).toEqual([true, true, false, false])
  expect([asked('retry', new Date()), asked('limit', null)].flat()).not.toContain(false)
  for (const kind of ['reauth', 'permanent', 'policy'] as const) expect(asked(kind, new Date())).not.toContain(true)
})

it('armed, sent and processed posts may be out, and only what is yet to be brought is an upload', () => {
  expect(postStates.filter(mayBeOut)).toEqual(['armed', 'sent', 'processing'])
  const uploads = (bringsFile: boolean) => postStates.filter((state) => partOf(state, bringsFile) === 'upload')
  expect(uploads(false)).toEqual(['scheduled', 'preparing'])
  // Where publishing sends the file itself, it waits with the uploads, and asking what became of it does not.
  expect(uploads(true)).toEqual(['scheduled', 'preparing', 'prepared'])
})
