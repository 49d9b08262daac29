import { afterAll, beforeAll, expect, test } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { edits } from '@clear-to-post/contract/edits'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { sql } from '../kernel/database.ts'
import { makeEdit } from '../../test/make-edit.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  type Person,
  type Service,
} from '../../test/service.ts'

let service: Service
let officer: Person, editor: Person, other: Person, qa: Person
beforeAll(async () => {
  service = await openService()
  officer = await makeOfficer(service)
  const { tenantId } = officer
  editor = await makePerson(service, 'Editor', { tenantId })
  other = await makePerson(service, 'Editor', { tenantId })
  qa = await makePerson(service, 'QA', { tenantId })
})
afterAll(() => service.close())
const as = (person: Person) => callAs(service, person)
const at = ({ id }: Project) => ({ params: { projectId: id } })

const begin = async (): Promise<{ project: Project; recipe: Recipe }> => {
  const source = await makeVideo(service, officer)
  const { id } = await as(officer)(projects.create, {
    body: { title: 'Rates', assets: [source], captionSuggestion: 'Rates moved today.' },
  })
  const project = await as(editor)(projects.start, { body: { projectId: id } })
  return { project, recipe: await makeEdit(service, project, source) }
}

test('before the first cut an edit has no recipe, and shows the officer’s script', async () => {
  const { id } = await submitProject(service, officer, { title: 'New', captionSuggestion: 'Read this.' })
  const edit = await as(editor)(edits.find, { params: { projectId: id } })
  expect(edit).toMatchObject({ state: 'none', revision: 0, script: 'Read this.', actions: [] })
  expect(edit.assets).toHaveLength(1)
  expect(edit.recipe).toBeUndefined()
})

test('of simultaneous saves of one revision exactly one succeeds, and the others are refused', async () => {
  const { project, recipe } = await begin()
  const saves = await Promise.allSettled(
    ['9:16', '1:1', '16:9'].map((aspect) =>
      as(editor)(edits.save, {
        ...at(project),
        body: { revision: 1, recipe: { ...recipe, frame: { ...recipe.frame, aspect } } },
      }),
    ),
  )
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const save of saves) if (save.status === 'rejected') expect(save.reason).toMatchObject({ code: 'edit.changed' })
  const edit = await as(qa)(edits.find, at(project))
  expect(edit).toMatchObject({ revision: 2, actions: [] })
  // The first cut stays as the rules made it.
  expect(edit.firstCut).toEqual(recipe)
})

test('only the project’s editor saves the recipe, and only while the project is In Progress', async () => {
  const { project, recipe } = await begin()
  const save = (person: Person) => as(person)(edits.save, { ...at(project), body: { revision: 1, recipe } })
  await expect(save(other)).rejects.toMatchObject({ code: 'edit.not-yours' })
  await expect(save(qa)).rejects.toMatchObject({ code: 'access.forbidden' })
  await expect(as(officer)(edits.find, at(project))).rejects.toMatchObject({ kind: 'forbidden' })
  const finalVideoId = await makeVideo(service, editor, project)
  await as(editor)(projects.send, { ...at(project), body: { finalVideoId } })
  await expect(save(editor)).rejects.toMatchObject({ code: 'edit.not-yours' })
})

