import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { edits } from '@clear-to-post/contract/edits'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { scripts } from '@clear-to-post/contract/scripts'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { tenants } from '@clear-to-post/contract/tenants'
import { clips } from '@clear-to-post/contract/clips'
import { firstCut } from '@clear-to-post/edit/first-cut'
import { speech } from '@clear-to-post/media/clip-speech'
import { makeClip } from '@clear-to-post/media/make-clip'
import { transcribeSamples } from '@clear-to-post/speech/transcribe'
import { statusValues } from '@clear-to-post/domain/workflow'
import { putOnce } from '../../test/ready-file.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { callAs, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import type { putFile } from '../assets/actions.ts'
import { sql } from '../kernel/database.ts'
import { demoPassword, demoPeople } from './demo/people.ts'
import { demoProjects, scriptOf } from './demo/projects.ts'
import { reading, seed, seedClips, seedPeople, seedPosts } from './seed.ts'

let networks: StandInNetworks
let service: Service
let put: typeof putFile
beforeAll(async () => {
  networks = await startNetworks()
  service = await openService({ SEED: 'demo', NETWORKS_STAND_IN: networks.origin })
  put = putOnce(service.config)
})
afterAll(async () => {
  await service?.close()
  await networks?.close()
})

const log = { info: () => {}, warn: () => {}, error: () => {} }
const draw: typeof makeClip = async ({ out }) => {
  const clip = join(service.config.dataDir, 'small.mp4')
  if (!existsSync(clip)) await makeClip({ out: clip, seconds: 2, width: 90, height: 160, hue: 200 })
  await copyFile(clip, out)
}
/** Files of the demo that somebody found among their own ones while it was made. */
const offered: string[] = []
const signedIn: Record<string, Person> = {}
/** Loads the demo; with `stopAt`, until so many milliseconds after it drew this clip of its. Answers what it said. */
const load = async ({ stopAt = Infinity, afterMs = 0 } = {}) => {
  const said: string[] = []
  const stopping = new AbortController()
  let drawn = 0
  const counted: typeof makeClip = async (clip) => {
    await draw(clip)
    if (++drawn !== stopAt) return
    if (afterMs > 0) setTimeout(() => stopping.abort(), afterMs)
    else stopping.abort()
  }
  const watched: typeof putFile = async (...file) => {
    const id = await put(...file)
    for (const email of [demoPeople.officer.email, demoPeople.neighbor.email, demoPeople.editor.email]) {
      const person = (signedIn[email] ??= await signIn(email, email === demoPeople.editor.email ? 'EDITOR' : 'APP'))
      const { items } = await callAs(service, person)(assets.unused, {})
      offered.push(...items.map(({ fileName }) => `${email}: ${fileName}`))
    }
    return id
  }
  await seed({
    ...service,
    log,
    draw: counted,
    put: watched,
    report: (line) => said.push(line),
    signal: stopping.signal,
  })
  return said
}
const signIn = async (email: string, system: 'APP' | 'EDITOR' | 'QA' | 'ADMIN') => {
  const nobody = callAs(service, null)
  const { token } = await nobody(accounts.login, { body: { system, email, password: demoPassword } })
  const session = await nobody(identity.customToken, { body: { token } })
  if (!('idToken' in session)) throw new Error('Nobody of the demo has a second factor')
  return { token: session.idToken } as Person
}
const counts = () =>
  service.database.asSystem((tx) =>
    tx.first(sql<Record<string, number>>`
      select (select count(*) from person) as people, (select count(*) from tenant) as tenants, (select count(*) from plan) as plans,
        (select count(*) from script) as scripts, (select count(*) from project) as projects,
        (select count(*) from project_event) as events, (select count(*) from asset) as assets`),
  )

