import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { postStates } from '@clear-to-post/domain/posting'
import { Status, statusValues } from '@clear-to-post/domain/workflow'
import { makeStaff } from '../../test/factories.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  openService,
  outcome,
  type OpenedService,
  type Person,
} from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

/** Which posts stand on their video's page: whatever becomes of the video, who may do something about a post finds it there. */
let service: OpenedService
let standIns: StandInNetworks
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const as = (person: Person) => callAs(service, person)

it('a post that somebody may act on stands on its page, whatever its state, its video’s and where that goes', async () => {
  const officer = await makeOfficer(service)
  const companyAdmin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  const { projectId } = await approvedVideo(service, officer, staff)
  const params = { projectId }
  const { id: connectionId } = await connectAccount(service, officer, 'youtube')
  expect((await as(officer)(projects.find, { params })).hasPosts).toBeUndefined()
  const publishAt = inHours(2).toISOString()
  await as(officer)(projects.schedule, {
    params,
    body: { publishAt, posts: [{ connectionId, words: 'R', title: 'R' }] },
  })
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set remote_id = 'x' where project_id = ${projectId}`),
  )
  const offered = new Set<string>()
  const goesTo = [['download'], ['download', 'youtube'], null]
  for (const status of statusValues)
    for (const [at, state] of postStates.entries()) {
      const destinations = goesTo[(status + at) % goesTo.length]
      await service.database.asSystem(async (tx) => {
        await tx.count(sql`update post set state = ${state} where project_id = ${projectId}`)
        await tx.count(sql`
          update project set status = ${status}, destinations = ${destinations}::text[],
            queue_position = case when ${status}::integer in (0, 4, 5) then 1 end where id = ${projectId}`)
      })
      for (const person of [officer, companyAdmin]) {
        const [post] = (await as(person)(publishing.posts, { params })).items
        for (const action of post!.actions) offered.add(action)
        if (post!.actions.length === 0) continue
        const { hasPosts } = await as(person)(projects.find, { params })
        expect({ status, state, destinations, hasPosts }).toMatchObject({ hasPosts: true })
      }
    }
  // Each was there to be missed.
  expect([...offered].toSorted()).toEqual(['confirm', 'deny', 'move', 'remove', 'repeat', 'reword', 'withdraw'])
})

it('posts of earlier schedules stay on the page of a video that is approved for a time, or scheduled without any', async () => {
  const officer = await makeOfficer(service)
  const { projectId, cut } = await approvedVideo(service, officer, staff)
  const params = { projectId }
  const { id: connectionId } = await connectAccount(service, officer, 'youtube')
  const schedule = (posts?: { connectionId: string; words: string; title: string }[]) =>
    as(officer)(projects.schedule, {
      params,
      body: { publishAt: inHours(2).toISOString(), ...(posts ? { posts } : {}) },
    })
  await schedule([{ connectionId, words: 'Rates', title: 'Rates' }])
  const [post] = (await as(officer)(publishing.posts, { params })).items
  await service.database.asSystem((tx) =>
    tx.count(sql`update post set state = 'unconfirmed', next_at = null where id = ${post!.id}`),
  )
  await as(officer)(projects.review, { params, body: { revision: 'The rate is wrong' } })
  await as(staff.editor)(projects.start, { body: { projectId } })
  await cut()
  await as(staff.qa)(projects.approve, { params, body: { publishAt: inHours(30).toISOString() } })
  expect(await as(officer)(projects.find, { params })).toMatchObject({
    status: Status.scheduled,
    destinations: ['download'],
    hasPosts: true,
  })
  await as(officer)(projects.unschedule, { params })
  await expect(schedule([{ connectionId, words: 'Rates again', title: 'Rates' }])).rejects.toThrow(
    'Say on the video’s page whether it is there.',
  )
  expect(await schedule()).toMatchObject({ destinations: ['download'], hasPosts: true })
  // What it is told to do there is done there.
  await as(officer)(publishing.deny, { params: { postId: post!.id } })
  await as(officer)(projects.unschedule, { params })
  await schedule([{ connectionId, words: 'Rates again', title: 'Rates' }])
})

it('a post taken back for another cut is scheduled again with that one once it is approved, and goes out', async () => {
  const officer = await makeOfficer(service)
  const { projectId, assetId, cut } = await approvedVideo(service, officer, staff)
  const params = { projectId }
  const { id: connectionId } = await connectAccount(service, officer, 'linkedin')
  const words = `Rates ${projectId}`
  await as(officer)(projects.schedule, {
    params,
    body: { publishAt: inHours(20).toISOString(), posts: [{ connectionId, words }] },
  })
  expect((await as(officer)(projects.find, { params })).posts).toEqual([{ network: 'linkedin', state: 'scheduled' }])
  await as(officer)(projects.review, { params, body: { revision: 'Shorter' } })
  const shown = async () => (await as(officer)(publishing.posts, { params })).items[0]!
  expect(await shown()).toMatchObject({ state: 'withdrawn', actions: [] })
  await as(staff.editor)(projects.start, { body: { projectId } })
  const second = await cut()
  const { id } = await shown()
  expect(await outcome(as(officer)(publishing.repeat, { params: { postId: id } }))).toBe('post.wrong-state')
  await as(staff.qa)(projects.approve, { params })
  // Scheduled as before, and nothing of it is to go out: the way on is a button of the post.
  const again = await as(officer)(projects.find, { params })
  expect(again).toMatchObject({ status: Status.scheduled, destinations: ['download', 'linkedin'], hasPosts: true })
  expect(again.posts).toBeUndefined()
  expect(await shown()).toMatchObject({ state: 'withdrawn', actions: ['repeat'] })
  // What may be out with the former cut is answered first.
  const stands = (state: string) =>
    service.database.asSystem((tx) => tx.count(sql`update post set state = ${state} where id = ${id}`))
  await stands('unconfirmed')
  expect((await shown()).actions).toEqual(['confirm', 'deny'])
  expect(await outcome(as(officer)(publishing.repeat, { params: { postId: id } }))).toBe('post.wrong-state')
  await stands('withdrawn')
  await as(officer)(publishing.repeat, { params: { postId: id } })
  expect((await as(officer)(projects.find, { params })).posts).toEqual([{ network: 'linkedin', state: 'scheduled' }])
  for (const hours of [19.5, 20.01, 20.05, 20.1]) await workOnPost(service, id, inHours(hours))
  expect(await shown()).toMatchObject({ state: 'live', words })
  const { file, detail } = (await service.database.asSystem((tx) =>
    tx.first(sql<{ file: string; detail: unknown }>`
      select p.asset_id as file, e.detail from post p join post_event e on e.post_id = p.id and e.event = 'repeat'
      where p.id = ${id}`),
  ))!
  expect({ file, detail }).toEqual({ file: second.assetId, detail: { from: assetId, to: second.assetId } })
})

it('of two posts to one account that were taken back the newer alone is scheduled again', async () => {
  const officer = await makeOfficer(service)
  const { projectId } = await approvedVideo(service, officer, staff)
  const params = { projectId }
  const [x, other] = [await connectAccount(service, officer, 'x'), await connectAccount(service, officer, 'linkedin')]
  const schedule = async (...connectionIds: string[]) => {
    const posts = connectionIds.map((connectionId) => ({ connectionId, words: 'Rates' }))
    await as(officer)(projects.schedule, { params, body: { publishAt: inHours(20).toISOString(), posts } })
    await as(officer)(projects.unschedule, { params })
  }
  await schedule(x.id, other.id)
  await schedule(x.id)
  const shown = async () => (await as(officer)(publishing.posts, { params })).items
  const offering = async () => (await shown()).filter(({ actions }) => actions.includes('repeat'))
  const [newest, ...older] = await shown()
  expect((await offering()).map(({ connectionId }) => connectionId)).toEqual([x.id, other.id])
  const former = older.find(({ connectionId }) => connectionId === x.id)!
  const again = (postId: string) => as(officer)(publishing.repeat, { params: { postId } })
  await expect(again(former.id)).rejects.toMatchObject({
    code: 'post.wrong-state',
    message: expect.stringContaining('Go on with that one'),
  })
  await again(newest!.id)
  expect((await offering()).map(({ connectionId }) => connectionId)).toEqual([other.id])
  await expect(again(former.id)).rejects.toMatchObject({ code: 'post.does-not-fit' })
})

it('a new cut that its network does not take is not scheduled again, and the officer reads why and what to do', async () => {
  const officer = await makeOfficer(service)
  const { projectId, cut } = await approvedVideo(service, officer, staff)
  const params = { projectId }
  const { id: connectionId } = await connectAccount(service, officer, 'x')
  await as(officer)(projects.schedule, {
    params,
    body: { publishAt: inHours(20).toISOString(), posts: [{ connectionId, words: 'Rates' }] },
  })
  await as(officer)(projects.review, { params, body: { revision: 'Longer' } })
  await as(staff.editor)(projects.start, { body: { projectId } })
  const { assetId } = await cut()
  await as(staff.qa)(projects.approve, { params })
  await service.database.asSystem((tx) => tx.count(sql`update asset set duration_ms = 150000 where id = ${assetId}`))
  const [post] = (await as(officer)(publishing.posts, { params })).items
  await expect(as(officer)(publishing.repeat, { params: { postId: post!.id } })).rejects.toThrow(
    /X takes videos of up to 140 seconds.*Or schedule the video anew/,
  )
})
