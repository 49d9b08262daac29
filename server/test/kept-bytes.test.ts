import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { tenants } from '@clear-to-post/contract/tenants'
import { monthAfter, monthIn } from '@clear-to-post/domain/calendar'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { canceledDays } from '@clear-to-post/domain/plans'
import type { OpenFiles } from '@clear-to-post/domain/upload-room'
import { Status } from '@clear-to-post/domain/workflow'
import { fileUrl } from '../src/assets/addresses.ts'
import { sweepExpired } from '../src/assets/jobs.ts'
import { openUploads } from '../src/assets/store.ts'
import { beginUpload } from '../src/assets/uploads.ts'
import { prepareFirstCut } from '../src/edits/first-cut.ts'
import { sql } from '../src/kernel/database.ts'
import { submitProject } from './factories.ts'
import { jobContext } from './mails.ts'
import { makeEdit } from './make-edit.ts'
import {
  callAs,
  makeOfficer,
  makePerson,
  makePicture,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  type Person,
  type Service,
} from './service.ts'

/** Whatever keeps bytes that a person sent has a bound: their own room, or another that the source names. */
const gigabyte = 1024 ** 3
let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const as = (person: Person) => callAs(service, person)
const system = <T>(work: Parameters<typeof service.database.asSystem<T>>[0]) => service.database.asSystem(work)
const count = (query: ReturnType<typeof sql>) => system((tx) => tx.count(query))
const roomOf = ({ id }: Person, sendsForOthers = false): Promise<OpenFiles> =>
  system((tx) => openUploads(tx, id, { sendsForOthers }))
/** A file as it lies on the disk, of so many bytes. */
const weigh = (assetId: string, bytes: number) =>
  count(sql`update asset set file_size = ${bytes}, derived = '{"original": "original.mp4"}' where id = ${assetId}`)
const begin = (person: Person, size: number, projectId?: string) =>
  beginUpload(service.database, person, { size, fileName: 'take.mp4', fileType: '', projectId })

/** `own`: in the room of who sent it, as what; else the code that bounds it. */
type Bound = { own: Exclude<keyof OpenFiles, 'files'> } | { by: string; in: string }
const ofPlan: Bound = { by: 'rightToSubmit(rights', in: 'projects/create.ts' }
const ofWaiting: Bound = { by: 'mostKept.aheadBytes', in: 'assets/actions.ts' }
const ofCuts: Bound = { by: 'mostKept.cutBytes', in: 'assets/actions.ts' }
const ofLibrary: Bound = { by: 'mostKept.clipBytes', in: 'clips/actions.ts' }
const ofRefused: Bound = { by: 'surplusRefused(tx', in: 'assets/uploads.ts' }

/** What may name a file and so keep it from being thrown away. */
const keepers: Record<string, Bound> = {
  'asset_face.asset_id': { own: 'shown' },
  'note_asset.asset_id': { own: 'shown' },
  'project_cut.asset_id': ofCuts,
  'project.final_video_id': ofCuts,
  'project.approved_video_id': ofCuts,
  'post.asset_id': ofCuts,
  'post_file.asset_id': ofCuts,
  'project.cover_id': ofPlan,
  'clip.asset_id': ofLibrary,
  'edit_clip.asset_id': ofLibrary,
  'render.asset_id': { by: 'mostKept.finishedRenderBytes', in: 'edits/render.ts' },
}

it('every column that names a file has a bound of the bytes that it keeps', async () => {
  const found = await system((tx) =>
    tx.rows(sql<{ name: string }>`
      select c.conrelid::regclass || '.' || a.attname as name
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'asset'::regclass`),
  )
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.keys(keepers).toSorted())
})

