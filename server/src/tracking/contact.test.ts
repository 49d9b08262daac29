import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { tracking } from '@clear-to-post/contract/tracking'
import { mailsTo } from '../../test/mails.ts'
import { callAs, makePerson, makeTenant, openService, type Service } from '../../test/service.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('the contact form sends a mail to the service’s admins, with the visitor as Reply-To', async () => {
  const admin = await makePerson(service, 'ADMIN')
  const local = await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service) })
  const addressOf = async (person: typeof admin) => (await callAs(service, person)(accounts.info, {})).email
  const body = { to: 'visitor@mail.test', subject: 'Teams', body: 'How much for ten?\n\nThanks' }
  const { result } = await callAs(service, null)(tracking.contact, { body })
  expect(result).toContain('Thank you')
  expect(await mailsTo(service, await addressOf(admin))).toMatchObject([
    {
      subject: 'Contact form: Teams',
      replyTo: 'visitor@mail.test',
      text: expect.stringContaining('visitor@mail.test wrote:\n\nHow much for ten?\n\nThanks'),
    },
  ])
  expect(await mailsTo(service, await addressOf(local))).toEqual([])

  const form = await service.app.inject({
    method: 'POST',
    url: '/api/emails/public/send/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'subject=By+form&body=Words',
  })
  expect([form.statusCode, form.json()]).toEqual([200, { result }])
  expect((await mailsTo(service, await addressOf(admin)))[0]!.text).toContain('Somebody who left no address wrote:')
})