test('an invalid recipe is refused with its reasons, and so is a file that the editor may not use', async () => {
  const { project, recipe } = await begin()
  const save = (changed: object) =>
    as(editor)(edits.save, { ...at(project), body: { revision: 1, recipe: { ...recipe, ...changed } } })
  await expect(save({ keep: [{ id: 'k1', source: 's1', start: 500, end: 400 }] })).rejects.toMatchObject({
    code: 'edit.invalid',
    issues: [{ path: 'body.recipe.keep 1', message: expect.stringContaining('not after its start') }],
  })
  await expect(save({ version: 999 })).rejects.toMatchObject({ code: 'edit.invalid' })
  const stolen = recipe.sources.map((source) => ({ ...source }))
  stolen[0]!.assetId = (await begin()).recipe.sources[0]!.assetId
  await expect(save({ sources: stolen })).rejects.toMatchObject({ code: 'asset.not-found' })
  // A file without a project is a draft; the officer's own logo can be shown in every edit.
  const logo = (id: string) => save({ brand: { ...recipe.brand, logo: id } })
  const admin = await makePerson(service, 'ADMIN')
  const colleague = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const [draft, stranger, colleagues, shown] = [
    await makeVideo(service, officer),
    await makeVideo(service, admin),
    await makeVideo(service, colleague),
    await makeVideo(service, officer),
  ]
  await wear(stranger, admin.id)
  await wear(colleagues, colleague.id)
  await wear(shown, officer.id)
  await expect(logo(draft)).rejects.toMatchObject({ code: 'asset.not-found' })
  await expect(logo(stranger)).rejects.toMatchObject({ code: 'asset.not-found' })
  await expect(logo(colleagues)).rejects.toMatchObject({ code: 'asset.not-found' })
  await expect(
    as(admin)(edits.save, {
      ...at(project),
      body: { revision: 1, recipe: { ...recipe, brand: { ...recipe.brand, logo: draft } } },
    }),
  ).rejects.toMatchObject({ code: 'asset.not-found' })
  expect((await as(editor)(edits.find, at(project))).revision).toBe(1)
  await logo(shown)
  const edit = await as(editor)(edits.find, at(project))
  expect(edit.assets.map(({ assetId }) => assetId)).toContain(shown)
  // A logo that was changed meanwhile does not stop the editor.
  await service.database.asSystem((tx) => tx.count(sql`delete from asset_face where asset_id = ${shown}`))
  await as(editor)(edits.save, { ...at(project), body: { revision: 2, recipe: edit.recipe! } })
  await as(editor)(edits.save, {
    ...at(project),
    body: {
      revision: 3,
      recipe: {
        ...recipe,
        removed: [{ ...recipe.keep[0]!, id: 'r1', reason: 'by-hand', by: 'person', why: '', on: true }],
      },
    },
  })
  await expect(as(editor)(edits.render, { ...at(project), body: { revision: 4 } })).rejects.toMatchObject({
    code: 'edit.empty',
  })
})

const wear = (assetId: string, whose: string) =>
  service.database.asSystem((tx) =>
    tx.count(sql`insert into asset_face (whose, field, asset_id) values (${whose}, 'logo', ${assetId})`),
  )

test('where the stored recipe cannot be read, every file of the new one is checked', async () => {
  const { project, recipe } = await begin()
  const stolen = recipe.sources.map((source) => ({ ...source }))
  stolen[0]!.assetId = (await begin()).recipe.sources[0]!.assetId
  await service.database.asSystem((tx) =>
    tx.count(sql`update edit set recipe = '{"version": 999}' where project_id = ${project.id}`),
  )
  const save = (sources: Recipe['sources']) =>
    as(editor)(edits.save, { ...at(project), body: { revision: 1, recipe: { ...recipe, sources } } })
  await expect(save(stolen)).rejects.toMatchObject({ code: 'asset.not-found' })
  expect(await save(recipe.sources)).toMatchObject({ revision: 2 })
})