/** Where a file of each purpose may be; `make` brings an own one there. */
type Place = { bound: Bound; make: (sender: Person, assetId: string) => Promise<unknown> }
const showInNote = async (assetId: string, sender: Person, isDeleted: boolean) => {
  const id = randomUUID()
  await count(sql`
    insert into note (id, user_id, author_id, author_email, title, content, deleted_at)
    values (${id}, ${sender.id}, ${sender.id}, 'a@test.test', 'A', 'B', case when ${isDeleted} then now() end)`)
  await count(sql`insert into note_asset (note_id, asset_id, position) values (${id}, ${assetId}, 0)`)
}
const queued: Status[] = [Status.submitted, Status.denied, Status.revisioning]
const inProject = (status: Status): Place => ({
  bound: status === Status.canceled ? { own: 'canceled' } : ofPlan,
  make: async (sender, assetId) => {
    const { id } = await submitProject(service, sender)
    await count(sql`
      update project set status = ${status}, queue_position = ${queued.includes(status) ? 1 : null}, due_at = now(), editor_id = ${sender.id},
        final_video_id = ${assetId}, approved_video_id = ${assetId} where id = ${id}`)
    await count(sql`update asset set project_id = ${id} where id = ${assetId}`)
  },
})
const places: Record<'source' | 'cut' | 'clip', Record<string, Place>> = {
  source: {
    'used by nothing': { bound: { own: 'unused' }, make: async () => {} },
    'a picture': {
      bound: { own: 'shown' },
      make: (sender, assetId) =>
        count(sql`insert into asset_face (whose, field, asset_id) values (${sender.id}, 'photo', ${assetId})`),
    },
    'in a note': { bound: { own: 'shown' }, make: (sender, assetId) => showInNote(assetId, sender, false) },
    'in a deleted note': { bound: { own: 'unused' }, make: (sender, assetId) => showInNote(assetId, sender, true) },
    ...Object.fromEntries(
      Object.entries(Status).map(([name, status]) => [`in a project that is ${name}`, inProject(status)]),
    ),
    'in a project that waits for its month': {
      bound: ofWaiting,
      make: async (sender, assetId) => {
        const { id } = await submitProject(service, sender, { submitMonth: monthAfter(monthIn(new Date(), 'UTC'), 2) })
        await count(sql`update asset set project_id = ${id} where id = ${assetId}`)
      },
    },
  },
  cut: {
    'not sent': {
      bound: { own: 'unused' },
      make: async (sender, assetId) => {
        const { id } = await submitProject(service, sender)
        await count(sql`update asset set project_id = ${id} where id = ${assetId}`)
      },
    },
    sent: {
      bound: ofCuts,
      make: async (sender, assetId) => {
        const { id } = await submitProject(service, sender)
        await count(sql`update asset set project_id = ${id} where id = ${assetId}`)
        await count(sql`
          insert into project_cut (project_id, number, user_id, asset_id, editor_id, sent_at)
          values (${id}, 1, ${sender.id}, ${assetId}, ${sender.id}, now())`)
      },
    },
  },
  clip: { 'in a library': { bound: ofLibrary, make: async () => {} } },
}

describe('bytes of a person count in their room, or have another bound', () => {
  it.each(Object.keys(places) as (keyof typeof places)[])('%s', async (purpose) => {
    for (const [where, { bound, make }] of Object.entries(places[purpose])) {
      const sender = await makeOfficer(service)
      const assetId = await makeVideo(service, sender)
      const before = await roomOf(sender)
      await weigh(assetId, gigabyte)
      await count(sql`update asset set purpose = ${purpose} where id = ${assetId}`)
      await make(sender, assetId)
      const room = await roomOf(sender)
      const grown = Object.entries(room).filter(([what, bytes]) => what !== 'files' && bytes >= gigabyte)
      expect({ where, before: before.canceled, grown: grown.map(([what]) => what) }).toEqual({
        where,
        before: 0,
        grown: 'own' in bound ? [bound.own] : [],
      })
      if (!('own' in bound)) expect(sourceOf(bound.in)).toContain(bound.by)
      expect([where, 'own' in bound ? bound.own === 'unused' : false]).toEqual([where, room.files === 1])
    }
  })

  it('in every state that the database knows', async () => {
    const known = (column: string) =>
      system((tx) =>
        tx.first(sql<{ check: string }>`
          select pg_get_constraintdef(oid) as "check" from pg_constraint where conname = ${`asset_${column}_check`}`),
      ).then((row) => [...row!.check.matchAll(/'(\w+)'/g)].map(([, value]) => value!))
    expect((await known('purpose')).toSorted()).toEqual(Object.keys(places).toSorted())
    const states = await known('state')
    expect(states.length).toBeGreaterThan(4)
    for (const state of states)
      for (const where of ['used by nothing', 'a picture', 'in a note'] as const) {
        const sender = await makePerson(service, 'Editor')
        const assetId = await makeVideo(service, sender)
        await count(sql`update asset set state = ${state} where id = ${assetId}`)
        await places.source[where]!.make(sender, assetId)
        const { unused, shown } = await roomOf(sender)
        // Those have no bytes on the disk; their rows are bounded by number.
        const isGone = state === 'rejected' || state === 'failed'
        expect([state, where, unused + shown]).toEqual([state, where, isGone ? 0 : 1000])
      }
    expect(sourceOf((ofRefused as { in: string }).in)).toContain((ofRefused as { by: string }).by)
  })
})

