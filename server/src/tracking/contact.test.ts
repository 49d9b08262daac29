import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { support } from '@clear-to-post/contract/support'
import { tracking } from '@clear-to-post/contract/tracking'
import { mostKept } from '@clear-to-post/domain/most-kept'
import { mailsTo, runNotices } from '../../test/mails.ts'
import { callAs, makePerson, makeTenant, openService, outcome, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('a letter of the contact form waits for the service’s admins, and their answer goes out by mail', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const local = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const addressOf = async (person: typeof admin) => (await callAs(service, person)(accounts.info, {})).email
  const body = { to: 'visitor@mail.test', subject: 'Teams', body: 'How much for ten?\n\nThanks' }
  const { result } = await callAs(service, null)(tracking.contact, { body })
  expect(result).toContain('Thank you')
  await runNotices(service)
  expect(await mailsTo(service, await addressOf(admin))).toMatchObject([
    { subject: 'A question waits for an answer', text: expect.stringContaining('contact form') },
  ])
  expect(await mailsTo(service, await addressOf(local))).toEqual([])
  expect((await callAs(service, local)(support.list, {})).items).toEqual([])

  const { items } = await callAs(service, admin)(support.list, {})
  expect(items).toMatchObject([
    { subject: 'Teams', guestEmail: 'visitor@mail.test', state: 'waiting', lastWords: 'How much for ten?\n\nThanks' },
  ])
  const at = { params: { threadId: items[0]!.id } }
  await callAs(service, admin)(support.reply, { ...at, body: { body: 'Ten seats are $900.' } })
  const [answer] = await mailsTo(service, 'visitor@mail.test')
  expect(answer).toMatchObject({ subject: 'Our answer: Teams', text: expect.stringContaining('Ten seats are $900.') })
  expect(answer!.text).toContain('A reply to this e-mail reaches nobody.')
  expect(answer!.text).toContain('/#contact')

  const form = await service.app.inject({
    method: 'POST',
    url: '/api/emails/public/send/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'subject=By+form&body=Words',
  })
  expect([form.statusCode, form.json()]).toEqual([200, { result }])
  const nameless = (await callAs(service, admin)(support.list, {})).items.find(({ subject }) => subject === 'By form')!
  expect(nameless.actions).toEqual(['assign', 'close'])
  const without = { params: { threadId: nameless.id }, body: { body: 'Who are you?' } }
  expect(await outcome(callAs(service, admin)(support.reply, without))).toBe('support.no-address')
})

test('one network sends twenty letters a day, and a thousand wait at most', async () => {
  const send = async (remoteAddress: string) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/api/emails/public/send/',
        remoteAddress,
        payload: { subject: 'Flood', body: 'Words' },
      })
    ).statusCode
  await service.database.asSystem((tx) =>
    tx.count(sql`
      insert into support_thread (subject, since, created_at)
      select 'Letter ' || n, now(), now() from generate_series(
        (select count(*)::integer + 2 from support_thread where person_id is null and state = 'waiting'), ${mostKept.waitingLetters}) n`),
  )
  expect(await send('198.51.100.7')).toBe(200)
  expect(await send('198.51.100.7')).toBe(429)
})
