import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing, type PostSlot } from '@clear-to-post/contract/publishing'
import { dayIn, instantAt, timeIn } from '@clear-to-post/domain/calendar'
import { dayAfter } from '@clear-to-post/domain/periods'
import { sql } from '../kernel/database.ts'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount } from '../../test/posting.ts'
import { slotsShown } from './slots.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  openService,
  outcome,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
let staff: Awaited<ReturnType<typeof makeStaff>>
let officer: Person
const zone = 'America/Denver'
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
  officer = await makeOfficer(service)
  await service.database.asSystem((tx) => tx.count(sql`update person set time_zone = ${zone} where id = ${officer.id}`))
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)
const slots = (person = officer) => as(person)(publishing.slots, {})
const set = (items: PostSlot[], person = officer) => as(person)(publishing.setSlots, { body: { items } })
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

it('the next free slot passes over what is scheduled with and without a post, and comes back when it is taken back', async () => {
  expect(await slots()).toEqual({ items: [] })
  const day = dayAfter(dayIn(new Date(), zone), 2)
  const items = [
    { weekday: weekdayOf(dayAfter(day, 1)), time: '17:30' },
    { weekday: weekdayOf(day), time: '09:00' },
    { weekday: weekdayOf(day), time: '09:00' },
  ]
  const [first, second, third] = [
    instantAt(day, '09:00', zone),
    instantAt(dayAfter(day, 1), '17:30', zone),
    instantAt(dayAfter(day, 7), '09:00', zone),
  ].map((at) => at.toISOString())
  const kept = await set(items)
  expect(kept.next).toBe(first)
  expect(kept.items).toHaveLength(2)

  // A video without a post fills one, a post that was moved into one fills it, too.
  const alone = await approvedVideo(service, officer, staff)
  await as(officer)(projects.schedule, { params: { projectId: alone.projectId }, body: { publishAt: first! } })
  expect((await slots()).next).toBe(second)
  const { id: connectionId } = await connectAccount(service, officer)
  const posted = await approvedVideo(service, officer, staff)
  const params = { projectId: posted.projectId }
  const posts = [{ connectionId, words: 'Rates', title: 'Rates' }]
  await as(officer)(projects.schedule, { params, body: { publishAt: third!, posts } })
  const { items: made } = await as(officer)(publishing.posts, { params })
  await as(officer)(publishing.move, { params: { postId: made[0]!.id }, body: { dueAt: second! } })
  const next = (await slots()).next!
  expect([dayIn(new Date(next), zone), timeIn(new Date(next), zone)]).toEqual([dayAfter(day, 8), '17:30'])
  await as(officer)(projects.unschedule, { params })
  expect((await slots()).next).toBe(second)
  await as(officer)(projects.unschedule, { params: { projectId: alone.projectId } })
  expect((await slots()).next).toBe(first)
  expect(await set([])).toEqual({ items: [] })
})

it('slots are their officer’s alone, and one that is no time of a week is refused', async () => {
  await set([{ weekday: 1, time: '08:00' }])
  const colleague = await makePerson(service, 'User', { tenantId: officer.tenantId })
  expect(await slots(colleague)).toEqual({ items: [] })
  await set([{ weekday: 3, time: '10:00' }], colleague)
  expect((await slots()).items).toEqual([{ weekday: 1, time: '08:00' }])
  // The query's own condition holds without the policies, too.
  const asked = await service.database.asSystem((tx) => slotsShown(tx, officer, new Date()))
  expect(asked.items).toEqual([{ weekday: 1, time: '08:00' }])
  for (const person of [staff.admin, staff.qa, staff.editor])
    expect(await outcome(as(person)(publishing.slots, {}))).toContain('forbidden')
  for (const wrong of [
    { weekday: 0, time: '08:00' },
    { weekday: 8, time: '08:00' },
    { weekday: 1, time: '24:00' },
    { weekday: 1, time: '8:00' },
  ])
    expect(await outcome(set([wrong]))).toBe('request.invalid')
  const many = Array.from({ length: 51 }, (_, minute) => ({
    weekday: 1,
    time: `08:${String(minute).padStart(2, '0')}`,
  }))
  expect(await outcome(set(many))).toBe('request.invalid')
  expect((await set(many.slice(1))).items).toHaveLength(50)
})
