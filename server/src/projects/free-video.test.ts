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
import { monthAfter, monthIn } from '@clear-to-post/domain/calendar'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { freeVideosOfDomain } from '@clear-to-post/domain/plans'
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
import { isFreeVideoUsed } from '../subscriptions/free-video.ts'
import { ownMailDomain } from '../subscriptions/mail-domain.ts'
import { sql, type Caller } from '../kernel/database.ts'
import { advance } from './advance.ts'
import { createProject } from './create.ts'

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
const newAddress = () => `officer@${newBox()}.test`

it('an account that is deleted and made again with the same address has no second free video', async () => {
  const email = newAddress()
  const first = await accountOf(email)
  expect(await canCreate(first)).toBe(true)
  const project = await submit(first)
  expect(project.isFree).toBe(true)
  // An editor begins, so that the removal gives nothing back.
  await as(await makePerson(service, 'Editor'))(projects.start, { body: { projectId: project.id } })
  const { receipt } = await as(first)(accounts.remove, {})
  expect(receipt.stays).toContainEqual({
    what: 'If you had your free video: codes that were computed from your address and its domain, and when it was',
    why: 'Each mailbox has one free video, and a domain ten in 30 days, also after an account is deleted. The address cannot be read from the codes.',
  })

  const second = await accountOf(email)
  expect(await canCreate(second)).toBe(false)
  const { months } = await as(second)(projects.allowance, {})
  expect(months[0]).toMatchObject({ right: 'none', allowed: 0 })
  await expect(submit(second)).rejects.toMatchObject({
    code: 'project.no-plan',
    message:
      'The free video is used: each mailbox has one, and all addresses of one domain have ten in 30 days. Choose a plan to send the next one.',
  })
  // An ADMIN on their behalf has no more for them.
  const body = { userId: second.id, title: 'Rate lock', assets: [await makeVideo(service, second)] }
  expect(await outcome(as(admin)(projects.create, { body }))).toBe('project.no-plan')
  // A plan covers them as everybody.
  await subscribe(service, { userId: second.id })
  expect((await submit(second)).isFree).toBe(false)
})

it('a removal that cancels an unstarted free video gives it back to the mailbox', async () => {
  const email = newAddress()
  const first = await accountOf(email)
  await submit(first)
  await as(first)(accounts.remove, {})
  expect((await submit(await accountOf(email))).isFree).toBe(true)
})

it.each([
  ['a tag', 'BOX@tagged.test', 'BOX+two@tagged.test'],
  ['a tag before the plain one', 'BOX+one@tagged.test', 'BOX@tagged.test'],
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
    const racing = await Promise.all(Array.from({ length: 6 }, (_, n) => accountOf(`officer+${n}@${box}.test`)))
    const ended = await Promise.all(racing.map((who) => outcome(submit(who))))
    expect(ended.toSorted()).toEqual(['done', ...Array.from({ length: 5 }, () => 'project.no-plan')])
  }
})

it('a canceled free video goes back to its mailbox, and counts again when the cancellation is rolled back', async () => {
  const box = newBox()
  const [first, second] = [await accountOf(`officer+1@${box}.test`), await accountOf(`officer+2@${box}.test`)]
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
  const project = await submit(await accountOf(`officer@${box}.test`))
  await as(await makePerson(service, 'Editor'))(projects.start, { body: { projectId: project.id } })
  await as(admin)(projects.cancel, at(project))
  expect(await canCreate(await accountOf(`officer+2@${box}.test`))).toBe(false)
})

