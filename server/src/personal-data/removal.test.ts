import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { identity } from '@clear-to-post/contract/identity'
import { notes } from '@clear-to-post/contract/notes'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { jobContext, mailsTo, runLeftWork } from '../../test/mails.ts'
import { submitProject } from '../../test/factories.ts'
import {
  callConfirmed,
  makePerson,
  makeTenant,
  makePicture,
  makeVideo,
  openService,
  signedIn,
  subscribe,
  type Person,
  type Service,
  outcome,
} from '../../test/service.ts'
import { discardAsset } from '../assets/actions.ts'
import { fileUrl } from '../assets/addresses.ts'
import { sql, type Tx } from '../kernel/database.ts'
import { sendMail } from '../mail/actions.ts'
import { projectEventJob } from '../notifications/jobs.ts'
import { sendToApproval } from '../projects/actions.ts'
import { advance } from '../projects/advance.ts'
import { registry } from '../main/registry.ts'
import { openMail } from '../outside/mail.ts'
import { createPerson } from '../accounts/actions.ts'
import { eraseJob } from './jobs.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person | null) => callConfirmed(service, person)
const password = 'kettle-drum-41'
const email = 'maria.delgado@removed.test'

/** An officer with traces everywhere, signed in by password. */
const makeOfficer = async (tenantId: string | null): Promise<Person> => {
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'Maria Delgado', role: 'User', password, tenantId }),
  )
  const token = await service.identity.signIdToken({ id, role: 'User', tenantId, securityStamp: 1 })
  const officer: Person = { id, role: 'User', tenantId, securityStamp: 1, token, name: 'Maria Delgado' }
  await as(await signedIn(service, officer))(accounts.update, {
    body: {
      profession: 'Delgado, loan officer',
      fcmToken: 'maria-delgado-phone',
      photoUrl: fileUrl(await makePicture(service, officer), 'original.png', new Date()),
      preferences: { instagramLink: 'https://instagram.test/maria.delgado' },
    },
  })
  await as(officer)(scripts.create, { body: { title: 'Delgado’s own', content: 'Words' } })
  await as(admin)(notes.save, { body: { userId: id, title: 'About Maria Delgado', content: 'Likes slow cuts' } })
  await as(officer)(accounts.createToken, {})
  await service.database.asSystem((tx) =>
    sendMail(tx, { key: `password:${randomUUID()}`, to: email, template: 'passwordChanged', data: {} }),
  )
  return officer
}

test('a removed person’s work stays, and their name and data are gone', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const officer = await makeOfficer(tenantId)
  const editor = await makePerson(service, 'Editor')
  const qa = await makePerson(service, 'QA')
  const submit = async (submitMonth?: string) =>
    submitProject(service, officer, { title: 'Rates', ...(submitMonth ? { submitMonth } : {}) })
  const start = (project: { id: string }) => as(editor)(projects.start, { body: { projectId: project.id } })
  const done = await submit()
  await start(done)
  const cut = await makeVideo(service, editor, { id: done.id, tenantId })
  await as(editor)(projects.send, { params: { projectId: done.id }, body: { finalVideoId: cut } })
  await as(qa)(projects.approve, { params: { projectId: done.id } })
  const begun = await submit()
  await start(begun)
  const waiting = await submit()
  const later = await submit(new Date(Date.now() + 62 * 86_400_000).toISOString().slice(0, 7))
  const unused = await makeVideo(service, officer)
  await as(admin)(accounts.update, { body: { userId: officer.id, editorId: editor.id } })

  const { receipt } = await as(officer)(accounts.remove, { query: {} })
  expect(receipt).toMatchObject({ isByAdmin: false, finishedAt: null })

  // Every way to sign in is closed, and the address is free.
  expect(await outcome(as(officer)(accounts.info, {}))).toBe('session.ended')
  expect(await outcome(as(null)(identity.password, { body: { email, password } }))).toBe('session.wrong-credentials')
  expect(await as(null)(accounts.available, { query: { email } })).toEqual({ isValid: true })
  expect(await outcome(as(admin)(accounts.update, { body: { userId: officer.id, name: 'Back' } }))).toBe(
    'account.not-found',
  )
  expect((await as(admin)(accounts.search, { query: { wheres: 'name:contains:Delgado' } })).items).toEqual([])
  expect((await as(admin)(accounts.search, { query: { wheres: 'name:eq:Former user' } })).items).toEqual([])

  // The work stays, without a name.
  const statusOf = async (project: { id: string }) =>
    (await as(admin)(projects.find, { params: { projectId: project.id } })).status
  expect([await statusOf(done), await statusOf(begun), await statusOf(waiting), await statusOf(later)]).toEqual([
    2, 6, 6, 6,
  ])
  const record = await as(admin)(projects.find, { params: { projectId: waiting.id } })
  expect(record).toMatchObject({ userId: officer.id, userName: 'Former user' })
  expect(record.timeline.at(-1)).toMatchObject({ metadata: { verb: 'cancel', actorId: officer.id, actorRole: 'User' } })
  const stopped = await as(admin)(projects.find, { params: { projectId: begun.id } })
  expect(stopped.timeline.at(-1)).toMatchObject({ metadata: { verb: 'cancel', actorRole: 'SYSTEM' } })
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from asset where id = any(${[unused, cut]})`),
  )
  expect(left.map(({ id }) => id)).toEqual([cut])
  const expired = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from project where user_id = ${officer.id} and expires_at <= now()`),
  )
  expect(expired.map(({ id }) => id).sort()).toEqual([done.id, begun.id, waiting.id, later.id].sort())

  // Nothing of the name, the address or the phone is left in any row, once the receipt has gone out.
  await finishRemovals()
  expect(await rowsWith(/delgado/i)).toEqual([])
  expect(await mailsTo(service, email)).toEqual([])
})

