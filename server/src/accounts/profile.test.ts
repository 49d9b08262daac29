import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { edits } from '@clear-to-post/contract/edits'
import { assets } from '@clear-to-post/contract/assets'
import type { CallInput } from '@clear-to-post/contract/call'
import type { Refusal } from '@clear-to-post/contract/errors'
import { identity } from '@clear-to-post/contract/identity'
import { push } from '@clear-to-post/contract/push'
import { usualWeek } from '@clear-to-post/domain/availability'
import { mailsTo } from '../../test/mails.ts'
import {
  callAs,
  callConfirmed,
  makePerson,
  makeTenant,
  subscribe,
  makePicture,
  openService,
  type Person,
  type Service,
  outcome,
  signedIn,
} from '../../test/service.ts'
import { fileUrl } from '../assets/addresses.ts'
import { sweepForgotten } from '../assets/jobs.ts'
import { sql } from '../kernel/database.ts'
import { createPerson } from './actions.ts'

let service: Service
let admin: Person
beforeAll(async () => {
  service = await openService()
  admin = await makePerson(service, 'ADMIN')
})
afterAll(() => service.close())

const as = (person: Person | null) => callConfirmed(service, person)
const update = (person: Person, body: CallInput<typeof accounts.update>['body']) =>
  as(person)(accounts.update, { body })
const codeOf = async (tenantId: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ code: string }>`select invite_code as code from tenant where id = ${tenantId}`),
  ))!.code
/** The same person with a token of their present role and company. */
const again = async (person: Person): Promise<Person> => {
  const now = (await service.database.asSystem((tx) =>
    tx.first(sql<{ role: Person['role']; tenantId: string | null; securityStamp: number }>`
      select role, tenant_id as "tenantId", security_stamp as "securityStamp" from person where id = ${person.id}`),
  ))!
  return { ...person, ...now, token: await service.identity.signIdToken({ id: person.id, ...now }) }
}

test('licences are kept as digits and in order, change alone, and what is none is refused and changes nothing', async () => {
  const person = await signedIn(service, await makePerson(service, 'User'))
  const kept = await update(person, { nmlsNumber: 'NMLS #120 456', licenceStates: ['TX', 'CA', 'TX'] })
  expect(kept).toMatchObject({ nmlsNumber: '120456', licenceStates: ['CA', 'TX'] })
  for (const body of [{ nmlsNumber: 'pending' }, { nmlsNumber: '12345678901' }, { licenceStates: ['ZZ'] as never }])
    expect(await outcome(update(person, body))).toBe('request.invalid')
  expect(await update(person, { name: 'Maria' })).toMatchObject({ nmlsNumber: '120456', licenceStates: ['CA', 'TX'] })
  const cleared = await update(person, { nmlsNumber: '', licenceStates: [] })
  expect(cleared).not.toHaveProperty('nmlsNumber')
  expect(cleared.licenceStates).toEqual([])
})

test('a profile changes only in the fields that are sent, and an empty text clears its field', async () => {
  const person = await signedIn(service, await makePerson(service, 'User'))
  const links = { primaryColor: '#102030', facebookLink: 'https://facebook.test/maria', isFeedbackEnabled: false }
  const preferences = { ...links, phone: '(312) 555-0100', city: 'Springfield' }
  expect(
    await update(person, {
      name: '  Maria Delgado ',
      profession: 'Loan officer',
      timezone: 'America/Denver',
      fcmToken: 'phone-1',
      experienceId: 'x1',
      preferences,
    }),
  ).toMatchObject({
    name: 'Maria Delgado',
    profession: 'Loan officer',
    timezone: 'America/Denver',
    fcmToken: 'phone-1',
    experienceId: 'x1',
    preferences,
  })
  const after = await update(person, {
    profession: '',
    fcmToken: '',
    preferences: { facebookLink: '', logo: '', city: '' },
  })
  expect(after).toMatchObject({
    name: 'Maria Delgado',
    preferences: { primaryColor: '#102030', isFeedbackEnabled: false, phone: '(312) 555-0100' },
  })
  for (const gone of ['profession', 'fcmToken']) expect(after).not.toHaveProperty(gone)
  for (const gone of ['facebookLink', 'city']) expect(after.preferences).not.toHaveProperty(gone)
  expect(await as(person)(accounts.info, {})).toMatchObject(after)
  for (const body of [
    { timezone: 'Mars/Olympus' },
    { name: ' ' },
    { preferences: { primaryColor: 'red' } },
    { preferences: { phone: 'one\ntwo' } },
    { photoUrl: 'javascript:alert(1)' },
    { photoUrl: 'https://elsewhere.test/me.jpg' },
    { customerId: 'mine' },
  ] as never[])
    expect(await outcome(update(person, body)), JSON.stringify(body)).toBe('request.invalid')
})

