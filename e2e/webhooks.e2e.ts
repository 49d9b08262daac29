import { expect, test } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import { openReceiver, type Answering, type Receiver } from '../server/test/webhook-receiver.ts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectFocusKept } from './focus.ts'
import { product, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

let receiver: Receiver
let answer: Answering | undefined
test.beforeAll(async () => void (receiver = await openReceiver(() => answer, product().webhookPort)))
test.afterAll(() => receiver.close())

test('an ADMIN adds a webhook by keyboard, sends a test, reads the log, sends it again and deletes the webhook', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const name = `CRM ${info.project.name}-${Date.now().toString(36)}`
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/people'))
  await admin.getByRole('link', { name: 'Webhooks' }).press('Enter')
  await admin.getByRole('button', { name: 'Add a webhook' }).first().press('Enter')
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add the webhook' }).press('Enter')
  await expect(dialog.getByText('Write the whole address')).toBeVisible()
  await expectClean(admin, 'a webhook without an address')
  await dialog.getByLabel('Address').fill(`${receiver.origin}/hook`)
  await dialog.getByLabel('Description').fill(name)
  await dialog.getByRole('button', { name: 'Choose all' }).press('Enter')
  await dialog.getByRole('button', { name: 'Add the webhook' }).press('Enter')
  await expect(dialog.getByText('it is shown only this once')).toBeVisible()
  const secret = await dialog.getByLabel('Secret').inputValue()
  await expectClean(admin, 'a new secret')
  await dialog.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await expectFocusKept(admin, 'a new secret')
  await admin.getByRole('link', { name }).press('Enter')
  await expect(admin.getByText('Nothing yet. Send a test')).toBeVisible()

  answer = (_one, response) => response.writeHead(500).end('Out of order')
  await admin.getByRole('button', { name: 'Send a test' }).press('Enter')
  const line = admin.getByRole('list', { name: 'Log' }).getByRole('listitem').first()
  await expect(line).toContainText('answered 500', { timeout: 20_000 })
  answer = undefined
  await expect(line).toContainText('Delivered', { timeout: 30_000 })
  const [first, second] = receiver.received
  expect(second!.id).toBe(first!.id)
  for (const { body, headers } of [first!, second!])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhook.test' })
  await expectClean(admin, 'the log of a webhook')
  await expectNoSidewaysScroll(admin, 'the log of a webhook')

  await line.getByRole('button', { name: 'Test' }).press('Enter')
  const attempts = dialog.getByRole('list', { name: 'Tries' }).getByRole('listitem')
  await expect(attempts).toHaveCount(2)
  await expect(attempts.last()).toContainText('Out of order')
  await expectClean(admin, 'a delivery')
  await dialog.getByRole('button', { name: 'Send again' }).press('Enter')
  await expect(attempts).toHaveCount(3, { timeout: 20_000 })
  expect(receiver.received[2]!.id).toBe(first!.id)
  await admin.keyboard.press('Escape')

  const menu = admin.getByRole('button', { name: `Actions for ${name}` })
  await menu.press('Enter')
  await admin.getByRole('menuitem', { name: 'New secret' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).press('Enter')
  await expect(dialog.getByText('two signatures')).toBeVisible()
  await dialog.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await menu.press('Enter')
  await admin.getByRole('menuitem', { name: 'Pause' }).press('Enter')
  await expect(admin.getByText('What happens is kept for 30 days and sent when you resume.')).toBeVisible()
  await expectClean(admin, 'a paused webhook')
  await menu.press('Enter')
  await admin.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(admin.getByText('The webhook is deleted')).toBeVisible()
  await expect(admin.getByRole('link', { name })).toHaveCount(0)
})
