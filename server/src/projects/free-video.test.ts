import { createHmac, randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { freshDatabase } from '../../test/database.ts'
import { faultsOf } from '../../test/ledger.ts'
import { codeFor } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  makeVideo,
  openService,
  outcome,
  signedIn,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { createPerson } from '../accounts/actions.ts'
import { migrate } from '../postgres/migrate.ts'
import { sql, type Caller } from '../kernel/database.ts'
import { advance } from './advance.ts'

/** One free video for each mailbox, over all its accounts and spellings. */
let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(async () => {
  expect(await faultsOf(service)).toEqual([])
  await service.close()
})

const as = (person: Person) => callConfirmed(service, person)
const at = ({ id }: { id: string }) => ({ params: { projectId: id } })
/** A new account whose address is verified. */
const accountOf = async (email: string): Promise<Person> => {
  const password = 'kettle-drum-41'
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'An officer', role: 'User', password }),
  )
  const caller: Caller = { id, role: 'User', tenantId: null, securityStamp: 1 }
  return { ...caller, name: 'An officer', token: await service.identity.signIdToken(caller) }
}
const submit = async (who: Person) => submitProject(service, who)
const canCreate = async (who: Person) => (await as(who)(projects.free, {})).canCreate
const newBox = () => randomUUID().replaceAll('-', '')

it('an account that is deleted and made again with the same address has no second free video', async () => {
  const email = `${newBox()}@lender.test`
  const first = await accountOf(email)
  expect(await canCreate(first)).toBe(true)
  const project = await submit(first)
  expect(project.isFree).toBe(true)
  // An editor begins, so that the removal gives nothing back.
  await as(await makePerson(service, 'Editor'))(projects.start, { body: { projectId: project.id } })
  const { receipt } = await as(first)(accounts.remove, {})
  expect(receipt.stays).toContainEqual({
    what: 'If you had your free video: a code that was computed from your address',
    why: 'Each mailbox has one free video, also after an account is deleted. The address cannot be read from the code.',
  })

  const second = await accountOf(email)
  expect(await canCreate(second)).toBe(false)
  const { months } = await as(second)(projects.allowance, {})
  expect(months[0]).toMatchObject({ right: 'none', allowed: 0 })
  await expect(submit(second)).rejects.toMatchObject({
    code: 'project.no-plan',
    message: 'Each mailbox has one free video, and yours is used. Choose a plan to send the next one.',
  })
  // An ADMIN on their behalf has no more for them.
  const body = { userId: second.id, title: 'Rate lock', assets: [await makeVideo(service, second)] }
  expect(await outcome(as(admin)(projects.create, { body }))).toBe('project.no-plan')
  // A plan covers them as everybody.
  await subscribe(service, { userId: second.id })
  expect((await submit(second)).isFree).toBe(false)
})

it('a removal that cancels an unstarted free video gives it back to the mailbox', async () => {
  const email = `${newBox()}@lender.test`
  const first = await accountOf(email)
  await submit(first)
  await as(first)(accounts.remove, {})
  expect((await submit(await accountOf(email))).isFree).toBe(true)
})

it.each([
  ['a tag', 'BOX@lender.test', 'BOX+two@lender.test'],
  ['a tag before the plain one', 'BOX+one@lender.test', 'BOX@lender.test'],
  ['dots at Gmail', 'BOX@gmail.com', 'b.BOX+x@googlemail.com'],
])('another spelling of the mailbox has no second free video: %s', async (_, one, other) => {
  const box = newBox()
  const [first, second] = [
    await accountOf(one.replace('BOX', `b${box}`)),
    await accountOf(other.replace('b.BOX', `b.${box}`).replace('BOX', `b${box}`)),
  ]
  await submit(first)
  expect(await canCreate(second)).toBe(false)
  expect(await outcome(submit(second))).toBe('project.no-plan')
})

it('of accounts of one mailbox that submit at once exactly one has the free video', async () => {
  for (let round = 0; round < 5; round++) {
    const box = newBox()
    const racing = await Promise.all(Array.from({ length: 6 }, (_, n) => accountOf(`${box}+${n}@lender.test`)))
    const ended = await Promise.all(racing.map((who) => outcome(submit(who))))
    expect(ended.toSorted()).toEqual(['done', ...Array.from({ length: 5 }, () => 'project.no-plan')])
  }
})

