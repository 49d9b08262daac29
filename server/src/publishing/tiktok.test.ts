import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { noTiktokChoices, type TiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import { Status } from '@clear-to-post/domain/workflow'
import { sql } from '../kernel/database.ts'
import { openAsk } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { runDue } from '../projects/due.ts'
import { makeStaff } from '../../test/factories.ts'
import { kinds, withTroubles } from '../../test/network-troubles.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { leaseMs } from './lease.ts'
import { runPost } from './run.ts'

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

const as = (person: Person) => callAs(service, person)

const chosen = (part: Partial<TiktokChoices>) => ({
  ...noTiktokChoices,
  agrees: true,
  ...part,
  allows: [...(part.allows ?? [])],
  discloses: [...(part.discloses ?? [])],
})

const schedule = async (tiktok: ReturnType<typeof chosen> | undefined, privacy?: string) => {
  officer = await makeOfficer(service)
  const { projectId, sha256 } = await approvedVideo(service, officer, staff)
  const { id: connectionId } = await connectAccount(service, officer, 'tiktok')
  const words = `Rates ${randomUUID()}`
  await as(officer)(projects.schedule, {
    params: { projectId },
    body: {
      publishAt: inHours(2).toISOString(),
      posts: [{ connectionId, words, ...(privacy ? { privacy } : {}), ...(tiktok ? { tiktok } : {}) }],
    },
  })
  const [post] = (await as(officer)(publishing.posts, { params: { projectId } })).items
  return { projectId, sha256, words, postId: post!.id }
}
type Scheduled = Awaited<ReturnType<typeof schedule>>

const seen = async ({ projectId }: Scheduled) =>
  (await as(officer)(publishing.posts, { params: { projectId } })).items[0]!
const draftsOf = async (sha256: string): Promise<[string, { account: string }][]> => {
  const { drafts } = await standIns.control({ timeline: 'tiktok' })
  return Object.entries(drafts as Record<string, { account: string; sha256: string }>).filter(
    ([, draft]) => draft.sha256 === sha256,
  )
}
const shown = async (words: string) =>
  (await standIns.timeline('tiktok')).timeline.filter((entry) => entry.words === words)
const workAt = async ({ postId }: Scheduled, hours: number) => {
  await standIns.control({ now: inHours(hours).getTime() })
  await workOnPost(service, postId, inHours(hours))
}

it('a post on TikTok says its officer’s choices, and nothing that was not chosen', async () => {
  const none = await schedule(chosen({}), 'SELF_ONLY')
  const all = await schedule(
    chosen({ allows: ['comment', 'duet', 'stitch'], isCommercial: true, discloses: ['own', 'paid'] }),
    'PUBLIC_TO_EVERYONE',
  )
  for (const [post, isOn] of [
    [none, false],
    [all, true],
  ] as const) {
    for (const hours of [1.5, 2.01, 2.2]) await workAt(post, hours)
    expect(await shown(post.words)).toMatchObject([
      {
        sha256: post.sha256,
        marks: {
          disable_comment: !isOn,
          disable_duet: !isOn,
          disable_stitch: !isOn,
          brand_organic_toggle: isOn,
          brand_content_toggle: isOn,
        },
      },
    ])
  }
})

it('a post on TikTok for which a choice is missing is not scheduled, and names the choice', async () => {
  const refused = async (tiktok: ReturnType<typeof chosen> | undefined, privacy?: string) =>
    schedule(tiktok, privacy).then(
      () => 'scheduled',
      (error: Error) => error.message,
    )
  expect(await refused(undefined, 'SELF_ONLY')).toContain('Agree to TikTok’s terms')
  expect(await refused(chosen({ agrees: false }), 'SELF_ONLY')).toContain('Agree to TikTok’s terms')
  expect(await refused(chosen({}))).toContain('Choose who may see it')
  expect(await refused(chosen({ isCommercial: true }), 'SELF_ONLY')).toContain('whom it promotes')
  expect(await refused(chosen({ isCommercial: true, discloses: ['paid'] }), 'SELF_ONLY')).toContain('paid partnership')
  for (const discloses of [['own'], ['paid'], ['own', 'paid']] as const)
    expect(await refused(chosen({ discloses }), 'SELF_ONLY')).toContain('Say that it is commercial')
  expect(await refused(chosen({}), 'SELF_ONLY')).toBe('scheduled')
})

it('two posts of one video to one account in one request are refused, and nothing is scheduled', async () => {
  officer = await makeOfficer(service)
  const { projectId } = await approvedVideo(service, officer, staff)
  const { id: connectionId, name } = await connectAccount(service, officer, 'tiktok')
  const post = { connectionId, privacy: 'SELF_ONLY', tiktok: chosen({}) }
  const body = {
    publishAt: inHours(2).toISOString(),
    posts: ['One', 'Two'].map((words) => ({ ...post, words })),
  }
  const asked = as(officer)(projects.schedule, { params: { projectId }, body })
  await expect(asked).rejects.toThrow(`“${name}” is named twice`)
  expect((await as(officer)(publishing.posts, { params: { projectId } })).items).toEqual([])
})

it('a video for the inbox is handed over once, its project ends, and it is live once its owner posts it there', async () => {
  const post = await schedule(chosen({ mode: 'inbox', agrees: false }))
  for (const hours of [1.5, 2.01, 2.2]) await workAt(post, hours)
  expect(await seen(post)).toMatchObject({ state: 'handed', actions: expect.arrayContaining(['confirm', 'repeat']) })
  expect(await shown(post.words)).toEqual([])
  const [draft] = await draftsOf(post.sha256)
  expect(draft).toBeDefined()
  await runDue(service.database, inHours(2.3))
  const project = await as(officer)(projects.find, { params: { projectId: post.projectId } })
  expect([project.status, project.timeline.at(-1)!.metadata.outcomes]).toMatchObject([
    Status.completed,
    [{ destination: 'download' }, { destination: 'tiktok', outcome: 'in the inbox' }],
  ])
  await standIns.control({ postDraft: { network: 'tiktok', id: draft![0], words: post.words } })
  await workAt(post, 3)
  expect(await seen(post)).toMatchObject({ state: 'live' })
})

it('nobody looks into the inbox any more after a day', async () => {
  const post = await schedule(chosen({ mode: 'inbox' }))
  for (const hours of [1.5, 2.01, 2.2, 27]) await workAt(post, hours)
  expect(await seen(post)).toMatchObject({ state: 'handed' })
  expect((await seen(post)).nextAt).toBeUndefined()
  const row = await service.database.asSystem((tx) =>
    tx.first(sql<{ next_at: Date | null }>`select next_at from post where id = ${post.postId}`),
  )
  expect(row).toEqual({ next_at: null })
})

it('after any failure at the last byte the inbox holds a video exactly once, or not at all and it says so', async () => {
  let held = 0
  for (const kind of kinds) {
    const post = await schedule(chosen({ mode: 'inbox' }))
    let at = inHours(1.5).getTime()
    const { ask, run, asked } = withTroubles(
      standIns,
      'tiktok',
      openAsk(),
      (request) => (/PUT/.test(request) && !asked.slice(0, -1).some((one) => /PUT/.test(one)) ? { kind } : undefined),
      async () => true,
    )
    const deps = {
      database: service.database,
      networks: { ...networks(), ask },
      publicUrl: '',
      now: () => new Date(at),
    }
    for (let round = 0; round < 100; round++) {
      await standIns.control({ now: at })
      if (['handed', 'failed'].includes((await seen(post)).state)) break
      const next = await run(() => runPost(deps, post.postId))
      if (next === null) break
      at = next === 'killed' || next === undefined ? at + leaseMs + 1000 : Math.max(at + 1000, next.getTime())
    }
    const { state } = await seen(post)
    expect([kind, state, (await draftsOf(post.sha256)).length]).toEqual([kind, 'handed', 1])
    held++
  }
  console.log(`TikTok's inbox: ${held} failures at the last byte, ${held} handed over once, 0 twice`)
})
