import { rename, writeFile } from 'node:fs/promises'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import type { Network } from '@clear-to-post/domain/networks'
import { sql } from '../kernel/database.ts'
import { SilentNetwork, type Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
import { onDisk } from '../../test/on-disk.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { longKit } from '../../test/recipes.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

/** Networks that work on a video for a while before it may be published; whichever take captions as a file are given them. */
const working = [
  ['facebook', 'en'],
  ['bluesky', 'en'],
  ['linkedin', 'en'],
  ['instagram', null],
  ['x', null],
] as const satisfies readonly (readonly [Network, string | null])[]

/** A post of each, which `work` brings as far as it goes at that moment. */
const scheduled = async () => {
  const video = await approvedVideo(service, officer, staff)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
      values (${video.projectId}, ${officer.tenantId}, 1, ${longKit(40).recipe}::jsonb, 'done', ${video.assetId}, ${staff.editor.id})`),
  )
  const posts = []
  for (const [network, captions] of working) {
    const { id: connectionId } = await connectAccount(service, officer, network)
    posts.push({ connectionId, words: `Rates ${randomUUID()}`, ...(captions && { captions }) })
  }
  const as = callAs(service, officer)
  const { projectId } = video
  await as(projects.schedule, { params: { projectId }, body: { publishAt: inHours(2).toISOString(), posts } })
  const shown = async () => (await as(publishing.posts, { params: { projectId } })).items
  const work = async (hours: number, ask?: Ask) => {
    await standIns.control({ now: inHours(hours).getTime() })
    for (const { id } of await shown()) await workOnPost(service, id, inHours(hours), ask)
  }
  const recipes = (recipe: string) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update render set recipe = ${recipe}::jsonb where asset_id = ${video.assetId}`),
    )
  return { path: onDisk().path(video.assetId, 'original.mp4'), shown, work, recipes }
}

/** The same, brought as far as each network has all of it and works on it. */
const postsAtWork = async () => {
  const posts = await scheduled()
  await standIns.control({ slowUntil: inHours(1.9).getTime() })
  for (const hours of [1.5, 1.51, 1.52]) await posts.work(hours)
  return posts
}

it('a network that is asked how far it is costs no look into the file, and none into its captions', async () => {
  const { path, shown, work, recipes } = await postsAtWork()
  const before = (await shown()).map(({ state }) => state)
  expect(before.filter((state) => state === 'preparing').length).toBeGreaterThanOrEqual(2)
  // Whoever looked would find nothing.
  await rename(path, `${path}.away`)
  await recipes('{}')
  for (const hours of [1.6, 1.7, 1.8]) await work(hours)
  expect((await shown()).map(({ state }) => state)).toEqual(before)
  await rename(`${path}.away`, path)
  await recipes(longKit(40).recipe)
  for (const hours of [1.95, 1.96, 2.01, 2.2]) await work(hours)
  for (const { network, state, remarks } of await shown())
    expect([network, state, remarks]).toEqual([network, 'live', undefined])
})

it('a file that changed while its network worked on it is not published', async () => {
  const { path, shown, work } = await postsAtWork()
  await writeFile(path, randomBytes(80_000))
  for (const hours of [1.95, 1.96, 2.01, 2.2]) await work(hours)
  for (const { network, state, failure } of await shown())
    expect([network, state, failure?.words]).toEqual([
      network,
      'failed',
      expect.stringContaining('not the one that was approved'),
    ])
})

it('of a file that changed in the middle of its way to a network, not one more byte goes there', async () => {
  const { path, shown, work } = await scheduled()
  const brings = (request: Parameters<Ask>[1]) =>
    request?.body instanceof Blob ||
    (request?.body instanceof FormData && [...request.body.values()].some((one) => one instanceof Blob))
  const deaf: Ask = (to, request) =>
    brings(request) ? Promise.reject(new SilentNetwork('no answer')) : networks().ask(to, request)
  await work(1.5, deaf)
  expect(new Set((await shown()).map(({ state }) => state))).toEqual(new Set(['preparing']))
  await writeFile(path, randomBytes(80_000))
  let brought = 0
  const counting: Ask = (to, request) => {
    if (brings(request)) brought += 1
    return networks().ask(to, request)
  }
  for (const hours of [1.95, 1.96, 2.01, 2.2]) await work(hours, counting)
  expect(new Set((await shown()).map(({ state }) => state))).toEqual(new Set(['failed']))
  expect(brought).toBe(0)
})
