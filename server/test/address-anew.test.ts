import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { invitations } from '@clear-to-post/contract/invitations'
import { tracking } from '@clear-to-post/contract/tracking'
import { sql } from '../src/kernel/database.ts'
import { openMail } from '../src/outside/mail.ts'
import { eraseJob } from '../src/personal-data/jobs.ts'
import { admits } from './ids.ts'
import { codeFor, deliverMails, jobContext } from './mails.ts'
import { samplesOf } from './samples.ts'
import { openStage, type Stage } from './stage.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  outcome,
  type Person,
  type Service,
} from './service.ts'

/** An address goes from one person to the next: a removal erases what came while it was that person's, and nothing else. */
let service: Service
let stage: Stage
let root: Person
beforeAll(async () => {
  service = await openService()
  openMail(service.config)
  stage = await openStage(service)
  root = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person | null) => (person ? callConfirmed(service, person) : callAs(service, null))
const rows = <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  service.database.asSystem((tx) => tx.rows(query))
const remove = async (person: Person): Promise<string> => {
  await as(person)(accounts.remove, { query: {} })
  return (await rows<{ id: string }>(sql`select id from removal where person_id = ${person.id}`))[0]!.id
}
const erase = (removalId: string) => eraseJob.run({ removalId }, jobContext(service))
const emailOf = async (person: Person) =>
  (await rows<{ email: string }>(sql`select email from person where id = ${person.id}`))[0]!.email
const move = async (person: Person, email: string) => {
  await as(person)(accounts.sendCode, { query: { email } })
  await as(person)(accounts.changeEmail, { body: { email, code: await codeFor(service, email) } })
}
const writeFrom = (email: string) =>
  callAs(service, null)(tracking.contact, { body: { to: email, subject: 'A letter', body: 'Hello' } as never })

/** Every call that a stranger or an ADMIN may make with an address is made with this one; answers which went through. */
const askWith = async (email: string): Promise<string[]> => {
  const done: string[] = []
  for (const { name, shape } of everyCall as { name: string; shape: CallShape }[]) {
    const sample = JSON.stringify(samplesOf(stage)[name]!())
    if (!sample.includes('@')) continue
    const input = JSON.parse(sample.replaceAll(/[\w.-]+@[\w.-]+/g, email)) as CallInput<CallShape>
    for (const person of [root, null]) {
      // An account is made last: whoever has one is not invited.
      if (name === 'accounts.create' || (person && !admits(shape, person))) continue
      if ((await outcome(as(person)(shape, input))) === 'done') done.push(name)
    }
  }
  await writeFrom(email)
  await deliverMails(service, email)
  const password = 'Quiet-harbor-29x'
  const body = { email, name: 'Robin Vale', password, passwordConfirmation: password }
  await callAs(service, null)(accounts.create, { body })
  await deliverMails(service, email)
  return done
}

/** Of every table the rows that name this address, but for the removal that is at work. */
const rowsWith = async (email: string): Promise<Record<string, number>> => {
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  const found: Record<string, number> = {}
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    )
    for (const { name } of tables) {
      if (name === 'removal') continue
      const of = `select count(*)::int as n from ${pg.escapeIdentifier(name)} t where position($1 in t::text) > 0`
      const { n } = (await client.query<{ n: number }>(of, [email])).rows[0]!
      if (n > 0) found[name] = n
    }
  } finally {
    await client.end()
  }
  return found
}

test('all that comes to an address between a removal and its job stands after it', { timeout: 120_000 }, async () => {
  const officer = await makePerson(service, 'User', { tenantId: stage.tenantId })
  const email = await emailOf(officer)
  const id = await remove(officer)
  expect(await askWith(email)).toEqual(expect.arrayContaining(['invitations.send', 'accounts.sendCode']))
  const before = await rowsWith(email)
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['invitation', 'mail', 'one_time_token', 'person', 'support_thread']),
  )
  await erase(id)
  expect(await rowsWith(email)).toEqual(before)
})

test('a removal that an earlier release began ends, and leaves what came to the address later', async () => {
  const officer = await makePerson(service, 'User', { tenantId: await makeTenant(service) })
  const email = await emailOf(officer)
  const id = await remove(officer)
  await rows(sql`update removal set work = work #- '{leaving,until}' where id = ${id}`)
  await writeFrom(email)
  const before = await rowsWith(email)
  expect(before).toMatchObject({ support_thread: 1 })
  await erase(id)
  expect(await rowsWith(email)).toEqual(before)
  expect(await rows(sql`select from removal where id = ${id} and work is null`)).toHaveLength(1)
})