test('the address of a removed person can be used for a new account', async () => {
  const again = await makeOfficer(null)
  expect(await as(again)(accounts.info, {})).toMatchObject({ email, name: 'Maria Delgado' })
  expect(await as(admin)(accounts.remove, { query: { userId: again.id } })).toMatchObject({ success: true })
  expect(await outcome(as(admin)(accounts.remove, { query: { userId: again.id } }))).toBe('account.not-found')
})

test('an ADMIN can remove people within reach, and nobody else can remove others', async () => {
  const [here, there] = [await makeTenant(service, 1), await makeTenant(service)]
  const officer = await makePerson(service, 'User', { tenantId: here })
  const remove = (by: Person, userId: string) => outcome(as(by)(accounts.remove, { query: { userId } }))
  for (const role of ['User', 'Editor', 'QA'] as const)
    expect(await remove(await makePerson(service, role), officer.id)).toBe('account.not-found')
  expect(await remove(await makePerson(service, 'ADMIN', { tenantId: there }), officer.id)).toBe('account.not-found')
  expect(await outcome(submitProject(service, officer, { title: 'Free one' }))).toBe('done')
  expect(await remove(await makePerson(service, 'ADMIN', { tenantId: here }), officer.id)).toBe('done')
  // The seat is free.
  const next = await makePerson(service, 'User')
  expect(await outcome(as(admin)(accounts.update, { body: { userId: next.id, tenantId: here } }))).toBe('done')
})

test('a person removed by an ADMIN gets no more notifications', async () => {
  const officer = await makePerson(service, 'User')
  const project = await submitProject(service, officer, { title: 'Free one' })
  await as(admin)(accounts.remove, { query: { userId: officer.id } })
  await projectEventJob.run({ projectId: project.id, seq: 2 }, jobContext(service))
  const told = await service.database.asSystem((tx) =>
    tx.rows(sql`select 1 from notification where user_id = ${officer.id}`),
  )
  expect(told).toEqual([])
})

test('a removed editor’s officers have no editor, and their notes no author', async () => {
  const editor = await makePerson(service, 'Editor')
  const { email: address } = await as(editor)(accounts.info, {})
  const officer = await makePerson(service, 'User')
  await as(admin)(accounts.update, { body: { userId: officer.id, editorId: editor.id } })
  await as(editor)(notes.save, { body: { userId: officer.id, title: 'Taste', content: 'Slow cuts' } })
  await as(editor)(accounts.remove, { query: {} })
  const [note] = (await as(admin)(notes.list, { params: { userId: officer.id } })).items
  expect(note).toMatchObject({ title: 'Taste', authorEmail: '', history: [{ actorEmail: '' }] })
  expect(await as(admin)(accounts.update, { body: { userId: officer.id } })).not.toHaveProperty('editorId')
  await finishRemovals()
  expect(await rowsWith(new RegExp(address))).toEqual([])
})

