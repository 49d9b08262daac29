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
  await admin.getByRole('menuitem', { name: 'Refund…' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('999999')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog.getByText(/Write an amount up to/)).toBeVisible()
  await expect(dialog.getByText('Say why, in a few words.')).toBeVisible()
  await expectClean(admin, 'giving back')
  await dialog.getByLabel('Amount').fill('1,50')
  await dialog.getByRole('button', { name: 'Refund' }).click()
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
  await dialog.getByRole('button', { name: 'Refund $1.25' }).click()
  await expect(dialog.getByText(/since you opened it/)).toBeVisible()
  await expect(dialog.getByText(/Another admin/).first()).toBeVisible()
  await expectClean(admin, 'giving back what changed')
  await dialog.getByRole('button', { name: 'Refund $1.25' }).click()
  await expect(admin.getByText(/\$1\.25 goes back to/)).toBeVisible()
  await expect(
    admin
      .getByText(/refunded$/)
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

test('the service’s ADMIN sells a product, raises its price for new subscriptions alone, takes it off sale and back', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const name = `Solo ${info.project.name} ${info.parallelIndex}`
  const code = `TRY${info.parallelIndex}${Date.now() % 100_000}`
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/payments'))
  await admin.getByRole('link', { name: 'What we sell' }).click()

  // A coupon first: what is wrong is said at its field.
  await admin.getByRole('button', { name: 'New coupon' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make coupon' }).click()
  await expect(dialog.getByText('Use 3 to 40 letters, digits, - or _.').last()).toBeVisible()
  await expectClean(admin, 'a new coupon')
  await dialog.getByRole('textbox', { name: 'Code' }).fill(code)
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('10')
  await dialog.getByLabel('For how many months').fill('3')
  await dialog.getByRole('button', { name: 'Make coupon' }).click()
  await expect(admin.getByText(`${code} can be used now`)).toBeVisible()
  const coupons = admin.getByRole('region', { name: 'Coupons' })
  const line = coupons.getByRole(viewport!.width > 600 ? 'row' : 'listitem').filter({ hasText: code })
  await expect(line).toContainText('10% off for 3 months')

  await admin.getByRole('link', { name: 'New product' }).click()
  await admin.getByLabel('Name', { exact: true }).fill(name)
  await admin.getByRole('button', { name: 'Sell it' }).click()
  await expect(admin.getByText(/Write dollars and cents with a dot/)).toBeVisible()
  await admin.getByRole('textbox', { name: 'Price' }).fill('49')
  await admin.getByRole('button', { name: 'Coupon' }).click()
  await admin.getByRole('option', { name: code }).click()
  // The card as it will stand on the public page.
  const preview = admin.getByRole('region', { name: 'On the public page' })
  await expect(preview.getByText('$44.10').filter({ visible: true })).toBeVisible()
  await expect(preview.getByText('For 3 months, then $49 a month').filter({ visible: true })).toBeVisible()
  await expectClean(admin, 'a new product')
  await admin.getByRole('button', { name: 'Sell it' }).click()
  await expect(admin.getByText(`${name} is on sale`)).toBeVisible()
  const sold = async () => (await api(subscriptions.publicProducts, {})).find((one) => one.name === name)
  const [plan] = (await sold())!.plans
  expect(plan).toMatchObject({ price: 4900, offer: { percentOff: 10, periods: 3 } })

  // A new price is another plan; the one before is listed with who has it.
  await admin.getByRole('textbox', { name: 'Price' }).fill('59')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved. It is so on the public page now.')).toBeVisible()
  await expect(admin.getByRole('region', { name: 'Earlier plans' }).getByText('$49 a month')).toBeVisible()
  expect((await sold())!.plans.map(({ price }) => price)).toEqual([5900])
  await expectClean(admin, 'a product with an earlier plan')
  await expectNoSidewaysScroll(admin, 'a product')

  await admin.getByRole('link', { name: 'To what we sell' }).click()
  await admin.getByRole('button', { name: `Actions for ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Take off sale' }).click()
  await expect(admin.getByText(`${name} is no longer on sale. Who has it keeps it.`)).toBeVisible()
  expect(await sold()).toBeUndefined()
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText(`${name} is on sale again`)).toBeVisible()
  expect(await sold()).toBeDefined()

  // Other journeys see three products.
  await admin.getByRole('button', { name: `Actions for ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Take off sale' }).click()
  await expect.poll(sold).toBeUndefined()
  await admin.getByRole('button', { name: `Actions for ${code}` }).click()
  await admin.getByRole('menuitem', { name: 'Retire' }).click()
  await expectClean(admin, 'retiring a coupon')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Retire' }).click()
  await expect(admin.getByText(`${code} is retired`)).toBeVisible()
  await admin.context().close()
})
