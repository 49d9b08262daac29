import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { identity } from '@clear-to-post/contract/identity'
import { notifications } from '@clear-to-post/contract/notifications'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, callWith, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('the service’s ADMIN finds who changed what, takes it along as a file, and checks the chain', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const { idToken } = await api(identity.confirm, { body: { password: 'demo-Clear2Post' } })
  const title = '=Come back'
  const { id } = await callWith(idToken)(notifications.createTrigger, {
    body: {
      title,
      transportType: ['push'],
      notification: { title: 'A new week', body: 'Film one video' },
      timeOfDay: '09:00',
      timezone: 'America/New_York',
      criteria: { type: 'allUsers' },
    },
  })
  await callWith(idToken)(notifications.updateTrigger, { params: { id }, body: { timeOfDay: '10:30' } })

  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/board'))
  await admin.getByRole('link', { name: 'Audit log' }).click()
  await expect(admin.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  await admin.getByLabel('Name, address or value').fill('Come back')
  await expect(admin.getByRole('rowheader', { name: 'Trigger: changed · =Come back' })).toBeVisible()
  await expect(admin.getByRole('cell', { name: /Time of day: 09:00.*10:30/ })).toBeVisible()
  await expectNoSidewaysScroll(admin, 'the audit log')
  await expectClean(admin, 'the audit log')

  const download = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'As CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain('"Trigger: changed · =Come back"')
  // What somebody wrote is no formula in a spreadsheet.
  expect(text).not.toMatch(/"[=+@-]/)

  await admin.getByRole('button', { name: 'Check the chain' }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog.getByText(/entries were checked\. All are as they were written/)).toBeVisible()
  await expectClean(admin, 'the check of the chain')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await callWith(idToken)(notifications.deleteTrigger, { params: { id } })
  await admin.context().close()
})