test('an account on an address that nobody confirmed erases nothing of who had the address before', async () => {
  const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
  const { id: formerId } = await makePerson(service, 'Editor')
  const former = 'former@staff.test'
  await write(sql`update person set email = ${former} where id = ${formerId}`)
  const officer = await makePerson(service, 'User')
  await write(sql`
    insert into note (user_id, author_id, author_email, title, content)
    values (${officer.id}, ${formerId}, ${former}, 'Pace', 'Slow')`)
  await write(sql`
    insert into note_event (note_id, at, type, actor_id, actor_email)
    select id, now(), 'created', ${formerId}, ${former} from note where author_id = ${formerId}`)
  await write(sql`
    insert into mail (key, recipient, template, data, created_at)
    values ('to the former one', ${former}, 'passwordChanged', '{}', now() - interval '1 day')`)
  await write(sql`update person set email = 'moved@staff.test' where id = ${formerId}`)
  const stranger = await makePerson(service, 'User')
  await write(sql`update person set email = ${former}, email_verified_at = null where id = ${stranger.id}`)
  await callConfirmed(service, stranger)(accounts.remove, { query: {} })
  const left = await service.database.asSystem(async (tx) => [
    await tx.count(sql`select from note_event where actor_email = ${former}`),
    await tx.count(sql`select from mail where key = 'to the former one'`),
  ])
  expect(left).toEqual([1, 1])
})

test('an address that somebody gave up takes nothing of who has it next, and what came before goes', async () => {
  const [before, next] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
  const handed = 'handed@on.test'
  const traces = async (whose: string) => {
    await write(sql`
      insert into mail (key, recipient, template, data) values (${`${whose} is told`}, ${handed}, 'passwordChanged', '{}')`)
    await write(sql`
      insert into mail (key, recipient, template, data, state)
      values (${`${whose} wrote`}, 'us@service.test', 'message', ${JSON.stringify({ replyTo: handed })}, 'sent')`)
    await write(sql`
      insert into support_thread (guest_email, subject, since, created_at) values (${handed}, ${whose}, now(), now())`)
    await write(sql`
      insert into invitation (email, mailbox, role, invited_by, mail_id, sent_at, mailed_at, ends_at, withdrawn_at)
      values (${handed}, ${handed}, 'QA', ${admin.id}, gen_random_uuid(), now(), array[now()], now(), now())`)
  }
  await write(sql`update person set email = ${handed} where id = ${before.id}`)
  await traces('the one before')
  await write(sql`update person set email = 'gone@on.test' where id = ${before.id}`)
  await write(sql`update person set email = ${handed} where id = ${next.id}`)
  await traces('the next one')
  await as(before)(accounts.remove, { query: {} })
  const left = await service.database.asSystem(async (tx) => [
    await tx.rows(sql`select key from mail where recipient = ${handed} or data->>'replyTo' = ${handed} order by key`),
    await tx.rows(sql`select subject from support_thread where guest_email = ${handed}`),
    await tx.count(sql`select from invitation where email = ${handed}`),
  ])
  expect(left).toEqual([
    [{ key: 'the next one is told' }, { key: 'the next one wrote' }],
    [{ subject: 'the next one' }],
    1,
  ])
})

test('an account can be removed while other transactions change its projects and files', async () => {
  const officer = await makePerson(service, 'User')
  await subscribe(service, { userId: officer.id })
  const editor = await makePerson(service, 'Editor')
  const submit = async () => submitProject(service, officer, { title: 'Beside' })
  /** The outcome of a removal that has to wait for another transaction. */
  const leavingBeside = async (leaving: Person, who: Person, work: (tx: Tx) => Promise<unknown>) => {
    const [done, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const beside = service.database.inTenant(who, async (tx) => {
      await work(tx)
      done.resolve()
      await go.promise
    })
    await done.promise
    const left = outcome(as(admin)(accounts.remove, { query: { userId: leaving.id } }))
    const waiting = () =>
      service.database
        .asSystem((tx) =>
          tx.rows(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        )
        .then(({ length }) => length)
    await expect.poll(waiting).toBeGreaterThan(0)
    go.resolve()
    await beside
    return left
  }

  // An editor is removed while their cut is being sent: the cut was sent.
  const sent = await submit()
  await as(editor)(projects.start, { body: { projectId: sent.id } })
  const cut = await makeVideo(service, editor, { id: sent.id })
  expect(
    await leavingBeside(editor, editor, (tx) => sendToApproval(tx, editor, sent.id, { finalVideoId: cut }, new Date())),
  ).toBe('done')
  expect(await as(admin)(projects.find, { params: { projectId: sent.id } })).toMatchObject({
    status: 3,
    finalVideoId: cut,
  })

  // An editor for whom a project waits that its officer cancels: it is canceled.
  const chosen = await makePerson(service, 'Editor')
  const given = await submit()
  await as(admin)(projects.assign, { params: { projectId: given.id }, body: { editorId: chosen.id } })
  expect(await leavingBeside(chosen, officer, (tx) => advance(tx, officer, given.id, 'cancel', {}, new Date()))).toBe(
    'done',
  )
  expect(await as(admin)(projects.find, { params: { projectId: given.id } })).toMatchObject({ status: 6 })

  // A file that its owner throws away: it is gone.
  const thrown = await makeVideo(service, officer)
  expect(await leavingBeside(officer, officer, (tx) => discardAsset(tx, thrown, officer.id))).toBe('done')
})

/** Sends the receipts and does what is left of each removal, as a worker would. */
const finishRemovals = async () => {
  openMail(service.config)
  const receipts = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from mail where template = 'removed'`),
  )
  for (const { id } of receipts) await registry.mail.run({ mailId: id }, jobContext(service))
  const open = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from removal where work is not null`),
  )
  for (const { id } of open) await eraseJob.run({ removalId: id }, jobContext(service))
}