test('days off that are over count to none of those that may be planned, which are bounded', async () => {
  const editor = await makePerson(service, 'Editor')
  const single = (ahead: number) => {
    const day = new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
    return { from: day, to: day }
  }
  const taken = Array.from({ length: 100 }, (_, n) => single(-2 - n))
  const planned = Array.from({ length: 60 }, (_, n) => single(2 + n))
  expect((await update(editor, { timeOff: [...taken, ...planned] })).timeOff).toHaveLength(160)
  expect(await outcome(update(editor, { timeOff: [...planned, single(70)] }))).toBe('request.invalid')
})

test('hours and days off that somebody else has changed since are refused, and nothing of theirs is lost', async () => {
  const editor = await makePerson(service, 'Editor')
  const [theirs, ours] = [
    { from: '2091-03-02', to: '2091-03-06' },
    { from: '2091-04-02', to: '2091-04-02' },
  ]
  const began = { timeOff: [] }
  expect((await update(editor, { timeOff: [theirs], was: began })).timeOff).toEqual([theirs])
  const change = { userId: editor.id, timeOff: [ours], was: began }
  expect(await outcome(update(admin, change))).toBe('account.hours-changed')
  expect((await update(admin, { ...change, timeOff: [theirs, ours], was: { timeOff: [theirs] } })).timeOff).toEqual([
    theirs,
    ours,
  ])
  // Hours that nobody set are the usual ones; the other part stays as it is.
  const week = Array.from({ length: 7 }, () => null)
  const set = await update(admin, { userId: editor.id, workWeek: week, was: { workWeek: [...usualWeek] } })
  expect(set).toMatchObject({ workWeek: week, timeOff: [theirs, ours] })
})

test('a change of a person is refused where somebody has changed the same part since it was begun', async () => {
  const one = await makePerson(service, 'ADMIN')
  const profession = 'Head of review'
  const begun = { userId: one.id, profession, was: { profession: '' } }
  await update(admin, { userId: one.id, role: 'QA', was: { role: 'ADMIN' } })
  // Who changes another part takes nothing back.
  expect(await update(admin, begun)).toMatchObject({ role: 'QA', profession })
  const parts = {
    name: 'Somebody',
    profession: '',
    nmlsNumber: '1',
    licenceStates: ['TX'],
    role: 'ADMIN',
    tenantId: randomUUID(),
    editorId: randomUUID(),
  }
  for (const [part, was] of Object.entries(parts)) {
    const stale = { userId: one.id, name: 'Anew', was: { [part]: was } }
    expect(await outcome(update(admin, stale)), part).toBe('account.changed')
  }
  const seen = { profession, nmlsNumber: '', licenceStates: [], role: 'QA' as const, tenantId: null, editorId: null }
  expect(await update(admin, { userId: one.id, role: 'Editor', was: seen })).toMatchObject({ role: 'Editor' })
})

test('a phone’s token belongs to one person at a time, and only that person reads it', async () => {
  const officer = async () => signedIn(service, await makePerson(service, 'User'))
  const [first, second] = [await officer(), await officer()]
  await update(first, { fcmToken: 'shared-phone' })
  await update(second, { fcmToken: 'shared-phone' })
  expect(await as(first)(accounts.info, {})).not.toHaveProperty('fcmToken')
  expect(await update(admin, { userId: second.id })).not.toHaveProperty('fcmToken')
  expect(await outcome(update(admin, { userId: second.id, fcmToken: 'phone-of-the-admin' }))).toBe('access.forbidden')
})

