import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { invitations } from '@clear-to-post/contract/invitations'
import { mailsTo } from '../../test/mails.ts'
import { callConfirmed, makePerson, makeTenant, openService, type Person, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { changeAccountState } from './actions.ts'

let service: Service
let tenantId: string
let ada: Person, bea: Person, root: Person
beforeAll(async () => {
  service = await openService()
  tenantId = await makeTenant(service, 5)
  ada = await makePerson(service, 'ADMIN', { tenantId, name: 'Ada' })
  bea = await makePerson(service, 'ADMIN', { tenantId, name: 'Bea' })
  root = await makePerson(service, 'ADMIN', { name: 'Root' })
})
afterAll(() => service.close())

const as = (person: Person | null) => callConfirmed(service, person)
const rows = <Row>(query: ReturnType<typeof sql<Row>>) => service.database.asSystem((tx) => tx.rows(query))
const addressOf = async ({ id }: Person) =>
  (await rows<{ email: string }>(sql`select email from person where id = ${id}`))[0]!.email
/** Each mail about ADMINs since the last look: to whom, its title, and its first words. */
const told = async () => {
  const found = await rows<{ name: string; title: string; body: string }>(sql`
    with gone as (delete from mail where key like 'admin-%' returning recipient, data)
    select coalesce(p.name, g.recipient) as name, g.data->>'title' as title, split_part(g.data->>'body', E'\n', 1) as body
    from gone g left join person p on p.email = g.recipient order by 1, 2`)
  return found.map(({ name, title, body }) => [name, title, body.replaceAll(/ \(\S+@\S+\)| Tenant \S+/g, '')])
}
const change = (by: Person, who: Person, to: { role?: 'User' | 'Editor' | 'ADMIN'; isDisabled?: boolean }) =>
  as(by)(accounts.update, { body: { userId: who.id, ...to } })
const added = 'There is a new admin'
const ended = 'An admin is one no more'

test('every ADMIN of a company is told who becomes one, by whom, and so is whoever becomes one', async () => {
  const eve = await makePerson(service, 'Editor', { tenantId, name: 'Eve' })
  await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service, 5), name: 'Elsewhere' })
  await change(ada, eve, { isDisabled: false })
  expect(await told()).toEqual([])
  await change(ada, eve, { role: 'ADMIN' })
  expect((await told()).map(([name, title]) => [name, title])).toEqual([
    ['Ada', added],
    ['Bea', added],
    ['Eve', added],
  ])
  await change(root, { ...eve, securityStamp: 2 }, { role: 'Editor' })
  const [first, ...others] = await told()
  expect([first, ...others].map((one) => one![0])).toEqual(['Ada', 'Bea', 'Eve'])
  expect(first![1]).toBe(ended)
  expect(first![2]).toMatch(/^Eve is no admin of .* any more\. An admin of Clear to Post did that\.$/)
})

test('every ADMIN is told when one of them is shut out, let in again or removed, and by whom', async () => {
  const cleo = await makePerson(service, 'ADMIN', { tenantId, name: 'Cleo' })
  await change(bea, cleo, { isDisabled: true })
  const shutOut = await told()
  expect(shutOut.map(([name, title]) => [name, title])).toEqual([
    ['Ada', ended],
    ['Bea', ended],
    ['Cleo', ended],
  ])
  expect(shutOut[0]![2]).toContain('Bea did that.')
  const email = await addressOf(cleo)
  await service.database.asSystem((tx) => changeAccountState(tx, email, { isDisabled: false }))
  expect((await told())[0]).toEqual(['Ada', added, expect.stringContaining('The operator of Clear to Post did that.')])
  await as(bea)(accounts.remove, { query: { userId: cleo.id } })
  expect((await told()).map(([name, title]) => [name, title])).toEqual([
    ['Ada', 'An admin was removed'],
    ['Bea', 'An admin was removed'],
  ])
})

test('every ADMIN of the service is told who becomes one of them', async () => {
  const second = await makePerson(service, 'ADMIN', { name: 'Second' })
  const eddie = await makePerson(service, 'Editor', { name: 'Eddie' })
  await change(second, eddie, { role: 'ADMIN' })
  expect((await told()).map(([name]) => name)).toEqual(['Eddie', 'Root', 'Second'])
})

test('every ADMIN is told when one is invited, once more, and when the invitation is taken', async () => {
  const email = `${randomUUID()}@invited.test`
  const body = { tenantId, lines: [email] }
  await as(ada)(invitations.send, { body: { ...body, role: 'QA', lines: [`${randomUUID()}@invited.test`] } })
  expect(await told()).toEqual([])
  await as(ada)(invitations.send, { body: { ...body, role: 'ADMIN' } })
  const invited = ['Somebody is invited to be an admin', expect.stringContaining('Ada did that.')]
  expect(await told()).toEqual([
    ['Ada', ...invited],
    ['Bea', ...invited],
  ])
  await rows(sql`update invitation set sent_at = sent_at - interval '1 hour' where email = ${email}`)
  const { items } = await as(ada)(invitations.list, { query: { wheres: [`email:eq:${email}`] } })
  await as(bea)(invitations.sendAgain, { params: { invitationId: items[0]!.id } })
  expect((await told()).map(([name, title]) => [name, title])).toEqual([
    ['Ada', invited[0]],
    ['Bea', invited[0]],
  ])
  const [mail] = await mailsTo(service, email)
  const token = /#invited=([\w-]+)/.exec(mail!.text)![1]!
  const password = 'Quiet-harbor-29x'
  await as(null)(invitations.open, { body: { token, name: 'Mal', password, passwordConfirmation: password } })
  const taken = await told()
  expect(taken.map(([name, title]) => [name, title])).toEqual([
    ['Ada', added],
    ['Bea', added],
    ['Mal', added],
  ])
  expect(taken[0]![2]).toContain('Bea did that.')
})

test('every ADMIN is told when an account that was there before takes an ADMIN’s invitation', async () => {
  const max = await makePerson(service, 'User', { name: 'Max' })
  const email = await addressOf(max)
  await as(ada)(invitations.send, { body: { tenantId, role: 'ADMIN', lines: [email] } })
  await told()
  const token = /#invited=([\w-]+)/.exec((await mailsTo(service, email))[0]!.text)![1]!
  await as(max)(invitations.accept, { body: { token } })
  expect((await told()).map(([name]) => name)).toContain('Max')
})