/** Every table that still contains the pattern, read as superuser. */
const rowsWith = async (words: RegExp): Promise<string[]> => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: service.urls.superuserUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const found: string[] = []
    for (const { name } of rows) {
      const all = await client.query(`select * from ${client.escapeIdentifier(name)}`)
      if (all.rows.some((row) => words.test(JSON.stringify(row)))) found.push(name)
    }
    return found
  } finally {
    await client.end()
  }
}

test('a project assigned to an editor who can no longer start it returns to the pool', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const officer = await makePerson(service, 'User', { tenantId })
  const waitingFor = async (editor: Person) => {
    const { id } = await submitProject(service, officer, { title: 'Given' })
    await as(admin)(projects.assign, { params: { projectId: id }, body: { editorId: editor.id } })
    return id
  }
  const elsewhere = await makeTenant(service)
  const leave: ((editor: Person) => Promise<unknown>)[] = [
    (editor) => as(editor)(accounts.remove, { query: {} }),
    ({ id }) => as(admin)(accounts.update, { body: { userId: id, isDisabled: true } }),
    ({ id }) => as(admin)(accounts.update, { body: { userId: id, role: 'QA' } }),
    ({ id }) => as(admin)(accounts.update, { body: { userId: id, tenantId: elsewhere } }),
  ]
  const other = await makePerson(service, 'Editor')
  for (const leaves of leave) {
    const editor = await makePerson(service, 'Editor')
    const projectId = await waitingFor(editor)
    await leaves(editor)
    await runLeftWork(service)
    const free = await as(admin)(projects.find, { params: { projectId } })
    expect(free).not.toHaveProperty('editorId')
    expect(free.timeline.at(-1)).toMatchObject({ metadata: { verb: 'assign', actorRole: 'SYSTEM' } })
    expect(await outcome(as(other)(projects.start, { body: { projectId } }))).toBe('done')
  }
})

test('removing an officer who changed company also cancels their project in the old one, and that is final', async () => {
  const [before, after] = [await makeTenant(service), await makeTenant(service)]
  for (const tenantId of [before, after]) await subscribe(service, { tenantId })
  const officer = await makePerson(service, 'User', { tenantId: before })
  const { id } = await submitProject(service, officer, { title: 'Left behind' })
  await as(admin)(accounts.update, { body: { userId: officer.id, tenantId: after } })
  const local = await makePerson(service, 'ADMIN', { tenantId: after })
  await as(local)(accounts.remove, { query: { userId: officer.id } })
  expect(await as(admin)(projects.find, { params: { projectId: id } })).toMatchObject({ status: 6 })
  expect(await outcome(as(admin)(projects.rollback, { params: { projectId: id } }))).toBe(
    'project.nothing-to-roll-back',
  )
  const note = { userId: officer.id, title: 'Likes', content: 'Short cuts' }
  expect(await outcome(as(admin)(notes.save, { body: note }))).toBe('account.not-found')
})

