import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { edits } from '@clear-to-post/contract/edits'
import { notes } from '@clear-to-post/contract/notes'
import { fileUrl } from '../src/assets/addresses.ts'
import { sql } from '../src/kernel/database.ts'
import { submitProject } from './factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makePicture,
  makeVideo,
  openService,
  type Person,
  type Service,
} from './service.ts'

/** What becomes of each table's rows when the person they name is moved to another company: docs/decisions/0424. */
const whenMoved: Record<string, 'goes along' | { stays: string }> = {
  api_key: { stays: 'it ended with the move' },
  asset: 'goes along',
  audit_entry: { stays: 'it happened in that company' },
  audit_value: { stays: 'it happened in that company' },
  glossary: 'goes along',
  charge: { stays: 'a payment is its payer’s, and a person’s own names no company' },
  customer: { stays: 'a person’s own names no company' },
  refund: { stays: 'a payment is its payer’s' },
  subscription: { stays: 'a person’s own names no company' },
  membership: { stays: 'when they were in that company' },
  editor_rate: { stays: 'what their company agreed on' },
  edit: { stays: 'the video is its company’s' },
  edit_author: { stays: 'who changed a company’s video' },
  render: { stays: 'the video is its company’s' },
  project: { stays: 'the video is its company’s' },
  project_comment: { stays: 'the video is its company’s' },
  project_cut: { stays: 'the video is its company’s' },
  project_event: { stays: 'the video is its company’s' },
  step_figure: { stays: 'the video is its company’s' },
  connection: { stays: 'a person’s own names no company' },
  connection_walk: { stays: 'it ends within minutes, and counts for that company’s admin alone' },
  connection_officer: { stays: 'it ended with the move' },
  post: { stays: 'the video is its company’s' },
  goal: { stays: 'what a company’s editors agreed on' },
  invitation: { stays: 'a place in the company that sent it' },
  note: { stays: 'what a company’s staff wrote about them' },
  support_message: { stays: 'what was said to that company' },
  support_thread: { stays: 'what was asked in that company' },
  removal: { stays: 'the receipt of a removal' },
}

let service: Service
let officer: Person, admin: Person, editor: Person
let from: string, to: string
beforeAll(async () => {
  service = await openService()
  ;[from, to] = [await makeTenant(service), await makeTenant(service)]
  officer = await makePerson(service, 'User', { tenantId: from })
  ;[admin, editor] = [await makePerson(service, 'ADMIN'), await makePerson(service, 'Editor')]
})
afterAll(() => service.close())

/** The tables whose rows name a company and a person, each with its columns that name persons. */
const tables = () =>
  service.database.asSystem((tx) =>
    tx.rows(sql<{ name: string; people: string[] }>`
      select c.table_name as name, array_agg(c.column_name::text order by 1) as people
      from information_schema.columns c
      where c.table_schema = 'public' and c.table_name <> 'person'
        and c.column_name in (
          select distinct a.attname from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
          where k.contype = 'f' and k.confrelid = 'person'::regclass union select 'owner_id')
        and exists (select from information_schema.columns t
          where t.table_schema = 'public' and t.table_name = c.table_name and t.column_name = 'tenant_id')
      group by 1 order by 1`),
  )

/** How many rows that name the officer each company has, by table. */
const rowsBy = async (company: string) => {
  const counts: Record<string, number> = {}
  for (const { name, people } of await tables()) {
    const names = sql.join(
      people.map((column) => sql`${sql.ref(column)} = ${officer.id}`),
      sql` or `,
    )
    const one = await service.database.asSystem((tx) =>
      tx.first(sql<{ n: number }>`
        select count(*)::integer as n from ${sql.table(name)} where tenant_id = ${company} and (${names})`),
    )
    counts[name] = one!.n
  }
  return counts
}

test('every table that names a company and a person says what becomes of it when they are moved', async () => {
  expect((await tables()).map(({ name }) => name)).toEqual(Object.keys(whenMoved).toSorted())
})

test('a person’s own files and words go with them to another company, and the company’s stay', async () => {
  const picture = await makePicture(service, officer)
  const unused = await makeVideo(service, officer)
  const byAdmin = await makePicture(service, admin)
  const as = (who: Person) => (who.role === 'ADMIN' ? callConfirmed : callAs)(service, who)
  await as(officer)(accounts.update, {
    body: { preferences: { logo: fileUrl(picture, 'original.png', new Date()) } },
  })
  await as(admin)(accounts.update, {
    body: { userId: officer.id, photoUrl: fileUrl(byAdmin, 'original.png', new Date()) },
  })
  await as(editor)(edits.changeGlossary, {
    params: { userId: officer.id },
    body: { whose: 'own', add: [{ term: 'HELOC' }] },
  })
  await submitProject(service, officer)
  await as(admin)(notes.save, { body: { userId: officer.id, title: 'Pace', content: 'Slow cuts' } })

  const before = await rowsBy(from)
  for (const [name, what] of Object.entries(whenMoved))
    if (what === 'goes along') expect(before[name], name).toBeGreaterThan(0)
  expect(before).toMatchObject({ project: 1, note: 1 })

  await as(admin)(accounts.update, { body: { userId: officer.id, tenantId: to } }, { requestId: randomUUID() })
  const [left, gone] = [await rowsBy(from), await rowsBy(to)]
  for (const [name, what] of Object.entries(whenMoved)) {
    const used = name === 'asset' ? 1 : 0
    // The move itself leaves an entry in each company, and says since when they are in the new one.
    const more = name.startsWith('audit_') ? 1 : 0
    expect([left[name], gone[name]], name).toEqual(
      what === 'goes along' ? [used, before[name]! - used] : [before[name]! + more, name === 'membership' ? 1 : more],
    )
  }
  const place = await service.database.asSystem((tx) =>
    tx.rows(sql<{ tenant_id: string }>`select tenant_id from asset where id = any(${[picture, unused, byAdmin]})`),
  )
  expect(place.map(({ tenant_id }) => tenant_id)).toEqual([to, to, to])
})

test('staff of the new company see the logo that an officer kept before, and staff of the old one do not', async () => {
  const [there, here] = [
    await makePerson(service, 'QA', { tenantId: to }),
    await makePerson(service, 'QA', { tenantId: from }),
  ]
  const seen = (who: Person) =>
    service.database.inTenant(who, (tx) =>
      tx.count(sql`select from asset a join asset_face f on f.asset_id = a.id where f.whose = ${officer.id}`),
    )
  expect(await seen(there)).toBe(2)
  expect(await seen(here)).toBe(0)
})