test('a phone is named in a sign-in alone, and rings until that one ends, whichever else goes on', async () => {
  const person = await makePerson(service, 'User')
  const [phone, browser] = [await signedIn(service, person), await signedIn(service, person)]
  const state = async () => [
    (await as(browser)(accounts.info, {})).fcmToken,
    (await as(browser)(push.read, {})).hasPhone,
  ]
  const signOut = (who: Person) => callAs(service, who)(identity.signOut, { body: { everywhere: false } })
  expect(await outcome(update(person, { fcmToken: 'found-token' }))).toBe('push.no-session')
  expect(await state()).toEqual([undefined, false])
  await update(phone, { fcmToken: 'my-phone' })
  expect(await state()).toEqual(['my-phone', true])
  await signOut(await signedIn(service, person))
  expect(await state()).toEqual(['my-phone', true])
  await signOut(phone)
  expect(await state()).toEqual([undefined, false])
  // One that nobody used for long ends by itself.
  await update(browser, { fcmToken: 'forgotten-phone' })
  await service.database.asSystem((tx) =>
    tx.count(sql`update session_family set ends_at = now() where person_id = ${person.id}`),
  )
  expect((await state())[1]).toBe(false)
})

test('a profile stores photo and logo by path and answers them with fresh signed addresses', async () => {
  const [person, other] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  const [photo, logo] = [await makePicture(service, person), await makePicture(service, person)]
  const old = new Date(Date.now() - 3 * 60 * 60 * 1000)
  const now = new Date()
  const shown = await update(person, {
    photoUrl: fileUrl(photo, '1/thumb.jpg', now),
    preferences: { logo: fileUrl(logo, 'original.png', now, 'logo.png') },
  })
  const kept = (await service.database.asSystem((tx) =>
    tx.first(sql<{ photo_url: string }>`select photo_url from person where id = ${person.id}`),
  ))!
  expect(kept.photo_url).toBe(`/media/${photo}/1/thumb.jpg`)
  expect(shown.photoUrl).toMatch(/^\/media\/.*\?until=\d+&key=[\w-]+&sign=/)
  // What was shown may be sent back.
  expect(await update(person, { photoUrl: shown.photoUrl! })).toMatchObject({ photoUrl: shown.photoUrl })

  for (const address of [
    `/media/${photo}/1/thumb.jpg`,
    fileUrl(photo, '1/thumb.jpg', now).replace('sign=', 'sign=x'),
    fileUrl(photo, '1/thumb.jpg', new Date(old.getTime() - 3 * 60 * 60 * 1000)),
    fileUrl(randomUUID(), '1/thumb.jpg', now),
    '/media/../etc/passwd',
  ])
    expect(await outcome(update(other, { photoUrl: address })), address).toBe('asset.not-found')

  // A valid signed address of another person's file cannot be stored as one's own picture.
  expect(await outcome(update(other, { photoUrl: fileUrl(photo, '1/thumb.jpg', now) }))).toBe('asset.not-found')
  expect(await outcome(update(other, { preferences: { logo: shown.photoUrl! } }))).toBe('asset.not-found')
  expect(await update(admin, { userId: person.id, photoUrl: shown.photoUrl! })).toMatchObject({ name: person.name })

  // It is in use, though no project has it.
  expect(await outcome(as(person)(assets.discard, { params: { assetId: photo } }))).toBe('asset.in-use')
  await service.database.asSystem((tx) => tx.count(sql`update asset set modified_at = now() - interval '40 days'`))
  await sweepForgotten(service.database, now)
  const left = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from asset where author_id = ${person.id}`),
  )
  expect(left.map(({ id }) => id).sort()).toEqual([photo, logo].sort())
  await update(person, { photoUrl: '', preferences: { logo: '' } })
  await sweepForgotten(service.database, now)
  expect(
    await service.database.asSystem((tx) => tx.rows(sql`select id from asset where author_id = ${person.id}`)),
  ).toEqual([])
})

test('only an ADMIN changes other people, roles, companies and access, and only within reach', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const officer = await makePerson(service, 'User', { tenantId: here })
  const local = await makePerson(service, 'ADMIN', { tenantId: here })
  const foreign = await makePerson(service, 'ADMIN', { tenantId: there })
  for (const role of ['User', 'Editor', 'QA'] as const) {
    const person = await makePerson(service, role)
    expect(await outcome(update(person, { userId: officer.id, name: 'X' }))).toBe('account.not-found')
    for (const body of [{ role: 'ADMIN' }, { tenantId: here }, { editorId: null }, { isDisabled: false }] as const)
      expect(await outcome(update(person, body)), role).toBe('account.admin-only')
  }
  for (const body of [{ name: 'X' }, { isDisabled: true }])
    expect(await outcome(update(foreign, { userId: officer.id, ...body }))).toBe('account.not-found')
  expect(await update(local, { userId: officer.id, name: 'Named here' })).toMatchObject({ name: 'Named here' })

  // A company's ADMIN can move nobody into, between or out of companies.
  for (const tenantId of [null, there])
    for (const userId of [officer.id, local.id])
      expect(await outcome(update(local, { userId, tenantId }))).toBe('account.admin-only')
  expect(await outcome(update(local, { userId: (await makePerson(service, 'User')).id, tenantId: here }))).toBe(
    'account.not-found',
  )
  expect(await update(local, { userId: officer.id, tenantId: here, role: 'QA' })).toMatchObject({ role: 'QA' })
  expect(await outcome(update(admin, { userId: officer.id, tenantId: randomUUID() }))).toBe('tenant.none')
  expect(await outcome(update(admin, { userId: randomUUID(), name: 'X' }))).toBe('account.not-found')
})

test('a changed company, role or access takes effect on the next call, and counts a seat', async () => {
  const tenantId = await makeTenant(service, 1)
  const [one, two] = [await makePerson(service, 'User'), await makePerson(service, 'User')]
  expect(await update(admin, { userId: one.id, tenantId })).toMatchObject({ tenantId })
  expect(await outcome(as(one)(accounts.info, {}))).toBe('session.ended')
  expect(await as(await again(one))(accounts.info, {})).toMatchObject({ tenantId, tenantName: 'A tenant' })
  expect(await outcome(update(admin, { userId: two.id, tenantId }))).toBe('tenant.full')
  expect(await update(admin, { userId: one.id, isDisabled: true })).toMatchObject({ isDisabled: true })
  expect(await outcome(as(await again(one))(accounts.info, {}))).toBe('session.ended')
  await update(admin, { userId: two.id, tenantId })
  expect(await outcome(update(admin, { userId: one.id, isDisabled: false }))).toBe('tenant.full')
  // Staff take no seat.
  await update(admin, { userId: one.id, isDisabled: false, role: 'QA' })
  const crowd = await Promise.all(Array.from({ length: 100 }, () => makePerson(service, 'User')))
  const last = await makeTenant(service, 1)
  const outcomes = await Promise.all(crowd.map(({ id }) => outcome(update(admin, { userId: id, tenantId: last }))))
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(1)
  expect(outcomes.filter((each) => each === 'tenant.full')).toHaveLength(99)
})

test('an officer with a short password who becomes staff must choose a new one', async () => {
  const email = `${randomUUID()}@staff.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'N', role: 'User', password: 'kettle' }),
  )
  const signIn = () => outcome(as(null)(identity.password, { body: { email, password: 'kettle' } }))
  expect(await signIn()).toBe('done')
  await update(admin, { userId: id, role: 'Editor' })
  expect(await signIn()).toBe('session.wrong-credentials')
  const [mail] = await mailsTo(service, email)
  expect(mail!.subject).toBe('Choose a new password')
  expect(mail!.text).toContain('You are an editor at Clear to Post now.')
})