test('a project has one render at a time, of the saved recipe, and can be rendered again after a cancellation', async () => {
  const { project, recipe } = await begin()
  const ask = (revision: number) => as(editor)(edits.render, { ...at(project), body: { revision } })
  await expect(ask(2)).rejects.toMatchObject({ code: 'edit.changed' })
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => ask(1)))
  const [won] = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of asked) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'render.running' })
  expect(won).toMatchObject({ state: 'queued', revision: 1, changes: [] })
  const params = { renderId: won!.id }
  expect(await as(editor)(edits.cancelRender, { params })).toMatchObject({ state: 'canceled' })
  expect(await as(editor)(edits.cancelRender, { params })).toMatchObject({ state: 'canceled' })
  await as(editor)(edits.save, {
    ...at(project),
    body: { revision: 1, recipe: { ...recipe, captions: { ...recipe.captions, style: 3 } } },
  })
  const second = await ask(2)
  expect(second.changes.join(' ')).toMatch(/caption/i)
  await expect(as(editor)(edits.retryRender, { params })).rejects.toMatchObject({ code: 'render.running' })
  // Asked before any recipe is read.
  await expect(ask(99)).rejects.toMatchObject({ code: 'render.running' })
  await as(editor)(edits.cancelRender, { params: { renderId: second.id } })
  expect(await as(editor)(edits.retryRender, { params })).toMatchObject({ state: 'queued', revision: 1 })
  expect((await as(qa)(edits.renders, at(project))).items).toHaveLength(3)
})

test('the changes of a render are kept with it, and the list of renders reads no recipe', async () => {
  const { project, recipe } = await begin()
  const ask = async (revision: number) => {
    const { id } = await as(editor)(edits.render, { ...at(project), body: { revision } })
    return as(editor)(edits.cancelRender, { params: { renderId: id } })
  }
  await ask(1)
  const changed = { ...recipe, captions: { ...recipe.captions, style: 3 } }
  await as(editor)(edits.save, { ...at(project), body: { revision: 1, recipe: changed } })
  const { changes } = await ask(2)
  expect(changes).toHaveLength(1)
  const shown = async () => (await as(qa)(edits.renders, at(project))).items.map((one) => one.changes)
  await service.database.asSystem((tx) =>
    tx.count(sql`update render set recipe = '{}' where project_id = ${project.id}`),
  )
  expect(await shown()).toEqual([changes, []])
  // As renders are that were added before this was kept.
  await service.database.asSystem((tx) =>
    tx.count(sql`update render set changes = null where project_id = ${project.id}`),
  )
  expect(await shown()).toEqual([[], []])
})

test('the glossary is stored for the officer and for the company', async () => {
  const params = { userId: officer.id }
  await as(editor)(edits.changeGlossary, { params, body: { whose: 'own', add: [{ term: 'Olivia Hart' }] } })
  const both = await as(other)(edits.changeGlossary, {
    params,
    body: { whose: 'company', add: [{ term: 'NMLS', sounds: 'en em el es' }] },
  })
  expect(both).toEqual({ own: [{ term: 'Olivia Hart' }], company: [{ term: 'NMLS', sounds: 'en em el es' }] })
  const alone = await makePerson(service, 'User')
  const free = await makePerson(service, 'Editor')
  await expect(
    as(free)(edits.changeGlossary, { params: { userId: alone.id }, body: { whose: 'company' } }),
  ).rejects.toMatchObject({ code: 'tenant.none' })
})

test('words that several people add and remove at once are all kept, and taken back one by one', async () => {
  const { id: userId } = await makePerson(service, 'User', { tenantId: officer.tenantId })
  const change = (person: Person, body: { add?: { term: string; sounds?: string }[]; remove?: string[] }) =>
    as(person)(edits.changeGlossary, { params: { userId }, body: { whose: 'own', ...body } })
  const terms = async () => (await as(editor)(edits.glossary, { params: { userId } })).own.map(({ term }) => term)

  // Nobody has kept a word before.
  const added = ['Bexar', 'Zillow', 'Alpha', 'Guadalupe', 'Okonkwo', 'Nguyen']
  await Promise.all(added.map((term, n) => change(n % 2 ? editor : other, { add: [{ term }] })))
  expect(await terms()).toEqual(added.toSorted())

  // Removed by one, while the other adds; then taken back, and once more.
  await Promise.all([change(editor, { remove: ['alpha'] }), change(other, { add: [{ term: 'Escrow' }] })])
  expect(await terms()).toEqual(['Bexar', 'Escrow', 'Guadalupe', 'Nguyen', 'Okonkwo', 'Zillow'])
  await change(editor, { add: [{ term: 'Alpha' }] })
  await change(editor, { add: [{ term: 'Alpha' }], remove: ['nobody'] })
  expect(await terms()).toEqual([...added, 'Escrow'].toSorted())

  // What somebody said of a word is not lost to another's.
  await change(other, { add: [{ term: 'DTI', sounds: 'dee tea eye' }] })
  await expect(change(editor, { add: [{ term: 'dti' }] })).rejects.toMatchObject({ code: 'glossary.there' })
  const { own } = await change(editor, { remove: ['dti'], add: [{ term: 'DTI', sounds: 'd t i' }] })
  expect(own).toContainEqual({ term: 'DTI', sounds: 'd t i' })

  const room = mostKept.words - own.length
  const many = Array.from({ length: room }, (_, n) => ({ term: `Word ${n}` }))
  await change(editor, { add: many })
  await expect(change(other, { add: [{ term: 'One more' }] })).rejects.toMatchObject({ code: 'glossary.too-many' })
})

