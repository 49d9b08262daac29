import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { notes } from '@clear-to-post/contract/notes'
import { projects } from '@clear-to-post/contract/projects'
import { sql, type Caller } from '../src/kernel/database.ts'
import { registry } from '../src/main/registry.ts'
import { onDisk } from './on-disk.ts'
import { personalData } from '../src/personal-data/rooms.ts'
import { jobContext } from './mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  subscribe,
  type Person,
  type Service,
} from './service.ts'
import { unzip } from './unzip.ts'

/**
 * What the file with one's own data holds after its person was moved to another company. Everything of the old company says
 * the mark: titles, remarks, notes, names and bytes of files, notices.
 */
const mark = 'heronwick'
const tables = personalData
  .flatMap(([, room]) => Object.entries(room.tables))
  .filter(([, { given, alsoGiven }]) => given || alsoGiven)

let service: Service
let from: string, to: string, projectId: string
let officer: Person, editor: Person, qa: Person, admin: Person, ours: Person
beforeAll(async () => {
  service = await openService()
  ;[from, to] = [await makeTenant(service), await makeTenant(service)]
  await subscribe(service, { tenantId: from })
  const at = { tenantId: from }
  ;[officer, editor, qa, admin, ours] = [
    await makePerson(service, 'User', at),
    await makePerson(service, 'Editor', at),
    await makePerson(service, 'QA', at),
    await makePerson(service, 'ADMIN', at),
    await makePerson(service, 'ADMIN'),
  ]
  await useEverything()
})
afterAll(() => service.close())

const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))

/** A ready file with bytes, which say the mark as its name does. */
const fileOf = async (author: Person, more: { project?: boolean; cut?: boolean } = {}): Promise<string> => {
  const id = await makeVideo(service, author, more.cut ? { id: projectId, tenantId: from } : undefined)
  await mkdir(onDisk().path(id, ''), { recursive: true })
  await writeFile(join(onDisk().path(id, ''), 'original.mp4'), mark)
  await rows(sql`
    update asset set file_name = ${`${mark} ${author.role}.mp4`}, derived = '{"original":"original.mp4"}',
      file_size = ${mark.length}, project_id = coalesce(${more.project ? projectId : null}::uuid, project_id)
    where id = ${id}`)
  return id
}

const useEverything = async () => {
  const as = (who: Person) => callAs(service, who)
  const { id } = await as(officer)(projects.create, {
    body: { title: `${mark} title`, instructions: mark, assets: [await fileOf(officer)] },
  })
  projectId = id
  const at = { params: { projectId } }
  await as(editor)(projects.start, { body: { projectId } })
  await as(editor)(projects.send, { ...at, body: { finalVideoId: await fileOf(editor, { cut: true }) } })
  for (const who of [editor, qa, admin]) {
    // Whoever may not remark at this step could at another one.
    const remark = { ...at, body: { atMs: 1, text: `${mark} of ${who.role}` } }
    await as(who === editor ? qa : who)(projects.comment, remark)
    await rows(sql`update project_comment set author_id = ${who.id} where text = ${remark.body.text}`)
    const { id: noteId } = await as(who)(notes.save, {
      body: { userId: officer.id, title: mark, content: `${mark} by ${who.role}` },
    })
    await rows(sql`insert into note_asset (note_id, asset_id, position) values (${noteId}, ${await fileOf(who)}, 1)`)
    // Sent in for the officer.
    await fileOf(who, { project: true })
  }
  await as(qa)(projects.approve, at)
  await as(officer)(projects.comment, { ...at, body: { atMs: 1, text: `${mark} thanks` } })
  await as(officer)(projects.review, { ...at, body: { revision: `${mark} louder` } })
  for (const name of ['project-event', 'notice'] as const)
    for (const { data } of await rows<{ data: never }>(
      sql`select data from pgboss.job where name = ${name} and state = 'created'`,
    ))
      await registry[name].run(data, jobContext(service))
  await registry.notice.run(
    {
      notice: { kind: 'news', title: mark, body: mark, cta: null, metadata: {}, cause: 'news', about: projectId },
      userIds: [officer, editor, qa, admin].map((who) => who.id),
    },
    jobContext(service),
  )
  // The same words on the phones.
  await rows(sql`
    with said as (select n.user_id, n.cause, n.title, n.body, uuidv7() as id from notification n where n.about = ${projectId}),
      message as (
        insert into push (id, title, body, url, useless_at) select id, title, body, '/panel', now() from said returning id)
    insert into push_delivery (push_id, key, person_id, state)
    select message.id, 'notice:' || said.cause, said.user_id, 'sent' from said join message using (id)`)
}

