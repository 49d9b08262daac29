import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { networkNames, networks as limits, type Network, type NetworkLimits } from '@clear-to-post/domain/networks'
import { readSrt, readVtt } from '@clear-to-post/edit/subtitles'
import { captionsIn } from '../edits/actions.ts'
import { sql } from '../kernel/database.ts'
import type { Ask } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { makeStaff } from '../../test/factories.ts'
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

const as = (person: Person) => callAs(service, person)
const taking = networkNames.filter((network) => (limits[network] as NetworkLimits).captions !== undefined)

/** An approved video that was rendered here of so many words. */
const spokenVideo = async (words = 40) => {
  const video = await approvedVideo(service, officer, staff)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
      values (${video.projectId}, ${officer.tenantId}, 1, ${longKit(words).recipe}::jsonb, 'done', ${video.assetId}, ${staff.editor.id})`),
  )
  return video
}
const languagesOf = async (projectId: string) =>
  (await as(officer)(publishing.captions, { params: { projectId } })).languages

const schedule = async (projectId: string, names: readonly Network[], captions: string) => {
  const words = `Rates ${randomUUID()}`
  const posts = []
  for (const network of names) {
    const { id: connectionId } = await connectAccount(service, officer, network)
    posts.push({ connectionId, words, title: 'Rates', captions })
  }
  await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt: inHours(2).toISOString(), posts } })
  return words
}

const workAll = async (projectId: string, ask?: Ask) => {
  const posts = async () => (await as(officer)(publishing.posts, { params: { projectId } })).items
  for (const hours of [1.5, 2.01, 2.2]) {
    await standIns.control({ now: inHours(hours).getTime() })
    for (const { id } of await posts()) await workOnPost(service, id, inHours(hours), ask)
  }
  return posts()
}

it('captions of the approved file’s own recipe go with a post as a file, in each form that networks take', async () => {
  const { projectId, assetId } = await spokenVideo()
  expect(await languagesOf(projectId)).toEqual(['en'])
  const words = await schedule(projectId, taking, 'en')
  expect(
    (await workAll(projectId)).map(({ network, state, captions, remarks }) => [network, state, captions, remarks]),
  ).toEqual([...taking].toReversed().map((network) => [network, 'live', 'en', undefined]))
  const files = (await service.database.asSystem((tx) => captionsIn(tx, assetId, 'en')))!
  expect([readSrt(files.srt).length, readVtt(files.vtt)?.length]).toEqual([
    readSrt(files.srt).length,
    readSrt(files.srt).length,
  ])
  expect(readSrt(files.srt).length).toBeGreaterThan(0)
  for (const network of taking) {
    const [entry] = (await standIns.timeline(network)).timeline.filter((one) => one.words.includes(words))
    const bytes = network === 'bluesky' ? files.vtt : files.srt
    // What stands between two parts of a form has no line break at its end.
    const hashes = [bytes, bytes.trimEnd()].map((text) => createHash('sha256').update(text).digest('hex'))
    expect(hashes, network).toContain(entry?.captions?.['en'])
  }
})

it('captions are added to a scheduled post and taken away again, in a language that there is', async () => {
  const { projectId } = await spokenVideo()
  await schedule(projectId, ['youtube', 'linkedin'], 'en')
  const posts = (await as(officer)(publishing.posts, { params: { projectId } })).items
  const edit = (network: Network, captions: string | null) =>
    as(officer)(publishing.reword, {
      params: { postId: posts.find((post) => post.network === network)!.id },
      body: { captions },
    })
  expect(await edit('youtube', null)).not.toHaveProperty('captions')
  await expect(edit('youtube', 'es')).rejects.toThrow('no captions of this video in that language')
  expect(await edit('youtube', 'en')).toMatchObject({ captions: 'en' })
  expect(await edit('linkedin', null)).not.toHaveProperty('captions')
  const words = posts[0]!.words
  await workAll(projectId)
  for (const [network, languages] of [
    ['youtube', ['en']],
    ['linkedin', []],
  ] as const) {
    const [entry] = (await standIns.timeline(network)).timeline.filter((one) => one.words.includes(words))
    expect(Object.keys(entry?.captions ?? {}), network).toEqual(languages)
  }
})

it('a network that refuses captions is posted to without them, and the post says so', async () => {
  const { projectId } = await spokenVideo()
  const refusing: Ask = (to, request) =>
    /captions|uploadBlob$/.test(to)
      ? Promise.resolve({ status: 403, headers: new Headers(), text: '{}', json: () => ({}) })
      : networks().ask(to, request)
  await schedule(projectId, taking, 'en')
  for (const { network, state, remarks } of await workAll(projectId, refusing))
    expect([network, state, remarks]).toEqual([
      network,
      'live',
      [expect.stringMatching(/did not take the captions\. Add them there\.$/)],
    ])
})

it('captions that Bluesky has no room for are left out of its post', async () => {
  const { projectId } = await spokenVideo(7000)
  await schedule(projectId, ['bluesky'], 'en')
  expect(await workAll(projectId)).toMatchObject([{ state: 'live', remarks: [expect.stringContaining('captions')] }])
})

it('a file that was sent in has no captions, and a post that asks for missing ones is not scheduled', async () => {
  const sent = await approvedVideo(service, officer, staff)
  expect(await languagesOf(sent.projectId)).toEqual([])
  await expect(schedule(sent.projectId, ['youtube'], 'en')).rejects.toThrow(
    'no captions of this video in that language',
  )
  const { projectId } = await spokenVideo()
  await expect(schedule(projectId, ['youtube'], 'es')).rejects.toThrow('no captions of this video in that language')
  await expect(schedule(projectId, ['x'], 'en')).rejects.toThrow('X takes no captions as a file')
})