test('the kit contains the edit and its sources, and a finished file returns to its project by its job code', async () => {
  const { project } = await begin()
  const { url, jobCode } = await as(editor)(edits.handOver, at(project))
  const answer = await service.app.inject({ url })
  // The test's sources have no bytes on the disk: everything else is in the zip.
  expect(answer.headers['content-disposition']).toContain(jobCode)
  for (const ending of ['edl', 'otio', 'fcpxml', 'srt', 'vtt']) expect(answer.body).toContain(`${jobCode}.${ending}`)
  expect(answer.body).toContain(`JOB CODE: ${jobCode}`)
  expect((await service.app.inject({ url: url.replace('/kit/', '/zip/') })).statusCode).toBe(404)

  const upload = async (who: Person, fileName: string, projectId?: string) => {
    const told = { filename: fileName, ...(projectId ? { projectId } : {}) }
    const response = await service.app.inject({
      method: 'POST',
      url: '/uploads',
      headers: {
        authorization: `Bearer ${who.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-metadata': Object.entries(told)
          .map(([key, value]) => `${key} ${btoa(value)}`)
          .join(','),
      },
    })
    const id = String(response.headers.location).split('/').at(-1)!
    if (response.statusCode !== 201) return response.json<{ code: string }>().code
    return (await as(who)(assets.find, { params: { assetId: id } })).projectId
  }
  expect(await upload(editor, `${jobCode.toLowerCase()} final (2).mp4`)).toBe(project.id)
  expect(await upload(editor, 'final.mp4')).toBeUndefined()
  expect(await upload(editor, `${jobCode}.mp4`, (await begin()).project.id)).toBe('asset.other-project')
  // For an officer, or an editor without access, a job code in a file's name means nothing.
  expect(await upload(officer, `${jobCode}.mp4`)).toBeUndefined()
  const foreign = await makePerson(service, 'Editor', { tenantId: await makeTenant(service) })
  expect(await upload(foreign, `${jobCode}.mp4`)).toBeUndefined()
})

test('of renders that ended without a file the newest are kept, and what a worker died over is remembered', async () => {
  const { project } = await begin()
  const { revision } = await as(editor)(edits.find, at(project))
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into render (project_id, revision, recipe, asked_by, asked_at, state, crashes)
      select ${project.id}::uuid, 1, '{}', ${editor.id}::uuid, now() - make_interval(mins => n), 'canceled', (n = 99)::integer
      from generate_series(1, ${mostKept.endedRenders + 50}::integer) n`),
  )
  await as(editor)(edits.render, { ...at(project), body: { revision } })
  const left = await service.database.asSystem((tx) =>
    tx.first(sql<{ ended: number; crashed: number; open: number }>`
      select count(*) filter (where state = 'canceled' and crashes = 0)::integer as ended,
        count(*) filter (where crashes = 1)::integer as crashed, count(*) filter (where state = 'queued')::integer as open
      from render where project_id = ${project.id}`),
  )
  expect(left).toEqual({ ended: mostKept.endedRenders, crashed: 1, open: 1 })
})
