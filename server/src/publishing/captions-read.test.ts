import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { networkNames, networks as limits, type NetworkLimits } from '@clear-to-post/domain/networks'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { writeVtt } from '@clear-to-post/edit/subtitles'
import { sentencesHeard } from '@clear-to-post/edit/translation'
import { cuesIn } from '../../../web/app/ui/player-captions.ts'
import { sql } from '../kernel/database.ts'
import { makeStaff, submitProject } from '../../test/factories.ts'
import { approvedVideo, connectAccount, inHours, workOnPost } from '../../test/posting.ts'
import { longKit } from '../../test/recipes.ts'
import { callAs, makeOfficer, makePerson, makeVideo, openService } from '../../test/service.ts'
import type { OpenedService, Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Awaited<ReturnType<typeof makeOfficer>>
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
const languages = ['en', 'es']

/** An edit whose captions are not in its picture: what its editor typed, and the same in Spanish. */
const typed = (said: string): string => {
  const recipe = JSON.parse(longKit(said.split(' ').length).recipe) as Recipe
  const words = recipe.words.map((word, i) => ({ ...word, text: said.split(' ')[i]! }))
  const english = { ...recipe, words, captions: { ...recipe.captions, on: false } }
  const lines = sentencesHeard(english).map(({ id, text }) => [id, { text: `¿${text}?`, of: text }])
  return JSON.stringify({
    ...english,
    translation: { language: 'es', inPicture: false, lines: Object.fromEntries(lines) },
  })
}
const renderedAs = (projectId: string, assetId: string, said: string) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
      values (${projectId}, ${officer.tenantId}, 1, ${typed(said)}::jsonb, 'done', ${assetId}, ${staff.editor.id})`),
  )
const captionsFor = async (person: Person, projectId: string, assetId: string) =>
  (await as(person)(projects.captions, { params: { projectId, assetId } })).items
const saidIn = (items: Awaited<ReturnType<typeof captionsFor>>) =>
  items.map(({ language, srt }) => [
    language,
    cuesIn(srt)
      .flatMap(({ lines }) => lines)
      .join(' '),
  ])

it('the words of a cut’s captions are read, in each language, by all who may see the cut and by nobody else', async () => {
  const { tenantId } = officer
  const elsewhere = await makeOfficer(service)
  const make = (role: 'User' | 'Editor' | 'QA' | 'ADMIN', of: string | null) =>
    makePerson(service, role, { tenantId: of })
  const people: Record<string, Person> = {
    'its officer': officer,
    'its editor': staff.editor,
    'QA of the service': staff.qa,
    'ADMIN of the service': staff.admin,
    'QA of the company': await make('QA', tenantId),
    'Editor of the company': await make('Editor', tenantId),
    'ADMIN of the company': await make('ADMIN', tenantId),
    'another officer of the company': await make('User', tenantId),
    'an officer elsewhere': elsewhere,
    'QA elsewhere': await make('QA', elsewhere.tenantId),
    'ADMIN elsewhere': await make('ADMIN', elsewhere.tenantId),
  }
  const { id: projectId } = await submitProject(service, officer)
  const at = { params: { projectId } }
  await as(staff.editor)(projects.start, { body: { projectId } })
  const send = async (said: string) => {
    const assetId = await makeVideo(service, staff.editor, { id: projectId, tenantId })
    await renderedAs(projectId, assetId, said)
    await as(staff.editor)(projects.send, { ...at, body: { finalVideoId: assetId } })
    return { assetId, said }
  }
  const approved = await send('GUARANTEED 0% APR & no <i>credit</i> check')
  await as(staff.qa)(projects.approve, at)
  await as(officer)(projects.review, { ...at, body: { revision: 'Shorter' } })
  await as(staff.editor)(projects.start, { body: { projectId } })
  const waiting = await send('Call 555-0100 now or never')

  const read: string[] = []
  for (const [who, person] of Object.entries(people))
    for (const [what, { assetId, said }] of Object.entries({ approved, waiting })) {
      const cuts = await as(person)(projects.cuts, at).then(
        ({ items }) => items,
        () => [],
      )
      const cut = cuts.find(({ asset }) => asset.assetId === assetId)
      const sees = await as(person)(assets.find, { params: { assetId } }).then(
        () => true,
        () => false,
      )
      if (cut) {
        expect({ who, what, sees, languages: cut.captions }).toEqual({ who, what, sees: true, languages })
        expect(saidIn(await captionsFor(person, projectId, assetId)), `${who}, ${what}`).toEqual([
          ['en', said],
          ['es', `¿${said}?`],
        ])
        read.push(`${who}: ${what}`)
      } else
        await expect(captionsFor(person, projectId, assetId), `${who}, ${what}`).rejects.toMatchObject({
          kind: 'not-found',
        })
    }
  const staffOfBoth = ['its editor', 'QA of the service', 'ADMIN of the service', 'QA of the company']
  staffOfBoth.push('Editor of the company', 'ADMIN of the company')
  expect(read).toEqual([
    'its officer: approved',
    ...staffOfBoth.flatMap((who) => [`${who}: approved`, `${who}: waiting`]),
  ])

  // A file of the project that is no cut has no such address, and what is erased of an edit is not answered from memory.
  const source = (await service.database.asSystem((tx) =>
    tx.first(
      sql<{
        id: string
      }>`select id from asset where project_id = ${projectId} and id <> all(${[approved.assetId, waiting.assetId]}::uuid[])`,
    ),
  ))!
  await expect(captionsFor(staff.qa, projectId, source.id)).rejects.toMatchObject({ code: 'asset.not-found' })
  await service.database.asSystem((tx) =>
    tx.count(sql`update render set recipe = recipe || '{"words": []}' where asset_id = ${approved.assetId}`),
  )
  expect(saidIn(await captionsFor(officer, projectId, approved.assetId))).toEqual([])
})

it('the words that an officer reads are byte for byte those that each network gets, in each language', async () => {
  const taking = networkNames.filter((network) => (limits[network] as NetworkLimits).captions !== undefined)
  expect(taking.length).toBeGreaterThan(0)
  for (const captions of languages) {
    const { projectId, assetId } = await approvedVideo(service, officer, staff)
    await renderedAs(projectId, assetId, `Rates fell & rose again. ${'Call me now! '.repeat(20).trim()}`)
    const items = await captionsFor(officer, projectId, assetId)
    expect(items.map(({ language }) => language)).toEqual(
      (await as(officer)(publishing.captions, { params: { projectId } })).languages,
    )
    const { srt } = items.find(({ language }) => language === captions)!
    const cues = cuesIn(srt)
    const words = `Rates ${randomUUID()}`
    const posts = []
    for (const network of taking) {
      const { id: connectionId } = await connectAccount(service, officer, network)
      posts.push({ connectionId, words, title: 'Rates', captions })
    }
    const publishAt = inHours(2).toISOString()
    await as(officer)(projects.schedule, { params: { projectId }, body: { publishAt, posts } })
    for (const hours of [1.5, 2.01, 2.2]) {
      await standIns.control({ now: inHours(hours).getTime() })
      for (const { id } of (await as(officer)(publishing.posts, { params: { projectId } })).items)
        await workOnPost(service, id, inHours(hours))
    }
    for (const network of taking) {
      const [entry] = (await standIns.timeline(network)).timeline.filter((one) => one.words.includes(words))
      const bytes = network === 'bluesky' ? writeVtt(cues) : srt
      // What stands between two parts of a form has no line break at its end.
      const hashes = [bytes, bytes.trimEnd()].map((text) => createHash('sha256').update(text).digest('hex'))
      expect(hashes, `${network}, ${captions}`).toContain(entry?.captions?.[captions])
    }
  }
})

it('a cut that was sent in from elsewhere names no captions and has none to read', async () => {
  const { projectId, assetId } = await approvedVideo(service, officer, staff)
  expect(await captionsFor(officer, projectId, assetId)).toEqual([])
  const [cut] = (await as(officer)(projects.cuts, { params: { projectId } })).items
  expect(cut).not.toHaveProperty('captions')
})