test('letters and mails to an address that goes from one to the next are erased with whoever had it then', async () => {
  const [first, next] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const shared = await emailOf(first)
  const letters = async () => ({
    ...(
      await rows<{ letters: number }>(sql`
      select count(*)::int as letters from support_thread where guest_email = ${shared}`)
    )[0]!,
    ...(
      await rows<{ mails: number }>(sql`
      select count(*)::int as mails from mail where recipient = ${shared} and not is_forgotten`)
    )[0]!,
  })
  await writeFrom(shared)
  await as(null)(accounts.sendCode, { query: { email: shared } })
  await deliverMails(service, shared)
  // That was a day before they moved.
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  for (const [table, address] of [
    ['support_thread', 'guest_email'],
    ['mail', 'recipient'],
  ])
    await client.query(`update ${table} set created_at = created_at - interval '1 day' where ${address} = $1`, [shared])
  await client.end()
  const before = await letters()
  expect(before).toMatchObject({ letters: 1 })
  expect(before.mails).toBeGreaterThan(0)
  await move(first, 'first-now@harbor-before.test')
  await move(next, shared)
  await writeFrom(shared)
  await deliverMails(service, shared)
  expect((await letters()).letters).toBe(2)
  expect((await letters()).mails).toBeGreaterThan(before.mails)
  await erase(await remove(next))
  expect(await letters()).toEqual(before)
  await erase(await remove(first))
  expect(await letters()).toEqual({ letters: 0, mails: 0 })
})

/** What lies by an address, as if it had come a day before. */
const dayEarlier = async (email: string) => {
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  for (const [table, address] of [
    ['support_thread', 'guest_email'],
    ['mail', 'recipient'],
    ['invitation', 'email'],
  ])
    await client.query(`update ${table} set created_at = created_at - interval '1 day' where ${address} = $1`, [email])
  await client.end()
}
/** The tables that hold something of what came to an address or from it. */
const heldBy = async (email: string) =>
  Object.keys(await rowsWith(email)).filter((table) => ['support_thread', 'mail', 'invitation'].includes(table))

test('letters and invitations from before an address was anybody’s are erased with whoever moved to it', async () => {
  const officer = await makePerson(service, 'User', { tenantId: stage.tenantId })
  const email = `${randomUUID()}@harbor-own.test`
  await writeFrom(email)
  await as(root)(invitations.send, { body: { role: 'QA', tenantId: stage.tenantId, lines: [email] } })
  await deliverMails(service, email)
  await dayEarlier(email)
  expect(await heldBy(email)).toEqual(expect.arrayContaining(['invitation', 'mail', 'support_thread']))
  await move(officer, email)
  await move(officer, `${randomUUID()}@harbor-later.test`)
  await erase(await remove(officer))
  expect(await heldBy(email)).toEqual([])
})

test('letters of who had an address before stay when the account that was opened at it since is removed', async () => {
  const first = await makePerson(service, 'User')
  const shared = await emailOf(first)
  await writeFrom(shared)
  await deliverMails(service, shared)
  await dayEarlier(shared)
  expect(await heldBy(shared)).toContain('support_thread')
  await move(first, `${randomUUID()}@harbor-away.test`)
  const password = 'Quiet-harbor-29x'
  await as(null)(accounts.create, {
    body: { email: shared, name: 'Robin Vale', password, passwordConfirmation: password },
  })
  const [opened] = await rows<{ id: string }>(
    sql`update person set email_verified_at = now() where email = ${shared} returning id`,
  )
  await as(root)(accounts.remove, { query: { userId: opened!.id } })
  const [removal] = await rows<{ id: string }>(sql`select id from removal where person_id = ${opened!.id}`)
  await erase(removal!.id)
  expect(await heldBy(shared)).toContain('support_thread')
  await erase(await remove(first))
  expect(await heldBy(shared)).not.toContain('support_thread')
})

test('an account that was opened at an address of somebody else’s, and never proved it, keeps nothing of theirs', async () => {
  const email = `${randomUUID()}@harbor-false.test`
  await writeFrom(email)
  await dayEarlier(email)
  const stranger = await makePerson(service, 'User')
  await rows(sql`update person set email = ${email}, email_verified_at = null where id = ${stranger.id}`)
  await move(stranger, `${randomUUID()}@harbor-stranger.test`)
  const owner = await makePerson(service, 'User')
  await move(owner, email)
  await erase(await remove(owner))
  expect(await heldBy(email)).not.toContain('support_thread')
})