it('a canceled free video goes back to its mailbox, and counts again when the cancellation is rolled back', async () => {
  const box = newBox()
  const [first, second] = [await accountOf(`${box}+1@lender.test`), await accountOf(`${box}+2@lender.test`)]
  const one = await submit(first)
  await as(first)(projects.cancel, at(one))
  const two = await submit(second)
  await as(admin)(projects.rollback, at(one))
  expect([await canCreate(first), await canCreate(second)]).toEqual([false, false])
  await as(second)(projects.cancel, at(two))
  // The free video of the project that was rolled back is still in use.
  expect([await canCreate(first), await canCreate(second)]).toEqual([false, false])
  expect(await outcome(submit(second))).toBe('project.no-plan')
  await as(first)(projects.cancel, at(one))
  expect([await canCreate(first), await canCreate(second)]).toEqual([true, true])
})

it('a free video that an editor has begun stays used when an ADMIN cancels it', async () => {
  const box = newBox()
  const project = await submit(await accountOf(`${box}@lender.test`))
  await as(await makePerson(service, 'Editor'))(projects.start, { body: { projectId: project.id } })
  await as(admin)(projects.cancel, at(project))
  expect(await canCreate(await accountOf(`${box}+2@lender.test`))).toBe(false)
})

it('a canceled free video goes back to the mailbox that used it, also after an address change', async () => {
  const [from, to] = [`${newBox()}@lender.test`, `${newBox()}@lender.test`]
  const officer = await signedIn(service, await accountOf(from))
  const project = await submit(officer)
  await callAs(service, null)(accounts.sendCode, { query: { email: to } })
  await as(officer)(accounts.changeEmail, { body: { email: to, code: (await codeFor(service, to))! } })
  const again = await accountOf(from)
  expect(await canCreate(again)).toBe(false)
  const moved = { ...officer, token: await service.identity.signIdToken(officer) }
  await as(moved)(projects.cancel, at(project))
  expect([await canCreate(again), await canCreate(moved)]).toEqual([true, true])
})