test('the last ADMIN of the service cannot be demoted, also when two demote each other', async () => {
  const alone = await openService()
  try {
    const [first, second] = [await makePerson(alone, 'ADMIN'), await makePerson(alone, 'ADMIN')]
    await makePerson(alone, 'ADMIN', { tenantId: await makeTenant(alone) })
    const demote = (by: Person, userId: string, change: object) =>
      outcome(callConfirmed(alone, by)(accounts.update, { body: { userId, ...change } }))
    const outcomes = await Promise.all([
      demote(first, second.id, { role: 'QA' }),
      demote(second, first.id, { isDisabled: true }),
      ...Array.from({ length: 10 }, () => outcome(callConfirmed(alone, first)(accounts.remove, { query: {} }))),
    ])
    const admins = await alone.database.asSystem((tx) =>
      tx.rows(sql`select 1 from person where role = 'ADMIN' and tenant_id is null and not is_disabled`),
    )
    expect(admins, outcomes.join()).toHaveLength(1)
    const left = await makePerson(alone, 'ADMIN')
    await alone.database.asSystem((tx) =>
      tx.count(sql`update person set is_disabled = true where tenant_id is null and id <> ${left.id}`),
    )
    for (const change of [{ role: 'User' }, { isDisabled: true }, { tenantId: await makeTenant(alone) }])
      expect(await demote(left, left.id, change)).toBe('account.last-admin')
    expect(await outcome(callConfirmed(alone, left)(accounts.remove, { query: {} }))).toBe('account.last-admin')
    expect(await demote(left, left.id, { name: 'Still here' })).toBe('done')
  } finally {
    await alone.close()
  }
})

