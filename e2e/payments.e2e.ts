import { expect, test } from '@playwright/test'
import { identity } from '@clear-to-post/contract/identity'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, callWith, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('the service’s ADMIN finds a payment, gives a part of it back with a reason, and sees who has which plan', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const { items } = await api(subscriptions.payments, { query: { wheres: 'state:eq:paid' } })
  const payment = items.find(({ left = 0 }) => left > 200)!
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url(`/panel/payments?q=${encodeURIComponent(payment.payer.name)}`))
  await expect(admin.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible()
  await expectNoSidewaysScroll(admin, 'payments')
  await expectClean(admin, 'payments')
  const menu = admin.getByRole('button', { name: new RegExp(`Actions for .* of ${payment.payer.name.slice(0, 8)}`) })
  await menu.locator('visible=true').first().click()
  await admin.getByRole('menuitem', { name: 'Give back…' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('999999')
  await dialog.getByRole('button', { name: 'Give back' }).click()
  await expect(dialog.getByText(/Write an amount up to/)).toBeVisible()
  await expect(dialog.getByText('Say why, in a few words.')).toBeVisible()
  await expectClean(admin, 'giving back')
  await dialog.getByLabel('Amount').fill('1,50')
  await dialog.getByRole('button', { name: 'Give back' }).click()
  await expect(dialog.getByText(/dollars and cents with a dot/)).toBeVisible()
  await dialog.getByLabel('Amount').fill('1.25')
  await dialog.getByLabel('Why').fill(`A late video, ${info.project.name}`)
  // Somebody else answers the same complaint meanwhile: it is said, with what is left now, and given when pressed again.
  const [seen] = (
    await api(subscriptions.payments, { query: { wheres: [`payer:eq:${payment.payer.name}`] } })
  ).items.filter(({ id }) => id === payment.id)
  const { idToken } = await api(identity.confirm, { body: { password: 'demo-Clear2Post' } })
  await callWith(idToken)(subscriptions.giveBack, {
    params: { chargeId: payment.id },
    body: { amount: 10, way: 'credit', reason: 'Another admin', left: seen!.left! },
  })
  await dialog.getByRole('button', { name: 'Give back $1.25' }).click()
  await expect(dialog.getByText(/since you opened it/)).toBeVisible()
  await expect(dialog.getByText(/Another admin/).first()).toBeVisible()
  await expectClean(admin, 'giving back what changed')
  await dialog.getByRole('button', { name: 'Give back $1.25' }).click()
  await expect(admin.getByText(/\$1\.25 goes back to/)).toBeVisible()
  await expect(
    admin
      .getByText(/given back$/)
      .locator('visible=true')
      .first(),
  ).toBeVisible()

  // It stands with the payment, and is done in the background.
  await expect
    .poll(async () => {
      const after = (await api(subscriptions.payments, { query: { wheres: `payer:eq:${payment.payer.name}` } })).items
      return after.flatMap(({ refunds }) => refunds).some(({ state, amount }) => state === 'done' && amount === 125)
    })
    .toBe(true)

  await admin.getByRole('link', { name: 'Plans', exact: true }).first().click()
  await expect(admin).toHaveURL(/\/panel\/payments\/plans/)
  await expect(admin.getByRole('link', { name: payment.payer.name }).locator('visible=true').first()).toBeVisible()
  await expectNoSidewaysScroll(admin, 'plans')
  await expectClean(admin, 'plans')
  await admin.goto(url('/panel/payments?state=failed&q=nobody-at-all'))
  await expect(admin.getByText('No such payment')).toBeVisible()
  await admin.context().close()
})