it('an unverified account learns nothing about its mailbox’s free video', async () => {
  const box = newBox()
  await submit(await accountOf(`${box}@lender.test`))
  const stranger = await accountOf(`${box}+guess@lender.test`)
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set email_verified_at = null where id = ${stranger.id}`),
  )
  expect(await canCreate(stranger)).toBe(true)
  expect(await outcome(submit(stranger))).toBe('account.unverified')
  // Not even by an ADMIN's help a second one.
  const body = { userId: stranger.id, title: 'Rate lock', assets: [await makeVideo(service, stranger)] }
  expect(await outcome(as(admin)(projects.create, { body }))).toBe('account.not-confirmed')
})

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))
it('free videos used before the migration count for their mailboxes', async () => {
  const { ownerUrl, superuserUrl, drop } = await freshDatabase()
  const before = await mkdtemp(join(tmpdir(), 'migrations-before-'))
  const client = new pg.Client({ connectionString: superuserUrl })
  try {
    for (const name of await readdir(migrations))
      if (name < '0065') await cp(join(migrations, name), join(before, name))
    await client.connect()
    await client.query('drop schema public cascade; create schema public authorization clear_owner')
    await migrate({ ownerUrl, directory: before })
    const addresses = [
      'plain@old.test',
      'tagged+one+two@old.test',
      '+tag@old.test',
      'first.last@gmail.com',
      'firstlast+x@googlemail.com',
      'first.last@old.test',
      'mürk.us+ü@münchen.test',
    ]
    for (const [n, email] of addresses.entries())
      await client.query(
        `with o as (insert into person (email, name, role) values ($1, 'O', 'User') returning id)
         insert into project (user_id, title, instructions, caption_style, submit_month, status, queue_position, is_free,
           submitted_at, modified_at, version)
         select id, 'free', '', 1, '2026-01', 0, 1, true, now() + $2 * interval '1 minute', now(), 1 from o`,
        [email, n],
      )
    await client.query(`
      insert into person (email, name, role, removed_at) values
        ('canceled@old.test', 'canceled', 'User', null), ('begun@old.test', 'begun', 'User', null),
        ('paid@old.test', 'paid', 'User', null), ('removed@old.test', 'removed', 'User', now());
      insert into project (user_id, title, instructions, caption_style, submit_month, status, is_free, editing_begun,
        submitted_at, modified_at, version)
      select id, name, '', 1, '2026-01', 6, name <> 'paid', name = 'begun', now(), now(), 1 from person where name <> 'O'`)
    await migrate({ ownerUrl })

    const { rows } = await client.query<{ email: string; mailbox: Buffer; is_again: boolean }>(`
      select o.email, f.mailbox, f.is_again from free_video f join project p on p.id = f.project_id
      join person o on o.id = p.user_id order by p.submitted_at`)
    const { rows: secrets } = await client.query<{ value: Buffer }>(
      `select value from service_secret where name = 'free-video'`,
    )
    expect(secrets[0]!.value).toHaveLength(32)
    const kept = new Map(rows.map(({ email, mailbox }) => [email, mailbox.toString('hex')]))
    const should = [...addresses, 'begun@old.test'].map(
      (email) =>
        [email, createHmac('sha256', secrets[0]!.value).update(canonicalMailbox(email)).digest('hex')] as const,
    )
    expect(kept).toEqual(new Map(should))
    expect(rows.filter(({ is_again }) => is_again).map(({ email }) => email)).toEqual(['firstlast+x@googlemail.com'])
    const { rowCount } = await client.query(`select from pg_proc where proname = 'padded_key'`)
    expect(rowCount).toBe(0)
  } finally {
    await client.end()
    await drop()
    await rm(before, { recursive: true })
  }
})

it('nobody submits for an officer whose address nobody confirmed', async () => {
  // The one call that asks for a confirmed address and names another person.
  const naming = everyCall.filter(
    ({ shape }) =>
      shape.needsVerifiedAddress && shape.body !== undefined && 'userId' in (shape.body as { shape?: object }).shape!,
  )
  expect(naming.map(({ shape }) => shape)).toEqual([projects.create])
  const tenantId = await makeTenant(service)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  const ghost = await makePerson(service, 'User', { tenantId, isEmailVerified: false })
  const submitFor = async (who: Person) =>
    outcome(
      as(boss)(projects.create, {
        body: {
          title: 'For another',
          instructions: '',
          captionStyle: 1,
          userId: who.id,
          assets: [await makeVideo(service, boss)],
        },
      }),
    )
  expect(await submitFor(ghost)).toBe('account.not-confirmed')
  await subscribe(service, { tenantId })
  expect(await submitFor(ghost)).toBe('account.not-confirmed')
  await service.database.asSystem((tx) =>
    tx.count(sql`update person set email_verified_at = now() where id = ${ghost.id}`),
  )
  expect(await submitFor(ghost)).toBe('done')
})

it('nothing is made of a canceled video, and its open renders end with the cancel', async () => {
  const tenantId = await makeTenant(service)
  const boss = await makePerson(service, 'ADMIN', { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const project = await submit(officer)
  const renderOf = (state: 'queued' | 'running' | 'done') =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ id: string }>`
        insert into render (project_id, tenant_id, revision, recipe, asked_by, state)
        values (${project.id}, ${tenantId}, 1, '{}', ${boss.id}, ${state}) returning id`),
    )
  const states = () =>
    service.database.asSystem((tx) =>
      tx.rows(sql<{ state: string }>`select state from render where project_id = ${project.id} order by asked_at, id`),
    )
  await renderOf('running')
  await as(officer)(projects.cancel, at(project))
  expect(await states()).toEqual([{ state: 'canceled' }])
  expect(await canCreate(officer)).toBe(true)
  const ask = {
    save: () => as(boss)(edits.save, { ...at(project), body: { recipe: { version: 1 }, revision: 1 } }),
    make: () => as(boss)(edits.make, { ...at(project), body: {} }),
    render: () => as(boss)(edits.render, { ...at(project), body: { revision: 1 } }),
  }
  for (const call of Object.values(ask)) expect(await outcome(call())).toBe('edit.at-rest')
  // The cancellation is taken back: its right counts again, and its work goes on.
  await as(boss)(projects.rollback, at(project))
  expect(await canCreate(officer)).toBe(false)
  expect(await outcome(ask.render())).not.toBe('edit.at-rest')

  // Asked while the cancel has not ended yet: all wait for it, and are refused then.
  const cancel = await service.database.asSystem(async (tx) => {
    await advance(tx, officer, project.id, 'cancel', {}, new Date())
    const asked = Object.values(ask).map((call) => outcome(call()))
    await expect.poll(() => waitingFor('project')).toBe(asked.length)
    return { asked }
  })
  expect(await Promise.all(cancel.asked)).toEqual(['edit.at-rest', 'edit.at-rest', 'edit.at-rest'])
})

/** How many statements wait for somebody else's lock on this table. */
const waitingFor = async (table: string): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`
      select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ ${`from ${table} p`}`),
  ))!.n