describe('a canceled video', () => {
  it('has an end of its files, until which they fill its sender’s room and come back with it', async () => {
    const [officer, admin] = [await makeOfficer(service), await makePerson(service, 'ADMIN')]
    const submit = async (bytes: number) => {
      const source = await makeVideo(service, officer)
      await weigh(source, bytes)
      return as(officer)(projects.create, { body: { title: 'Rate lock', assets: [source] } })
    }
    const at = ({ id }: { id: string }) => ({ params: { projectId: id } })
    const [kept, back] = [await submit(12 * gigabyte), await submit(7 * gigabyte)]
    const { expirationTimestamp } = await as(officer)(projects.cancel, at(kept))
    const days = (Date.parse(expirationTimestamp!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(canceledDays - 0.1)
    expect(days).toBeLessThanOrEqual(canceledDays)
    await as(officer)(projects.cancel, at(back))
    await expect(begin(officer, 2 * gigabyte)).rejects.toMatchObject({
      code: 'asset.no-room',
      message:
        'Files that wait unused and those of canceled videos may have 20 GB together. A canceled video’s files go by themselves after 7 days.',
    })
    // What is brought back is a video like any other.
    const again = await as(admin)(projects.rollback, at(back))
    expect(again).toMatchObject({ status: Status.submitted, expirationTimestamp: null })
    expect(await roomOf(officer)).toEqual({ files: 0, unused: 0, shown: 0, canceled: 12 * gigabyte })
    expect(await outcome(begin(officer, 2 * gigabyte))).toBe('done')

    const later = new Date(Date.now() + canceledDays * 86_400_000 + 1000)
    expect(await sweepExpired(service.database, new Date())).toBe(0)
    expect(await sweepExpired(service.database, later)).toBe(1)
    expect((await roomOf(officer)).canceled).toBe(0)
    await count(sql`update project set expires_at = now() - interval '1 minute' where id = ${kept.id}`)
    expect(await outcome(as(admin)(projects.rollback, at(kept)))).toBe('project.nothing-to-roll-back')
  })

  it('of before has seven days from its migration, and one that has an end keeps it', async () => {
    const officer = await makeOfficer(service)
    const ids = await Promise.all(
      [Status.canceled, Status.canceled, Status.submitted].map(async (status, n) => {
        const { id } = await submitProject(service, officer)
        await count(sql`
        update project set status = ${status}, queue_position = case when ${status} = 0 then queue_position end,
          expires_at = case when ${n} = 1 then timestamptz '2026-01-01' end where id = ${id}`)
        return id
      }),
    )
    const migration = readFileSync(join(import.meta.dirname, '../migrations/0130_canceled_videos_end.sql'), 'utf8')
    const owner = new pg.Client({ connectionString: service.urls.ownerUrl })
    await owner.connect()
    await owner.query(migration.slice(0, migration.indexOf('create index')))
    await owner.end()
    const rows = await system((tx) =>
      tx.rows(sql<{ id: string; days: number | null }>`
        select id, round(extract(epoch from expires_at - now()) / 86400)::integer as days from project where id = any(${ids})`),
    )
    const days = ids.map((id) => rows.find((row) => row.id === id)!.days)
    expect([days[0], days[1]! < 0, days[2]]).toEqual([canceledDays, true, null])
  })

  it('that an ADMIN sent in for an officer fills the ADMIN’s room, too', async () => {
    const officer = await makeOfficer(service)
    const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
    const source = await makeVideo(service, admin)
    await weigh(source, 19 * gigabyte)
    const { id } = await submitProject(service, admin, { assets: [source], userId: officer.id })
    expect((await roomOf(admin, true)).canceled).toBe(0)
    await as(admin)(projects.cancel, { params: { projectId: id } })
    expect([(await roomOf(admin, true)).canceled, (await roomOf(officer)).canceled]).toEqual(
      Array(2).fill(19 * gigabyte),
    )
    expect(await outcome(begin(admin, 2 * gigabyte))).toBe('asset.no-room')
  })

  it('has no first cut made, stops one that is being made, and has it made when it is brought back', async () => {
    const [officer, admin] = [await makeOfficer(service), await makePerson(service, 'ADMIN')]
    const { id } = await submitProject(service, officer)
    const at = { params: { projectId: id } }
    const states = () => system((tx) => tx.rows(sql`select state, attempt from edit where project_id = ${id}`))
    const jobs = () =>
      system((tx) =>
        tx.rows(
          sql`select from pgboss.job where name = 'first-cut' and data->>'projectId' = ${id} and state < 'active'`,
        ),
      )
    await as(officer)(projects.cancel, at)
    await prepareFirstCut(jobContext(service), id)
    expect(await states()).toEqual([])

    await count(sql`delete from pgboss.job where name = 'first-cut'`)
    await as(admin)(projects.rollback, at)
    expect(await jobs()).toHaveLength(1)
    await makeEdit(service, { id, tenantId: officer.tenantId }, randomUUID())
    await count(sql`update edit set state = 'preparing', attempt = 3 where project_id = ${id}`)
    await as(officer)(projects.cancel, at)
    expect(await states()).toEqual([{ state: 'waiting', attempt: 4 }])
    await prepareFirstCut(jobContext(service), id)
    expect(await states()).toEqual([{ state: 'waiting', attempt: 4 }])
  })
})

it('an officer’s videos that wait for later months have 40 GB together, whoever sends them in', async () => {
  const officer = await makeOfficer(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  const submit = async (who: Person, ahead: number, bytes = 12 * gigabyte) => {
    const source = await makeVideo(service, who)
    await weigh(source, bytes)
    const submitMonth = monthAfter(monthIn(new Date(), 'UTC'), ahead)
    const more = who.id === officer.id ? {} : { userId: officer.id }
    return submitProject(service, who, { assets: [source], ...(ahead > 0 ? { submitMonth } : {}), ...more })
  }
  const [first] = [await submit(officer, 2), await submit(officer, 3), await submit(admin, 4)]
  const full = { code: 'project.ahead-full', message: expect.stringContaining('40 GB together') }
  await expect(submit(officer, 2)).rejects.toMatchObject(full)
  await expect(submit(admin, 5)).rejects.toMatchObject(full)
  expect(await outcome(submit(officer, 0))).toBe('done')
  // What is brought back counts, too.
  const back = await submit(officer, 0)
  await count(
    sql`update project set status = ${Status.scheduled}, queue_position = null, due_at = now() + interval '9 days' where id = ${back.id}`,
  )
  await as(officer)(projects.cancel, { params: { projectId: back.id } })
  await expect(as(admin)(projects.rollback, { params: { projectId: back.id } })).rejects.toMatchObject(full)
  // A video taken out of its waiting has no way back while another has its room.
  await as(officer)(projects.unschedule, { params: { projectId: first.id } })
  expect(await outcome(submit(officer, 2))).toBe('done')
  await expect(as(admin)(projects.rollback, { params: { projectId: first.id } })).rejects.toMatchObject(full)
})

it('an officer has twenty videos a day sent in, by whomever and whatever is canceled', async () => {
  const officer = await makeOfficer(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
  for (let sent = 0; sent < mostKept.videosPerDay; sent++) {
    const { id } = await submitProject(service, officer)
    if (sent % 2 === 0) await as(officer)(projects.cancel, { params: { projectId: id } })
  }
  await expect(submitProject(service, officer)).rejects.toMatchObject({
    code: 'project.too-many-today',
    message: expect.stringMatching(/^Twenty videos were sent in within the last 24 hours, and canceled ones count/),
  })
  await expect(submitProject(service, admin, { userId: officer.id })).rejects.toMatchObject({
    code: 'project.too-many-today',
    message: expect.stringMatching(/^Twenty videos of this officer/),
  })
  // Another officer of theirs has days of their own.
  const other = await makePerson(service, 'User', { tenantId: officer.tenantId })
  expect(await outcome(submitProject(service, admin, { userId: other.id }))).toBe('done')
  await count(sql`
    update project set submitted_at = now() - interval '25 hours'
    where id = (select id from project where user_id = ${officer.id} limit 1)`)
  expect(await outcome(submitProject(service, officer))).toBe('done')
})

it('the cuts of a video have 60 GB together, those that were rendered and sent included', async () => {
  const officer = await makeOfficer(service)
  const [editor, other] = [await makePerson(service, 'Editor'), await makePerson(service, 'Editor')]
  const project = await submitProject(service, officer)
  const projectId = project.id
  const cut = async (bytes: number) => {
    const id = await makeVideo(service, editor, project)
    await weigh(id, bytes)
    return id
  }
  await as(editor)(projects.start, { body: { projectId } })
  for (let number = 1; number <= 14; number++)
    await count(sql`
      insert into project_cut (project_id, number, user_id, asset_id, editor_id, sent_at)
      values (${projectId}, ${number}, ${officer.id}, ${await cut(4 * gigabyte)}, ${editor.id}, now())`)
  await count(sql`update project set cuts = 14 where id = ${projectId}`)
  expect(await outcome(begin(other, 4 * gigabyte, projectId))).toBe('done')
  await expect(begin(editor, 1, projectId)).rejects.toMatchObject({
    code: 'project.cuts-full',
    message: 'The cuts of this video may have 60 GB together. Remove those that were not sent, or send a smaller file.',
  })
  // What was not sent is not counted when another one is sent: it may still be thrown away.
  const send = async (bytes: number) =>
    outcome(as(editor)(projects.send, { params: { projectId }, body: { finalVideoId: await cut(bytes) } }))
  expect(await send(4 * gigabyte + 1)).toBe('project.cuts-full')
  expect(await send(4 * gigabyte)).toBe('done')
})

/** Every place where somebody may keep a picture, by the file that calls for it. */
const pictures: Record<string, Record<string, (person: Person, url: string) => Promise<string | undefined>>> = {
  'accounts/profile.ts': {
    photo: async (person, photoUrl) => (await as(person)(accounts.update, { body: { photoUrl } })).photoUrl,
    logo: async (person, logo) =>
      (await as(person)(accounts.update, { body: { preferences: { logo } } })).preferences?.logo,
  },
  'tenants/actions.ts': {
    guidelinesUrl: async (person, guidelinesUrl) =>
      (await updateTenant(person, { guidelinesUrl })).preferences.guidelinesUrl,
    logoUrl: async (person, logoUrl) => (await updateTenant(person, { logoUrl })).preferences.logoUrl,
    iconUrl: async (person, iconUrl) => (await updateTenant(person, { iconUrl })).preferences.iconUrl,
  },
  'scripts/actions.ts': {
    picture: async (person, pictureUrl) => {
      const category = { id: categories.get(person.id), title: 'Keys', backgroundColor: '#112233', pictureUrl }
      const made = await as(person)(scripts.saveCategory, { body: category })
      categories.set(person.id, made.id)
      return made.pictureUrl
    },
  },
}
const categories = new Map<string, string>()
const updateTenant = (person: Person, preferences: Partial<Record<'logoUrl' | 'iconUrl' | 'guidelinesUrl', string>>) =>
  as(person)(tenants.update, { body: { tenantId: person.tenantId!, data: { preferences } } })

describe('a picture', () => {
  it('is kept in places that are all walked here', () => {
    const root = join(import.meta.dirname, '../src')
    const keeping = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('.test.') && /(?<!const )\bkeepPicture\(/.test(sourceOf(name)),
    )
    expect(keeping.toSorted()).toEqual(Object.keys(pictures).toSorted())
  })

  it.each(Object.values(pictures).flatMap((places) => Object.entries(places)))(
    'is a picture of at most 20 MB: %s',
    async (field, keep) => {
      const admin = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
      const now = new Date()
      const video = await makeVideo(service, admin)
      const original = fileUrl(video, 'original.mp4', now)
      await expect(keep(admin, original)).rejects.toMatchObject({
        code: 'asset.not-a-picture',
        message: 'This file cannot be shown as a picture. Choose a picture of at most 20 MB.',
      })
      const large = await makePicture(service, admin, { bytes: mostKept.pictureBytes + 1 })
      expect(await outcome(keep(admin, fileUrl(large, 'original.png', now)))).toBe('asset.not-a-picture')
      expect((await roomOf(admin)).shown).toBe(0)

      const derived = { original: 'original.png', poster: '1/poster.jpg', thumb: '1/thumb.jpg' }
      const fits = await makePicture(service, admin, { bytes: mostKept.pictureBytes, derived })
      const shown = await keep(admin, fileUrl(fits, 'original.png', now))
      // A logo keeps its clear parts, which a small form has not.
      const isLogo = /logo|icon/.test(field)
      expect(shown?.split('?')[0]).toBe(`/media/${fits}/${isLogo ? 'original.png' : '1/poster.jpg'}`)
      expect(await keep(admin, shown!)).toBe(shown)
      expect((await roomOf(admin)).shown).toBe(mostKept.pictureBytes)

      // What an earlier release kept goes on being shown.
      await count(sql`update asset_face set asset_id = ${video} where asset_id = ${fits}`)
      expect((await keep(admin, original))?.split('?')[0]).toBe(`/media/${video}/original.mp4`)
    },
  )
})

const sourceOf = (file: string): string => readFileSync(join(import.meta.dirname, '../src', file), 'utf8')