test('a change of somebody’s company waits for their calls that write, and their words go with them', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const editor = await makePerson(service, 'Editor', { tenantId: here })
  const officer = await makePerson(service, 'User', { tenantId: here })
  const boss = await makePerson(service, 'ADMIN')
  const move = (userId: string) =>
    outcome(callConfirmed(service, boss)(accounts.update, { body: { userId, tenantId: there } }))
  const words = { params: { userId: officer.id }, body: { whose: 'own' as const, add: [{ term: 'escrow' }] } }
  await callAs(service, editor)(edits.changeGlossary, words)

  // The editor's call waits for the officer's row; the change of the editor waits for the call.
  const [gate, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = service.database.asSystem(async (tx) => {
    await tx.rows(sql`select from glossary where owner_id = ${officer.id} for update`)
    held.resolve()
    await gate.promise
  })
  await held.promise
  const written = outcome(callAs(service, editor)(edits.changeGlossary, words))
  const waiting = async () =>
    (await service.database.asSystem((tx) =>
      tx.first(sql<{ n: number }>`
        select count(*)::integer as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    ))!.n
  await expect.poll(waiting).toBe(1)
  const moved = move(editor.id)
  await expect.poll(waiting).toBe(2)
  gate.resolve()
  await holding
  expect(await written).toBe('done')
  expect(await moved).toBe('done')
  expect(await outcome(callAs(service, editor)(edits.changeGlossary, words))).toBe('session.ended')
  const kept = await service.database.asSystem((tx) =>
    tx.rows(sql`select from answered_request where actor_id = ${editor.id} and answer is not null`),
  )
  expect(kept).toEqual([])

  expect(await move(officer.id)).toBe('done')
  const theirs = await makePerson(service, 'Editor', { tenantId: there })
  const { own } = await callAs(service, theirs)(edits.glossary, { params: { userId: officer.id } })
  expect(own).toMatchObject([{ term: 'escrow' }])
  await callAs(service, theirs)(edits.changeGlossary, words)
})

test('a company whose plan goes on keeps an ADMIN, also when two shut each other out or leave at once', async () => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const write = (query: ReturnType<typeof sql>) => service.database.asSystem((tx) => tx.count(query))
  await write(sql`update subscription set provider_id = ${`sub_${tenantId}`} where tenant_id = ${tenantId}`)
  const left = () =>
    service.database.asSystem((tx) =>
      tx.rows(
        sql<{ id: string }>`select id from person where tenant_id = ${tenantId} and role = 'ADMIN' and not is_disabled`,
      ),
    )
  const change = (by: Person, userId: string, body: object) =>
    outcome(callConfirmed(service, by)(accounts.update, { body: { userId, ...body } }))
  const leave = (who: Person) => outcome(callConfirmed(service, who)(accounts.remove, { query: {} }))
  const newAdmin = () => makePerson(service, 'ADMIN', { tenantId })

  const [one, other] = [await newAdmin(), await newAdmin()]
  const shut = [change(one, other.id, { isDisabled: true }), change(other, one.id, { isDisabled: true })]
  expect((await Promise.all(shut)).filter((answer) => answer === 'done')).toHaveLength(1)
  expect(await left()).toHaveLength(1)
  await write(sql`update person set is_disabled = true where id in (${one.id}, ${other.id})`)
  const [third, fourth] = [await newAdmin(), await newAdmin()]
  expect((await Promise.all([leave(third), leave(fourth)])).toSorted()).toEqual(['account.last-admin', 'done'])
  const [{ id } = { id: '' }] = await left()
  const remaining = [third, fourth].find((each) => each.id === id)!
  expect(await change(remaining, id, { role: 'QA' })).toBe('account.last-admin')

  // Of a plan that ends nobody is charged; and the service looks after a company that asks for it.
  await write(sql`update subscription set ends_at = now() + interval '9 days' where tenant_id = ${tenantId}`)
  expect(await leave(remaining)).toBe('done')
  const next = await newAdmin()
  await write(sql`update subscription set ends_at = null where tenant_id = ${tenantId}`)
  expect(await change(await makePerson(service, 'ADMIN'), next.id, { isDisabled: true })).toBe('done')
})

test('an officer is assigned only to an editor who may edit for them, and the editor can list their officers', async () => {
  const [here, there] = [await makeTenant(service), await makeTenant(service)]
  const editor = await makePerson(service, 'Editor')
  const foreign = await makePerson(service, 'Editor', { tenantId: there })
  const bound = await Promise.all(
    ['Ada', 'Bea', 'Cy'].map((name) => makePerson(service, 'User', { tenantId: here, name })),
  )
  for (const { id } of bound)
    expect(await update(admin, { userId: id, editorId: editor.id })).toMatchObject({ editorId: editor.id })
  expect(await outcome(update(admin, { userId: bound[0]!.id, editorId: foreign.id }))).toBe('account.not-found')
  expect(await outcome(update(admin, { userId: bound[0]!.id, editorId: bound[1]!.id }))).toBe('account.not-found')
  expect(await outcome(update(admin, { userId: editor.id, editorId: editor.id }))).toBe('request.invalid')

  const first = await as(editor)(accounts.bound, { query: { perPage: 2 } })
  const rest = await as(editor)(accounts.bound, { query: { perPage: 2, cursor: first.nextCursor! } })
  expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(['Ada', 'Bea', 'Cy'])
  expect(rest.nextCursor).toBeNull()
  const named = await as(admin)(accounts.bound, { query: { editorId: editor.id, wheres: 'name:startsWith:B' } })
  expect(named.items.map(({ id }) => id)).toEqual([bound[1]!.id])
  expect(await outcome(as(editor)(accounts.bound, { query: { editorId: foreign.id } }))).toBe('account.not-found')
  expect(await as(foreign)(accounts.bound, { query: { editorId: foreign.id } })).toEqual({
    items: [],
    nextCursor: null,
  })
  const local = await makePerson(service, 'ADMIN', { tenantId: here })
  expect(await outcome(as(local)(accounts.bound, { query: { editorId: foreign.id } }))).toBe('account.not-found')

  // In another tenant the editor of the old one would be a stranger; a general one stays.
  const own = await makePerson(service, 'Editor', { tenantId: here })
  await update(admin, { userId: bound[2]!.id, editorId: own.id })
  expect(await update(admin, { userId: bound[2]!.id, tenantId: there })).not.toHaveProperty('editorId')
  expect(await update(admin, { userId: bound[1]!.id, tenantId: there })).toMatchObject({ editorId: editor.id })
  // An editor who becomes QA keeps no officers.
  await update(admin, { userId: editor.id, role: 'QA' })
  expect(await update(admin, { userId: bound[0]!.id })).not.toHaveProperty('editorId')
})

test('a set-up can be repeated, and joins the company of its invitation code', async () => {
  const tenantId = await makeTenant(service)
  const code = await codeOf(tenantId)
  const person = await makePerson(service, 'User')
  const body = { name: 'Maria', profession: 'Loan officer', timezone: 'America/Chicago', invitationCode: code }
  expect(await as(person)(accounts.setup, { body })).toMatchObject({ name: 'Maria', tenantId })
  expect(await outcome(as(person)(accounts.setup, { body }))).toBe('session.ended')
  const joined = await again(person)
  const repeated = await as(joined)(accounts.setup, { body: { ...body, invitationCode: code.toLowerCase() } })
  expect(repeated).toMatchObject({ name: 'Maria', tenantId })
  expect(await as(joined)(accounts.info, {})).toMatchObject({ tenantId })

  const other = await codeOf(await makeTenant(service))
  const setUp = (who: Person, more: object) => outcome(as(who)(accounts.setup, { body: more }))
  expect(await setUp(joined, { invitationCode: other })).toBe('account.has-company')
  expect(await setUp(joined, { invitationCode: 'NO-SUCH' })).toBe('tenant.not-found')
  expect(await setUp(await makePerson(service, 'QA'), { invitationCode: other })).toBe('account.admin-only')
  expect(await setUp(joined, { userId: admin.id, name: 'X' })).toBe('account.not-found')
  expect(await setUp(admin, { userId: joined.id, name: 'By an admin' })).toBe('done')
  const full = await codeOf(await makeTenant(service, 0))
  const late = await makePerson(service, 'User', { name: 'Before' })
  expect(await setUp(late, { name: 'After', invitationCode: full })).toBe('tenant.full')
  expect(await as(late)(accounts.info, {})).toMatchObject({ name: 'Before' })
})

test('a sign-in token for a phone is good once, and the same one is answered while it lasts', async () => {
  const person = await makePerson(service, 'User')
  expect(await outcome(as(person)(accounts.getToken, {}))).toBe('account.no-token')
  const made = await as(person)(accounts.createToken, {})
  expect(made.url).toBe(`${service.config.publicUrl}/login#token=${made.token}`)
  expect(Date.parse(made.endsAt) - Date.now()).toBeGreaterThan(290_000)
  expect(Date.parse(made.endsAt) - Date.now()).toBeLessThanOrEqual(300_000)
  expect(await as(person)(accounts.getToken, {})).toEqual(made)
  expect(await outcome(as(await makePerson(service, 'User'))(accounts.getToken, {}))).toBe('account.no-token')

  const redeem = (token: string) => outcome(as(null)(identity.customToken, { body: { token } }))
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => redeem(made.token)))
  expect(outcomes.filter((each) => each === 'done')).toHaveLength(1)
  expect(await outcome(as(person)(accounts.getToken, {}))).toBe('account.no-token')

  const tokens = await Promise.all(Array.from({ length: 10 }, () => as(person)(accounts.createToken, {})))
  const { token } = await as(person)(accounts.getToken, {})
  expect(new Set(tokens.map((one) => one.token)).size).toBe(10)
  const good = await Promise.all(tokens.map((one) => redeem(one.token)))
  expect(good.filter((each) => each === 'done')).toHaveLength(1)
  expect(tokens[good.indexOf('done')]!.token).toBe(token)

  await as(person)(accounts.createToken, {})
  await service.database.asSystem((tx) =>
    tx.count(sql`update one_time_token set ends_at = now() where person_id = ${person.id}`),
  )
  expect(await outcome(as(person)(accounts.getToken, {}))).toBe('account.no-token')
})

test('the search of people supports every filter, order and page of the API', async () => {
  const tenantId = await makeTenant(service)
  const qa = await makePerson(service, 'QA', { tenantId, name: 'Quinn' })
  for (const name of ['Ann_a', 'Ann%b', 'Anna', 'Bert']) await makePerson(service, 'User', { tenantId, name })
  const names = async (...wheres: string[]) =>
    (await as(qa)(accounts.search, { query: { wheres, perPage: 100 } })).items.map(({ name }) => name)
  expect((await names()).toSorted()).toEqual(['Ann%b', 'Ann_a', 'Anna', 'Bert', 'Quinn'])
  expect(await names('name:eq:Anna')).toEqual(['Anna'])
  expect(await names('role:ne:User')).toEqual(['Quinn'])
  expect(await names('name:startsWith:ANN_')).toEqual(['Ann_a'])
  expect(await names('name:contains:%')).toEqual(['Ann%b'])
  expect(await names('name:contains:NN%B')).toEqual(['Ann%b'])
  expect(await names('name:contains:n.a')).toEqual([])
  expect(await names('name:gte:B')).toEqual(['Bert', 'Quinn'])
  expect(await names('name:lt:B', 'name:contains:nna')).toEqual(['Anna'])
  expect(await names('name:in:Anna,Bert', 'role:eq:User', 'name:lte:Anna')).toEqual(['Anna'])
  expect(await names(`tenantId:eq:${tenantId}`, 'name:ne:Nobody')).toHaveLength(5)
  expect(await names(`tenantId:ne:${tenantId}`)).toEqual([])
  expect(await names('createdAt:lte:2000-01-01')).toEqual([])
  expect(await names('createdAt:gt:2000-01-01T00:00:00Z')).toHaveLength(5)
  for (const orderBy of ['name:asc', 'name:desc', 'email:asc', 'email:desc', 'createdAt:asc', 'createdAt:desc']) {
    const found: string[] = []
    for (let cursor: string | null | undefined = undefined; cursor !== null;) {
      const query: { orderBy: string; perPage: number; cursor?: string } = {
        orderBy,
        perPage: 2,
        ...(cursor === undefined ? {} : { cursor }),
      }
      const page: { items: { id: string }[]; nextCursor: string | null } = await as(qa)(accounts.search, { query })
      found.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(new Set(found).size, orderBy).toBe(5)
  }
  for (const query of [
    { perPage: 0 },
    { perPage: 101 },
    { orderBy: 'role:asc' },
    { orderBy: 'name' },
    { cursor: 'x' },
    { orderBy: 'createdAt:asc', cursor: forgedCursor('createdAt', '313578e4-0d71-4dbe-9fef-05ad95535225') },
    { orderBy: 'createdAt:asc', cursor: forgedCursor('createdAt', '2026-13-40') },
    { cursor: forgedCursor('name', 'a\0') },
    { wheres: 'fcmToken:eq:x' },
    { wheres: 'tenantId:lt:x' },
    { wheres: 'createdAt:gt:yesterday' },
    { page: '2' },
  ] as never[])
    expect(await outcome(as(qa)(accounts.search, { query })), JSON.stringify(query)).toBe('request.invalid')
})

const forgedCursor = (field: string, key: string) =>
  Buffer.from(JSON.stringify([field, 'asc', key, randomUUID()])).toString('base64url')

test('a filter by who is shut out is refused like an unknown one, unless the role is shown it', async () => {
  const qa = await makePerson(service, 'QA')
  const search = (person: Person, wheres: string) =>
    as(person)(accounts.search, { query: { wheres } }).then(
      () => 'done',
      (refused: Refusal) => `${refused.code} ${refused.message}`,
    )
  for (const wheres of ['isDisabled:eq:true', 'isDisabled:ne:true', 'isDisabled:eq:maybe']) {
    const unknown = await search(qa, wheres.replace('isDisabled', 'unknown'))
    expect(await search(qa, wheres)).toBe(unknown.replace('unknown', 'isDisabled'))
    expect(unknown).toMatch(/^request.invalid Filter by /)
    expect(unknown).not.toContain('isDisabled')
  }
  for (const [wheres, outcome] of [
    ['isDisabled:eq:true', /^done$/],
    ['isDisabled:ne:true', /^done$/],
    ['isDisabled:eq:maybe', /^request.invalid “maybe” is no value for isDisabled/],
  ] as const)
    expect(await search(admin, wheres)).toMatch(outcome)
  expect(await search(qa, 'role:eq:User')).toBe('done')
})
