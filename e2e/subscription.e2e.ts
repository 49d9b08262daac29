import { expect, test, type APIRequestContext, type Locator, type Page, type Request } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { identity } from '@clear-to-post/contract/identity'
import { tenants } from '@clear-to-post/contract/tenants'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { callAs, callWith, clip, confirmAddress, signIn, signInAs, upload, url } from './people.ts'

/** A plan from the first payment to its end, on the sandbox's pages, while the test moves the sandbox's clock. */
test('an officer subscribes, uses a plan, changes, pauses and resumes it, recovers a failed charge and ends it', async ({
  browser,
  request,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'phone', 'one walk is enough: the pages are looked at in both sizes elsewhere')
  const { email, password, bearer } = await newOfficer(request)
  const page = await (await browser.newContext({ viewport: viewport! })).newPage()

  // Chosen on the front page, by way of sign-in, paid by a card that asks the bank, after one that was declined.
  await page.goto(url('/#plans'))
  await page.getByRole('link', { name: 'Choose Starter' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('You chose Starter, monthly: $99')).toBeVisible()
  await page.getByRole('button', { name: 'Go to payment' }).click()
  await expect(page.getByText('Sandbox: no money moves here')).toBeVisible()
  // Back, and on again: the first payment page is closed by the second.
  const first = page.url()
  await page.goBack()
  await page.getByRole('button', { name: 'Go to payment' }).click()
  await expect(page.getByText('Sandbox: no money moves here')).toBeVisible()
  const second = page.url()
  await page.goto(first)
  await expect(page.getByRole('alert')).toContainText('A newer payment page was opened')
  await page.goto(second)
  await pay(page, '4000 0000 0000 0002', 'Pay')
  await expect(page.getByRole('alert')).toContainText('declined')
  await pay(page, '4000 0025 0000 3155', 'Pay')
  await page.getByRole('button', { name: 'Yes, it is me' }).click()
  await expect(page).toHaveURL(/\/panel\/plan$/)
  await expect(page.getByRole('heading', { name: 'Starter', exact: true })).toBeVisible()
  await expect(page.getByText('0 of 4 videos used')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Receipt/ })).toHaveCount(1)

  // The month is used up: the next submission counts for the next month.
  const file = await clip('short', { seconds: 2 })
  const made = [1, 2, 3, 4].map((n) => submit(request, bearer, file, `Video ${n} of the plan`))
  for (const answer of await Promise.all(made)) expect(answer.status()).toBe(201)
  expect((await submit(request, bearer, file, 'One too many')).status()).toBe(409)
  await page.reload()
  await expect(page.getByText('4 of 4 videos used')).toBeVisible()
  await expect(page.getByText(/^All of this month’s videos are used/)).toBeVisible()
  await page.goto(url('/panel/new'))
  // The one too many waits where it was sent.
  await expect(page.getByText('short.mp4', { exact: true })).toBeVisible()
  await page.getByLabel('Title').fill('For the next month')
  // Before the form knows the months it would ask for this one.
  await expect(page.getByRole('button', { name: /4 of 4 left/ })).toBeVisible()
  await page.getByRole('button', { name: /^Submit/ }).click()
  await expect(page).toHaveURL(/\/panel\/projects\//, { timeout: 60_000 })
  await expect(page.getByText('Scheduled', { exact: true }).first()).toBeVisible()
  await page.goto(url('/panel/plan'))

  // One more beyond the plan.
  await page.getByRole('button', { name: /^Buy one more for \$24\.75/ }).click()
  await page.getByRole('button', { name: 'Pay $24.75' }).click()
  await expect(page.getByText('4 of 5 videos used')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Receipt/ })).toHaveCount(2)

  // Used, and its payment taken back by the bank: it is owed, and paid for before another one is sold.
  expect((await submit(request, bearer, file, 'Beyond the plan')).status()).toBe(201)
  await takeBack(email)
  await shows(page, page.getByText(/^Your bank took back what you paid for a video that you used\. Pay \$24\.75/))
  await expectClean(page, 'the plan with a video that is owed')
  await expectNoSidewaysScroll(page, 'the plan with a video that is owed')
  await expect(page.getByRole('button', { name: /^Buy one more/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Pay $24.75 for a used video' }).click()
  await expect(page.getByText(/No video is added\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Pay $24.75', exact: true }).click()
  await expect(page.getByText('Paid. That video is not owed any more.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Buy one more/ })).toBeVisible()
  await expect(page.getByText('5 of 5 videos used')).toBeVisible()

  // The difference is shown before it is charged, and no more than that: a press that was shown a dollar less is refused.
  const press = page.getByRole('button', { name: 'Change the plan now' })
  await page.route('**/api/subscriptions/plan/update/', (route) => route.continue(aDollarLess(route.request())), {
    times: 1,
  })
  await page.goto(url('/panel/plans?plan=plan_steady_month'))
  await expect(page.getByText(/You pay \$\d+(\.\d\d)? now/)).toBeVisible()
  const readAnew = Promise.all([
    page.waitForResponse((one) => one.url().endsWith('/plan/update/') && one.status() === 409),
    page.waitForResponse(/\/plan\/preview\//),
  ])
  await press.click()
  await expect(page.getByText(/^This costs something else by now: \$\d+.*Nothing was charged/)).toBeVisible()
  await readAnew
  await press.click()
  await expect(page).toHaveURL(/\/panel\/plan$/)
  await expect(page.getByRole('heading', { name: 'Steady', exact: true })).toBeVisible()
  await expect(page.getByText('5 of 11 videos used')).toBeVisible()

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
  await shows(page, page.getByText(/The last renewal was not paid/))
  await page.getByRole('button', { name: 'Update the card' }).click()
  await pay(page, '4242 4242 4242 4242', 'Use this card')
  await expect(page.getByText('ending in 4242')).toBeVisible()
  await shows(page, page.getByText(/^Renews on/))

  await openPortal(page)
  await page.getByRole('button', { name: 'End the plan with this period' }).click()
  await expect(page.getByRole('button', { name: 'Keep the plan' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to my panel' }).click()
  await expect(page.getByText(/^Ends on/)).toBeVisible()
  await passDays(request, 32)
  await shows(page, page.getByRole('heading', { name: 'No plan runs' }))
  expect((await request.get(url('/api/subscriptions/active/'), { headers: bearer })).status()).toBe(404)
  await page.context().close()
})

test('an officer without a company buys a plan for one, and an officer whose company pays is offered none', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'once is enough')
  const alone = await signInAs(browser, 'officer@other.test', 'demo-Clear2Post', { viewport: viewport! })
  await alone.goto(url('/panel/plans?plan=gone'))
  await expect(alone.getByText('The plan you chose is not on offer.')).toBeVisible()
  // By keyboard, in the page that is there: the choice is where one goes on.
  await alone.getByRole('radio', { name: 'Yearly' }).check({ force: true })
  await alone.getByRole('link', { name: 'Choose Steady' }).press('Enter')
  await expect(alone.getByRole('heading', { name: 'You chose Steady, yearly: $1,592', exact: true })).toBeFocused()
  await expect(alone.getByRole('radio', { name: 'Yearly' })).toBeChecked()
  await expect(alone.getByRole('button', { name: 'Go to payment' })).toBeVisible()
  await expect(alone.getByText(/seat/)).toHaveCount(0)
  await alone.context().close()

  const member = await signIn(browser, 'officer', { viewport: viewport! })
  await member.goto(url('/panel/plans'))
  await expect(member.getByText('Your plan is Team. Your company’s plan counts for you already.')).toBeVisible()
  await expect(member.getByRole('link', { name: /^Choose/ })).toHaveCount(0)
  await member.context().close()
})

test('an officer who pays and joins a company with a plan sees both, and ends their own beneath the company’s', async ({
  browser,
  request,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'phone', 'once is enough')
  const { email, password, bearer } = await newOfficer(request)
  const page = await signInAs(browser, email, password, { viewport: viewport! })
  await page.goto(url('/panel/plans?plan=plan_starter_month'))
  await page.getByRole('button', { name: 'Go to payment' }).click()
  await pay(page, '4242 4242 4242 4242', 'Pay')
  await expect(page.getByRole('heading', { name: 'Starter', exact: true })).toBeVisible()

  const company = await callAs('company')
  const { id: tenantId } = await company(tenants.me, {})
  const confirmed = await company(identity.confirm, { body: { password: 'demo-Clear2Post' } })
  const { inviteCode } = await callWith(confirmed.idToken)(tenants.inviteCode, { params: { tenantId } })
  const officer = callWith(bearer.authorization.replace('Bearer ', ''))
  const { idToken } = await officer(identity.confirm, { body: { password } })
  await callWith(idToken)(accounts.setup, { body: { invitationCode: inviteCode } })

  await page.goto(url('/panel/plan'))
  const own = page.getByRole('region', { name: 'Starter' })
  await expect(page.getByRole('region', { name: 'Team' })).toContainText('Your company pays for this plan')
  await expect(own).toContainText(
    'You pay for this plan yourself. While your company’s plan counts, it gives you nothing',
  )
  await expect(page.getByRole('button', { name: 'Card and invoices' })).toHaveCount(1)
  await expectClean(page, 'a plan beside the company’s')
  await expectNoSidewaysScroll(page, 'a plan beside the company’s')
  await openPortal(page)
  await page.getByRole('button', { name: 'End the plan with this period' }).click()
  await page.getByRole('link', { name: 'Back to my panel' }).click()
  await expect(own.getByText(/^Ends on/)).toBeVisible()
  await page.context().close()
})

const pay = async (page: Page, card: string, button: string) => {
  await page.getByLabel('Test card number').fill(card)
  await page.getByRole('button', { name: button }).click()
}

/** The provider's changes arrive as events, a moment later. */
const shows = (page: Page, what: Locator) =>
  expect(async () => {
    await page.goto(url('/panel/plan'))
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expect(what).toBeVisible({ timeout: 1000 })
  }).toPass()

const openPortal = async (page: Page) => {
  await page.getByRole('button', { name: 'Card and invoices' }).click()
  await expect(page.getByRole('heading', { name: 'Card and invoices' })).toBeVisible()
}

const passDays = async (request: APIRequestContext, days: number) => {
  expect((await request.post(url('/sandbox/clock'), { data: { days } })).ok()).toBe(true)
}

/** The bank of this payer takes back what they paid for a single video. */
const takeBack = async (email: string) => {
  const events = await behindItsBack(
    `with taken as (
      update sandbox_object set body = jsonb_set(body, '{disputed}', body->'price')
      where id in (select x.charge_id from extra_project x join person p on p.id = x.user_id where p.email = $1) returning id)
    insert into sandbox_event (id, type, object_id, created_at)
    select 'evt_' || gen_random_uuid(), 'charge.dispute.created', id, now() from taken`,
    [email],
  )
  expect(events).toBe(1)
}

/** Sends a video in, and asks for a project with it. */
const submit = async (request: APIRequestContext, headers: { authorization: string }, file: string, title: string) => {
  const id = await upload(headers.authorization.replace('Bearer ', ''), file)
  return request.post(url('/api/projects/create'), { headers, data: { title, assets: [id] } })
}

/** The same request as if its page had shown a dollar less. */
const aDollarLess = (request: Request) => {
  const { shown, ...body } = request.postDataJSON() as { shown: { due: number } }
  return { postData: JSON.stringify({ ...body, shown: { ...shown, due: shown.due - 100 } }) }
}

/** A new officer, so that no other person's plan changes; the token is that of the sign-up. */
const newOfficer = async (request: APIRequestContext) => {
  const email = `buyer-${Date.now()}@new.test`
  const password = 'Long-enough-1x'
  const made = await request.post(url('/api/accounts/public/create'), {
    data: { email, name: 'Bea Buyer', password, passwordConfirmation: password, profession: 'Loan officer' },
  })
  expect(made.ok()).toBe(true)
  const { token } = (await made.json()) as { token: string }
  const signedIn = await request.post(url('/identity/sign-in/custom-token'), { data: { token } })
  const { idToken } = (await signedIn.json()) as { idToken: string }
  await confirmAddress(request, email, idToken)
  return { email, password, bearer: { authorization: `Bearer ${idToken}` } }
}