it('a canceled free video goes back to the mailbox that used it, also after an address change', async () => {
  const [from, to] = [newAddress(), newAddress()]
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

it('all addresses of one domain have ten free videos in 30 days, in any spelling, also at once', async () => {
  const domain = `${newBox()}.test`
  const spelled = (n: number) =>
    `officer${n}@${['', 'mail.', 'www.eu.'][n % 3]}${n % 2 ? domain.toUpperCase() : domain}`
  const officers = await Promise.all(Array.from({ length: 13 }, (_, n) => accountOf(spelled(n))))
  expect(await canCreate(officers[0]!)).toBe(true)
  const ended = await Promise.all(officers.map((who) => outcome(submit(who))))
  expect(ended.filter((end) => end === 'done')).toHaveLength(freeVideosOfDomain.most)
  expect(ended.filter((end) => end === 'project.no-plan')).toHaveLength(3)
  const refused = officers[ended.indexOf('project.no-plan')]!
  expect(await canCreate(refused)).toBe(false)
  expect(await canCreate(await accountOf(newAddress()))).toBe(true)

  // A canceled one leaves its place to one of two who ask at once, also for a later month, where nobody waits for the queue.
  const owner = officers[ended.indexOf('done')]!
  const [project] = (await as(owner)(projects.list, { query: {} })).items
  await as(owner)(projects.cancel, at(project!))
  expect(await canCreate(refused)).toBe(true)
  const submitMonth = monthAfter(monthIn(new Date(), 'America/New_York'), 1)
  const body = { title: 'Rate lock', instructions: '', captionStyle: 1, submitMonth } as const
  const assets = [await makeVideo(service, refused)]
  const second = await service.database.asSystem(async (tx) => {
    await createProject(tx, refused, { ...body, assets }, new Date())
    const asked = outcome(submitProject(service, owner, { submitMonth }))
    await expect.poll(() => waitingFor('free videos of')).toBe(1)
    return { asked }
  })
  expect(await second.asked).toBe('project.no-plan')

  // Thirty days free the others.
  const last = await accountOf(spelled(13))
  expect(await canCreate(last)).toBe(false)
  const isUsedIn = (days: number) => {
    const then = new Date(Date.now() + days * 86_400_000)
    return service.database.asSystem((tx) => isFreeVideoUsed(tx, spelled(13), then))
  }
  expect(await isUsedIn(freeVideosOfDomain.days - 1)).toBe(true)
  expect(await isUsedIn(freeVideosOfDomain.days)).toBe(false)
})

it('addresses of a provider where anybody has one share no bound', async () => {
  const officers = await Promise.all(
    Array.from({ length: freeVideosOfDomain.most + 1 }, (_, n) =>
      accountOf(`${newBox()}${n}@${n % 2 ? 'gmail.com' : 'AOL.com'}`),
    ),
  )
  for (const who of officers) expect((await submit(who)).isFree).toBe(true)
  expect(
    [
      'a@yahoo.com',
      'b@mail.yahoo.com',
      'hidden@privaterelay.appleid.com',
      'c@lender.example',
      'd@a.lender.co.uk',
      'd@a-.lender.com',
      'e@münchen.de',
      'f@xn--mnchen-3ya.de',
    ].map(ownMailDomain),
  ).toEqual([
    null,
    null,
    null,
    'lender.example',
    'lender.co.uk',
    'lender.com',
    'xn--mnchen-3ya.de',
    'xn--mnchen-3ya.de',
  ])
})

it('an unverified account learns nothing about its mailbox’s free video', async () => {
  const box = newBox()
  await submit(await accountOf(`officer@${box}.test`))
  const stranger = await accountOf(`officer+guess@${box}.test`)
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
      shape.needsVerifiedAddress &&
      shape.body !== undefined &&
      'userId' in ((shape.body as { shape?: object }).shape ?? {}),
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
    await expect.poll(() => waitingFor('from project p')).toBe(asked.length)
    return { asked }
  })
  expect(await Promise.all(cancel.asked)).toEqual(['edit.at-rest', 'edit.at-rest', 'edit.at-rest'])
})

/** How many statements that contain this text wait for somebody else's lock. */
const waitingFor = async (text: string): Promise<number> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`
      select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${text}) > 0`),
  ))!.n