test('a cancellation that is undone while its officer is removed stays, whichever of both comes first', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const canceled = async () => {
    const officer = await makePerson(service, 'User', { tenantId })
    const { id: projectId } = await submitProject(service, officer, { title: 'Undone meanwhile' })
    await as(officer)(projects.cancel, { params: { projectId } })
    return { officer, projectId, undo: () => outcome(as(admin)(projects.rollback, { params: { projectId } })) }
  }
  const statusOf = async (projectId: string) => (await as(admin)(projects.find, { params: { projectId } })).status

  const late = await canceled()
  const undone = await service.database.asSystem(async (tx) => {
    await tx.count(sql`update person set removed_at = now() where id = ${late.officer.id}`)
    await tx.rows(sql`select from project where id = ${late.projectId} for update`)
    const meanwhile = late.undo()
    await expect
      .poll(() =>
        service.database.asSystem(
          async (other) => (await other.rows(sql`select from pg_locks where not granted`)).length,
        ),
      )
      .not.toBe(0)
    return { meanwhile }
  })
  expect(await undone.meanwhile).toBe('project.nothing-to-roll-back')

  const early = await canceled()
  await as(early.officer)(accounts.remove, { query: {} })
  // As a step leaves it that had the lock before.
  await service.database.asSystem((tx) =>
    tx.count(sql`update project set status = 0, queue_position = queue_end() + 1 where id = ${early.projectId}`),
  )
  expect(await statusOf(early.projectId)).toBe(0)
  await finishRemovals()
  expect(await statusOf(early.projectId)).toBe(6)
})

test('removal keeps other people’s rows that contain the same name or address', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const [officer, editor] = [await makePerson(service, 'User', { tenantId }), await makePerson(service, 'Editor')]
  const { id: projectId } = await as(officer)(
    projects.create,
    { body: { title: 'Mortgage rates', assets: [await makeVideo(service, officer)] } },
    { requestId: randomUUID() },
  )
  await as(editor)(projects.start, { body: { projectId } })
  await service.database.asSystem(async (tx) => {
    for (const { data } of await tx.rows(
      sql<{ data: { projectId: string; seq: number } }>`select data from pgboss.job where name = 'project-event'`,
    ))
      await projectEventJob.run(data, jobContext(service))
    await sendMail(tx, {
      key: `notice:${randomUUID()}`,
      to: 'officer@others.test',
      template: 'message',
      data: { title: 'Mortgage rates', body: 'Open the project', link: { label: 'Open the project', url: '/panel' } },
    })
  })
  // Everything but what is the leaving people's own: the rows that others have, and the work that waits.
  const others = (leaving: readonly string[]) =>
    service.database.asSystem(async (tx) => ({
      notifications: await tx.rows(
        sql`select id, title, body from notification where user_id <> all(${leaving}::uuid[]) order by id`,
      ),
      mails: await tx.rows(
        sql`select id, data from mail where template <> 'removed' and recipient not like '%@leaving.test'
            and recipient <> 'r@others.test' order by id`,
      ),
      jobs: await tx.rows(sql`
        select id from pgboss.job where name not in ('erase', 'mail', 'payer-standing', 'left-work') order by id`),
      answers: await tx.rows(sql`
        select request_id, status from answered_request where actor_id <> all(${leaving}::uuid[]) order by request_id`),
      pushes: await tx.rows(sql`select id from push order by id`),
    }))
  const names = ['": "', 'Mortgage rates', 'Open the project', '% %', '{"']
  const leaving: string[] = []
  for (const [n, name] of names.entries())
    leaving.push(
      await service.database.asSystem(
        async (tx) =>
          (await createPerson(tx, { email: `${n}@leaving.test`, name, role: 'User', password, tenantId: null })).id,
      ),
    )
  leaving.push(
    await service.database.asSystem(
      async (tx) =>
        (await createPerson(tx, { email: 'r@others.test', name: 'R', role: 'User', password, tenantId: null })).id,
    ),
  )
  const before = await others(leaving)
  expect(before.notifications.length).toBeGreaterThan(0)
  expect(before.mails.length).toBeGreaterThan(0)
  expect(before.jobs.length).toBeGreaterThan(0)
  expect(before.answers.length).toBeGreaterThan(0)
  for (const id of leaving) {
    const token = await service.identity.signIdToken({ id, role: 'User', tenantId: null, securityStamp: 1 })
    await as({ id, role: 'User', tenantId: null, securityStamp: 1, token, name: '' })(accounts.remove, {})
  }
  for (const { data } of await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: { removalId: string } }>`select data from pgboss.job where name = 'erase'`),
  ))
    await eraseJob.run(data, jobContext(service))
  expect(await others(leaving)).toEqual(before)
})