test('an interrupted demo load continues at the next start until every status exists, without duplicates', async () => {
  // While the first file is checked, and in the middle of a project.
  for (const stop of [{ stopAt: 1, afterMs: 200 }, { stopAt: 9 }])
    expect((await load(stop)).at(-1)).toBe('The demo goes on at the next start')
  expect((await load()).at(-1)).toBe('The demo is complete')
  const remarks = 2
  const steps = demoProjects.reduce((sum, project) => sum + project.steps.length + 1, 0)
  const cuts = demoProjects.flatMap((project) => project.steps).filter(({ cut }) => cut).length
  const loaded = await counts()
  expect(loaded).toMatchObject({
    people: 6,
    tenants: 2,
    plans: 6,
    scripts: 15,
    projects: demoProjects.length,
    events: steps - remarks,
  })
  expect(offered, 'nobody is offered the demo’s files as their own unsent ones').toEqual([])
  // A stop between a file and its step may leave that one file held; the sweep of forgotten files takes it away.
  const used = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from asset a where purpose = 'source' and project_id is not null
                union all select 1 from project_cut`),
  )
  expect(used).toHaveLength(demoProjects.length + cuts)

  expect(await load()).toEqual([])
  expect(await counts()).toEqual(loaded)

  const admin = await signIn('admin@demo.test', 'ADMIN')
  const { items } = await callAs(service, admin)(projects.list, { query: { perPage: 100 } })
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(statusValues))
  for (const project of items) {
    expect(project.thumbnailUrl, project.title).toBeTruthy()
    expect(project.duration, project.title).toBeGreaterThan(0)
  }
  const { items: queue } = await callAs(service, admin)(projects.list, {
    query: { wheres: 'status:eq:0', orderBy: 'position:asc' },
  })
  expect(queue.map(({ title }) => title)).toEqual([
    'Three papers to find this weekend',
    'Prequalified or preapproved?',
    'Check your credit report for free',
  ])
}, 240_000)

test(
  'the demo officer’s spoken take gives the first cut fillers and repetitions to remove',
  { tags: 'long' },
  async () => {
    const closing = demoProjects.find(({ key }) => key === 'closing-day')!
    const { speaker, parts } = reading(closing)
    const voice = (await speech(parts, { speaker, folder: service.config.dataDir }))!
    const samples = new Int16Array(new Uint8Array(voice.samples).buffer)
    const script = scriptOf(closing)
    const heard = await transcribeSamples(samples, { source: 's1', script })
    const size = { width: 720, height: 1280, fps: { num: 30, den: 1 }, hasSound: true }
    const { words, removed } = firstCut({
      ...heard,
      sources: [{ id: 's1', assetId: 'a', name: 'take.mp4', durationMs: Math.floor(voice.seconds * 1000), ...size }],
      script,
      brand: { primary: '#2647e0', secondary: '#ff5a3c', logo: null, name: '', line: '', legal: '' },
      style: 2,
    })
    const out = removed.filter(({ on }) => on)
    const stays = words.filter(({ start, end }) => !out.some((cut) => start < cut.end && end > cut.start))
    expect(stays.map(({ text }) => text).join(' ')).toBe(script)
    expect(new Set(out.map(({ reason }) => reason))).toEqual(new Set(['silence', 'filler', 'broken-off']))
  },
)

test('every demo person can sign in to their panel and finds projects', async () => {
  const doors = { User: 'APP', Editor: 'EDITOR', QA: 'QA', ADMIN: 'ADMIN' } as const
  for (const { email, role } of Object.values(demoPeople)) {
    const person = await signIn(email, doors[role])
    expect((await callAs(service, person)(projects.list, {})).items.length, email).toBeGreaterThan(0)
    expect((await callAs(service, person)(scripts.library, {})).categories, email).toHaveLength(5)
  }
  const stranger = await callAs(service, await signIn('officer@other.test', 'APP'))(projects.list, {})
  expect(stranger.items.map(({ isFree, status }) => [isFree, status])).toEqual([[true, 0]])
  const invitation = await callAs(service, null)(tenants.invitation, { params: { code: 'harbor-demo' } })
  expect(invitation).toMatchObject({ name: 'Harbor Point Lending (demo)', seatsLeft: 24 })
  const products = await callAs(service, null)(subscriptions.publicProducts, {})
  expect(
    products.map(({ name, plans }) => [name, ...plans.map(({ interval, price }) => `${interval} ${price}`)]),
  ).toEqual([
    ['Starter', 'month 9900', 'year 99000'],
    ['Steady', 'month 19900', 'year 199000'],
    ['Team', 'month 59900', 'year 599000'],
  ])
})

test('the demo has accounts at networks, posts with figures of several days, and one that asks for a new sign-in', async () => {
  const said: string[] = []
  const put = () => seedPosts({ ...service, log, report: (line) => said.push(line) }, service.config)
  await put()
  await put()
  expect(said).toEqual(['The demo’s accounts at networks are there'])
  const officer = callAs(service, await signIn(demoPeople.officer.email, 'APP'))
  const { items: connections } = await officer(publishing.connections, {})
  expect(connections.map(({ network, name, state }) => `${network} ${name} ${state}`).toSorted()).toEqual([
    'facebook Harbor Point Lending active',
    'instagram olivia.hart needs-sign-in',
    'youtube Olivia Hart active',
  ])
  const { items: measured } = await officer(publishing.figures, {})
  expect(measured).toHaveLength(4)
  for (const { network, figures } of measured) expect(figures?.views, network).toBeGreaterThan(500)
  const { items } = await officer(projects.list, {})
  const titled = (title: string) => items.find((one) => one.title === title)!
  expect(titled('Your yearly home loan check-up').postedOn).toEqual(['facebook', 'youtube'])
  const { items: posts } = await officer(publishing.posts, {
    params: { projectId: titled('Watch out for wire fraud').id },
  })
  expect(posts.map(({ network, state }) => `${network} ${state}`).toSorted()).toEqual([
    'facebook live',
    'instagram failed',
    'youtube live',
  ])
  const company = callAs(service, await signIn(demoPeople.company.email, 'ADMIN'))
  expect((await company(publishing.connections, {})).items.map(({ name }) => name)).toEqual(['Harbor Point Lending'])
})

test('the demo’s B-roll has three clips and a picture, once, which an editor is offered for fitting words', async () => {
  const said: string[] = []
  const stopping = new AbortController()
  let drawn = 0
  const stopped: typeof makeClip = async (clip) => {
    await draw(clip)
    if (++drawn === 2) stopping.abort()
  }
  const report = (line: string) => said.push(line)
  await seedClips({ ...service, log, draw: stopped, report, signal: stopping.signal })
  expect(said).toEqual([])
  const admin = callAs(service, await signIn(demoPeople.admin.email, 'ADMIN'))
  for (const _ of ['the rest', 'nothing']) await seedClips({ ...service, log, draw, report })
  expect(said).toEqual(['The demo’s B-roll is there'])
  expect((await admin(assets.unused, {})).items).toEqual([])
  const editor = callAs(service, await signIn(demoPeople.editor.email, 'EDITOR'))
  const { items } = await editor(clips.list, { query: { orderBy: 'title:asc' } })
  expect(items.map(({ title, asset }) => `${title}, ${asset.type}`)).toEqual([
    'A bright living room, video',
    'A quiet street, video',
    'Four houses, picture',
    'Two people who listen, video',
  ])
  for (const { title, asset } of items) expect(asset.thumbnailUrl, title).toBeTruthy()
  const work = (await editor(projects.list, {})).items[0]!
  const found = await editor(edits.clips, {
    params: { projectId: work.id },
    query: { words: 'what your house is worth' },
  })
  expect(found.items[0]!.title).toBe('Four houses')
  expect(found.fitting).toBeGreaterThan(0)
})

test('a library in which somebody has put clips of their own gets none of the demo’s', async () => {
  const own = await service.database.asSystem((tx) =>
    tx.count(sql`delete from seeded where step = 'clips' or step like 'clip:%'`),
  )
  expect(own).toBe(5)
  await seedClips({ ...service, log, draw })
  const editor = callAs(service, await signIn(demoPeople.editor.email, 'EDITOR'))
  expect((await editor(clips.list, {})).items).toHaveLength(4)
})

test('the demo is not loaded into a database with people, nor with SEED=none', async () => {
  const other = await openService({ SEED: 'demo' })
  try {
    expect(await seedPeople({ ...other, config: { ...other.config, seed: 'none' }, log })).toBe(false)
    await makePerson(other, 'User')
    expect(await seedPeople({ ...other, log })).toBe(false)
    expect(await seedPeople({ ...other, log })).toBe(false)
    const people = await other.database.asSystem((tx) => tx.rows(sql`select 1 from person`))
    expect(people).toHaveLength(1)
  } finally {
    await other.close()
  }
})

test('the demo scripts take about a minute, promise no rates, and end with the licence notice', async () => {
  const scripts = await service.database.asSystem((tx) =>
    tx.rows(sql<{ title: string; content: string }>`select title, content from script`),
  )
  for (const { title, content } of scripts) {
    const words = content.split(/\s+/).length
    expect(words, title).toBeGreaterThanOrEqual(90)
    expect(words, title).toBeLessThanOrEqual(130)
    expect(content, title).toMatch(/NMLS \[number\].*Equal Housing Lender\.$/)
    expect(content, title).not.toMatch(/\d\s*%|\bAPR\b|guarantee|lowest|no money down|\$\s?\d/i)
  }
})