/** The same person as who they are now. */
const now = async (person: Person): Promise<Person> => {
  const [caller] = await rows<Caller>(sql`
    select id, role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where id = ${person.id}`)
  return { ...person, ...caller!, token: await service.identity.signIdToken(caller!) }
}

/** The parts of a person's file in which the mark stands, by name. */
const marked = async (person: Person): Promise<string[]> => {
  const as = callConfirmed(service, await now(person))
  await as(accounts.startExport, {})
  const [made] = await rows<{ id: string }>(sql`select id from data_export where person_id = ${person.id}`)
  await registry.export.run({ exportId: made!.id }, jobContext(service))
  const { rawPayload } = await service.app.inject((await as(accounts.openExport, {})).url)
  return [...unzip(rawPayload)].filter(([, bytes]) => bytes.toString().includes(mark)).map(([name]) => name)
}

const move = (person: Person) =>
  callConfirmed(service, ours)(
    accounts.update,
    { body: { userId: person.id, tenantId: to } },
    { requestId: randomUUID() },
  )

test('staff of a company find their notes, remarks, files and notices about its projects in their data', async () => {
  const theirs = ['note.json', 'project_comment.json', 'asset.json', 'notification.json', 'push.json']
  for (const who of [editor, qa, admin])
    expect(await marked(who), who.role).toEqual(expect.arrayContaining([...theirs, `files/${mark} ${who.role}.mp4`]))
})

test('a note that was deleted is in nobody’s data', async () => {
  const writer = await makePerson(service, 'Editor', { tenantId: from })
  const { id } = await callAs(service, writer)(notes.save, {
    body: { userId: officer.id, title: mark, content: `${mark} to be deleted` },
  })
  expect(await marked(writer)).toEqual(['note.json'])
  await callAs(service, admin)(notes.remove, { params: { id } })
  expect(await marked(writer)).toEqual([])
})

test('staff who were moved to another company find nothing of the old one in their data', async () => {
  for (const who of [editor, qa, admin]) {
    await move(who)
    expect(await marked(who), who.role).toEqual([])
  }
})

test('of no table that is given moved staff get a row that the database does not let them read', async () => {
  const hidden: string[] = []
  for (const who of [editor, qa, admin]) {
    await move(who)
    const moved = await now(who)
    for (const [table, { of, readBy }] of tables) {
      const count = sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)} t where ${of(who.id)}`
      const [all] = await rows(count)
      const seen = await service.database.readOnly(moved, (tx) => tx.first(count))
      if (all!.n !== seen!.n && readBy !== 'service') hidden.push(`${who.role} ${table}`)
    }
  }
  expect(hidden).toEqual([])
})

test('a table that the service reads for the person names no company, or is listed with what ties its rows', async () => {
  const withCompany = await rows<{ name: string }>(sql`
    select table_name::text as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`)
  const read = tables.filter(([, { readBy }]) => readBy === 'service').map(([table]) => table)
  expect(read.filter((table) => withCompany.some(({ name }) => name === table))).toEqual([
    // What programs were told of the person's own videos: ids, numbers and moments.
    'webhook_event',
    'webhook_delivery',
    // Of the person's own videos, and staff alone see it in the panel: the script and the words that were said.
    'edit',
    // What companies agreed to pay them; who set it is withheld.
    'editor_rate',
    // When they were in a company, and what it knew of their hours.
    'membership',
    // What was given back to the person themselves.
    'refund',
    // Sent by them, to them or taken by them; whom else it was sent to is withheld.
    'invitation',
    // What was changed of the person's own account; who did it is withheld.
    'audit_entry',
    'audit_value',
  ])
})

test('an officer who was moved to another company finds their videos of the old one in their data', async () => {
  await move(officer)
  const found = await marked(officer)
  for (const name of ['project.json', 'project_event.json', 'project_comment.json', 'asset.json', 'notification.json'])
    expect(found).toContain(name)
  // What they filmed, and what was approved for them.
  expect(found).toEqual(expect.arrayContaining([`files/${mark} User.mp4`, `files/${mark} Editor.mp4`]))
})
