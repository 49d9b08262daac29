import { expect, test, type APIRequestContext, type Page } from '@playwright/test'
import { url } from './people.ts'

/** A plan from the first payment to its end, on the sandbox's pages, while the test moves the sandbox's clock. */
test('subscribe, buy one more, change, pause, resume, fail a renewal, recover, end', async ({
  browser,
  request,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'phone', 'one walk is enough: the pages are looked at in both sizes elsewhere')
  const { page, bearer } = await newOfficer(browser, request, viewport!)
  await page.goto(url('/panel/plan'))
  await expect(page.getByRole('heading', { name: 'No plan yet' })).toBeVisible()

  // Chosen on the front page, paid by a card that asks the bank, after one that was declined.
  await page.goto(url('/panel/plans?plan=plan_starter_month'))
  await page.getByRole('button', { name: 'Go to payment' }).click()
  await expect(page.getByText('Sandbox: no money moves here')).toBeVisible()
  await pay(page, '4000 0000 0000 0002', 'Pay')
  await expect(page.getByRole('alert')).toContainText('declined')
  await pay(page, '4000 0025 0000 3155', 'Pay')
  await page.getByRole('button', { name: 'Yes, it is me' }).click()
  await expect(page).toHaveURL(/\/panel\/plan$/)
  await expect(page.getByRole('heading', { name: 'Starter', exact: true })).toBeVisible()
  await expect(page.getByText('0 of 4 videos used')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Receipt/ })).toHaveCount(1)

  // One more beyond the plan.
  await page.getByRole('button', { name: /^Buy one more for \$24\.75/ }).click()
  await page.getByRole('button', { name: 'Pay $24.75' }).click()
  await expect(page.getByText('0 of 5 videos used')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Receipt/ })).toHaveCount(2)

  // The difference is shown before it is charged.
  await page.goto(url('/panel/plans?plan=plan_steady_month'))
  await expect(page.getByText(/You pay \$\d+(\.\d\d)? now/)).toBeVisible()
  await page.getByRole('button', { name: 'Change the plan now' }).click()
  await expect(page).toHaveURL(/\/panel\/plan$/)
  await expect(page.getByRole('heading', { name: 'Steady', exact: true })).toBeVisible()
  await expect(page.getByText('0 of 11 videos used')).toBeVisible()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText(/What is paid counts until/)).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText(/^Renews on/)).toBeVisible()

  // A card that fails at the renewal, and one that pays.
  await openPortal(page)
  await pay(page, '4000000000000341', 'Use this card')
  await expect(page.getByText('ending in 0341')).toBeVisible()
  await passDays(request, 32)
  await page.goto(url('/panel/plan'))
  await expect(page.getByText(/The last renewal was not paid/)).toBeVisible()
  await page.getByRole('button', { name: 'Update the card' }).click()
  await pay(page, '4242 4242 4242 4242', 'Use this card')
  await expect(page.getByText('ending in 4242')).toBeVisible()
  await page.goto(url('/panel/plan'))
  await expect(page.getByText(/^Renews on/)).toBeVisible()

  await openPortal(page)
  await page.getByRole('button', { name: 'End the plan with this period' }).click()
  await expect(page.getByRole('button', { name: 'Keep the plan' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to my panel' }).click()
  await expect(page.getByText(/^Ends on/)).toBeVisible()
  await passDays(request, 32)
  await page.goto(url('/panel/plan'))
  await expect(page.getByRole('heading', { name: 'No plan yet' })).toBeVisible()
  expect((await request.get(url('/api/subscriptions/active/'), { headers: bearer })).status()).toBe(404)
  await page.context().close()
})

const pay = async (page: Page, card: string, button: string) => {
  await page.getByLabel('Test card number').fill(card)
  await page.getByRole('button', { name: button }).click()
}

const openPortal = async (page: Page) => {
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await expect(page.getByRole('heading', { name: 'Card and invoices' })).toBeVisible()
}

const passDays = async (request: APIRequestContext, days: number) => {
  expect((await request.post(url('/sandbox/clock'), { data: { days } })).ok()).toBe(true)
}

/** Somebody of their own, so that nobody else's plan is moved; signed in by the token that signing up answers. */
const newOfficer = async (
  browser: import('@playwright/test').Browser,
  request: APIRequestContext,
  viewport: { width: number; height: number },
) => {
  const email = `buyer-${Date.now()}@new.test`
  const password = 'Long-enough-1x'
  const made = await request.post(url('/api/accounts/public/create'), {
    data: { email, name: 'Bea Buyer', password, passwordConfirmation: password, profession: 'Loan officer' },
  })
  expect(made.ok()).toBe(true)
  const { token } = (await made.json()) as { token: string }
  const signedIn = await request.post(url('/identity/sign-in/custom-token'), { data: { token } })
  const { idToken } = (await signedIn.json()) as { idToken: string }
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(url('/login'))
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/panel/)
  return { page, bearer: { authorization: `Bearer ${idToken}` } }
}
