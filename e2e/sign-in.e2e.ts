import { randomUUID } from 'node:crypto'
import { expect, test, type APIRequestContext, type Browser, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { violationsIn } from './axe.ts'
import { confirmAddress, logOut, url } from './people.ts'
import { atOneScreen } from './screens.ts'

const password = 'kettle-drum-41'

/** A new officer, with nothing but a password; answers the address and a custom token. */
const newOfficer = async (request: APIRequestContext, invitationCode?: string) => {
  const email = `${randomUUID()}@journey.test`
  const response = await request.post(url('/api/accounts/public/create'), {
    data: {
      email,
      name: 'Nora Journey',
      password,
      passwordConfirmation: password,
      ...(invitationCode ? { invitationCode } : {}),
    },
  })
  const { token } = (await response.json()) as { token: string }
  const signedIn = await request.post(url('/identity/sign-in/password'), { data: { email, password } })
  const { idToken } = (await signedIn.json()) as { idToken?: string }
  // A person who must set up a second step has no session yet.
  if (idToken !== undefined) await confirmAddress(request, email, idToken)
  return { email, token }
}
const codeOf = (key: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(/\s/g, '')) }).generate({ timestamp: at })
const keyOn = (page: Page) => page.getByLabel('Key for your authenticator app').innerText()
/** What a page asks of the device at the moment. */
type Asking = typeof globalThis & { passkeyAsked?: string | undefined; beforePasskey: () => Promise<void> }

const typePassword = async (page: Page, email: string) => {
  await page.goto(url('/login'))
  // The first field has the focus, so no mouse is needed.
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}
const isClean = async (page: Page, part = 'body') => {
  const size = page.viewportSize()!
  // Tall enough that no button is covered by a fixed bar.
  if (part !== 'body') await page.setViewportSize({ ...size, height: 2400 })
  expect(await violationsIn(page, { include: part })).toEqual([])
  await page.setViewportSize(size)
}
const newPage = async (browser: Browser, viewport: { width: number; height: number } | null) =>
  (await browser.newContext({ viewport })).newPage()

test('a protected page leads to sign-in with Google in a popup, and opens afterwards', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await newPage(browser, viewport)
  await page.route('**/identity/refresh', async (route) => {
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeVisible()
    await route.continue()
  })
  await page.goto(url('/panel/new?from=link'))
  await expect(page).toHaveURL(/\/login\?next=/)
  await isClean(page)
  // A custom token that is none, and a walk to Google that is broken off: logged, and no word in the page
  // (docs/specification/failures.md).
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  const { search } = new URL(page.url())
  await page.goto(url(`/login${search}#token=none`))
  await page.getByRole('button', { name: 'Sign in on this device' }).click()
  await expect.poll(() => logged.filter((words) => /custom token was not accepted/.test(words)).length).toBe(1)
  const given = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await (await given).getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => logged.filter((words) => /google ended: access_denied/.test(words)).length).toBe(1)
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0)
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)

  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const window = await opened
  await expect(window.getByText('Sandbox', { exact: true })).toBeVisible()
  await isClean(window)
  await window.getByLabel('E-mail').fill(`${randomUUID()}@sandbox.test`)
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Continue' }).click()
  await closed
  await expect(page).toHaveURL(/\/panel\/new\?from=link$/)

  // Another tab is signed in automatically, and signed out with the first.
  const tab = await page.context().newPage()
  await tab.goto(url('/panel/profile'))
  await expect(tab.getByRole('heading', { name: 'Security' })).toBeVisible()
  await expect(tab.getByText(/Connected as .*@sandbox\.test/)).toBeVisible()
  await logOut(page)
  await expect(tab).toHaveURL(/\/login/)
  await page.context().close()
})

test(
  'Apple sign-in without popups returns to the same page, and a known address is asked to connect',
  { tag: '@long' },
  async ({ browser, viewport, request }) => {
    test.skip(viewport!.width > 600, 'windows are blocked on phones, if anywhere')
    const { email } = await newOfficer(request)
    const page = await newPage(browser, viewport)
    await page.addInitScript(() => (window.open = () => null))
    const signUp = async (address: string) => {
      await page.goto(url('/login?next=https://evil.example/'))
      await page.getByRole('button', { name: 'Continue with Apple' }).click()
      await expect(page).toHaveURL(/\/dev\/sign-in\//)
      await page.getByLabel('E-mail').fill(address)
      await page.getByRole('button', { name: 'Continue' }).click()
    }
    await signUp(email)
    await expect(page.getByRole('alert')).toContainText('Sign in with your password, then connect it')
    await signUp(`${randomUUID()}@sandbox.test`)
    await expect(page).toHaveURL(/\/panel$/)
    expect(page.url()).not.toContain('#')
    await page.context().close()
  },
)

test(
  'an authenticator app and a passkey are set up in the profile and asked for at sign-in, by keyboard',
  { tag: '@long' },
  async ({ browser, viewport, request }) => {
    test.skip(viewport!.width < 600, 'a phone has no keyboard')
    const { email, token } = await newOfficer(request)
    const page = await newPage(browser, viewport)
    let beforePasskey = async () => {}
    await page.exposeFunction('beforePasskey', () => beforePasskey())
    await page.addInitScript(() => {
      const get = navigator.credentials.get.bind(navigator.credentials)
      const asking = globalThis as Asking
      navigator.credentials.get = async (options) => {
        if (options?.mediation === undefined) await asking.beforePasskey()
        asking.passkeyAsked = options?.mediation ?? 'now'
        return get(options).finally(() => (asking.passkeyAsked = undefined))
      }
    })
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(url('/login'))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByText('No passkey was used.')).toBeVisible()
    await page.goto(url(`/login?next=/panel/profile#token=${token}`))
    await page.getByRole('button', { name: 'Sign in on this device' }).click()
    await expect(page).toHaveURL(/\/panel\/profile$/)
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    const key = await keyOn(page)
    await page.getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This code is not right.')).toBeVisible()
    await page.getByLabel('Code from the app').fill(codeOf(key))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    const recovery = await codes.first().innerText()
    await isClean(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await expect(page.getByRole('button', { name: /^Remove: Passkey/ })).toBeVisible()
    await isClean(page, '[aria-labelledby=security]')
    // From here on the test confirms on the device explicitly.
    const touched = (enabled: boolean) =>
      device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    await touched(false)
    await logOut(page)

    await typePassword(page, email)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await expect(page.getByLabel('Code from the app')).toBeFocused()
    await isClean(page)
    await page.keyboard.type('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByText('This code is not right.')).toBeVisible()
    await expect(page.getByLabel('Code from the app')).toBeFocused()
    // The code of the set-up was taken: the next one counts already.
    await page.keyboard.type(codeOf(key, Date.now() + 30_000))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/panel$/)
    await logOut(page)

    await typePassword(page, email)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.keyboard.type(recovery.toLowerCase())
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/panel$/)
    await logOut(page)

    // The device answers requests made after a confirmation; the field's autofill request is already open.
    await expect.poll(() => page.evaluate(() => (globalThis as Asking).passkeyAsked)).toBe('conditional')
    // It confirms after the press has ended that request and before the next one, which the page does not show.
    beforePasskey = () => touched(true).then(() => {})
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page).toHaveURL(/\/panel/)
    await touched(false)
    await logOut(page)

    // A browser that autofills addresses offers the passkey too, only after the form was touched.
    await touched(true)
    await page.goto(url('/login'))
    await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username webauthn')
    await page.keyboard.type('n')
    await expect(page).toHaveURL(/\/panel/)
    await page.goto(url('/panel/profile'))
    await expect(page.getByText('9 codes left')).toBeVisible()
    await page.getByRole('button', { name: 'Remove: Authenticator app' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
    await page.context().close()
  },
)

test('a sign-in link asks before it signs in, and says so when somebody is signed in already', async ({
  browser,
  viewport,
  request,
}) => {
  atOneScreen('phone')
  const [mine, theirs] = [await newOfficer(request), await newOfficer(request)]
  const page = await newPage(browser, viewport)
  const isHere = (email: string) => page.getByRole('main').getByText(email)
  let redeemed = 0
  page.on('request', (sent) => void (sent.url().endsWith('/custom-token') && (redeemed += 1)))
  await page.goto(url(`/login?next=/panel/profile#token=${mine.token}`))
  await expect(page.getByRole('heading', { name: 'Sign in on this device' })).toBeFocused()
  expect(new URL(page.url()).hash).toBe('')
  await isClean(page)
  expect(redeemed).toBe(0)
  await page.getByRole('button', { name: 'Sign in on this device' }).press('Enter')
  await expect(page).toHaveURL(/\/panel\/profile$/)
  await expect(isHere(mine.email)).toBeVisible()

  // A stranger's link changes nothing until the person confirms.
  await page.goto(url(`/login#token=${theirs.token}`))
  await expect(page.getByRole('heading', { name: 'Switch accounts?' })).toBeFocused()
  expect(new URL(page.url()).hash).toBe('')
  await expect(page.getByText(`(${mine.email})`)).toBeVisible()
  await isClean(page)
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page).toHaveURL(/\/panel$/)
  expect(redeemed).toBe(1)
  await page.goto(url(`/login?next=/panel/profile#token=${theirs.token}`))
  await page.getByRole('button', { name: 'Switch to the account of the link' }).click()
  await expect(page).toHaveURL(/\/panel\/profile$/)
  await expect(isHere(theirs.email)).toBeVisible()
  await page.context().close()
})

test('a page that the browser kept whole shows nothing more of who has left meanwhile, or whose place somebody took', async ({
  browser,
  viewport,
  request,
}) => {
  atOneScreen('phone')
  const [mine, theirs] = [await newOfficer(request), await newOfficer(request)]
  const other = await newPage(browser, viewport)
  const kept = await other.context().newPage()
  // Some browsers hand such a page nothing of what other tabs said while it lay there.
  await kept.addInitScript(() => {
    BroadcastChannel.prototype.addEventListener = () => {}
  })
  const isShownAgain = () =>
    kept.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  const isHere = (email: string) => kept.getByRole('main').getByText(email)
  await typePassword(other, mine.email)
  await expect(other).toHaveURL(/\/panel$/)
  await kept.goto(url('/panel/profile'))
  await expect(isHere(mine.email)).toBeVisible()

  await other.goto(url(`/login#token=${theirs.token}`))
  await other.getByRole('button', { name: 'Switch to the account of the link' }).click()
  await expect(other).toHaveURL(/\/panel$/)
  await expect(isHere(mine.email)).toBeVisible()
  await isShownAgain()
  await expect(isHere(theirs.email)).toBeVisible()
  await expect(isHere(mine.email)).toHaveCount(0)

  await logOut(other)
  await expect(isHere(theirs.email)).toBeVisible()
  await isShownAgain()
  await expect(kept).toHaveURL(/\/login/)
  await expect(kept.getByLabel('E-mail')).toBeVisible()
  await other.context().close()
})

test(
  'a sign-out that the service cannot answer is said and repeated, and nobody is signed in meanwhile',
  { tag: '@long' },
  async ({ page, request }) => {
    atOneScreen('phone')
    const { email } = await newOfficer(request)
    await typePassword(page, email)
    await expect(page).toHaveURL(/\/panel$/)
    await page.route('**/identity/sign-out', (route) => route.fulfill({ status: 503, json: {} }))
    await logOut(page)
    await expect(page.getByText('We cannot reach the service to end your session.')).toBeVisible()
    await page.goto(url('/panel'))
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByText('We cannot reach the service to end your session.')).toBeVisible()
    await page.unroute('**/identity/sign-out')
    await expect(page.getByText('We cannot reach the service to end your session.')).toHaveCount(0)
    await page.goto(url('/panel'))
    await expect(page).toHaveURL(/\/login/)
    await expect(page.getByLabel('E-mail')).toBeVisible()
  },
)

test(
  'a company that requires a second factor leads its people through setting one up',
  { tag: '@long' },
  async ({ browser, viewport, request }) => {
    test.skip(viewport!.width > 600, 'the same at every width')
    const admin = await request.post(url('/identity/sign-in/password'), {
      data: { email: 'admin@demo.test', password: 'demo-Clear2Post' },
    })
    const { idToken } = (await admin.json()) as { idToken: string }
    const made = await request.put(url('/api/tenants/create'), {
      data: { name: 'Careful Lending', requireSecondFactor: true },
      headers: { authorization: `Bearer ${idToken}` },
    })
    const { inviteCode } = (await made.json()) as { inviteCode: string }
    const { email } = await newOfficer(request, inviteCode)
    const page = await newPage(browser, viewport)
    await typePassword(page, email)
    await expect(page.getByRole('heading', { name: 'Make your sign-in safer' })).toBeVisible()
    await isClean(page)
    await page.getByRole('button', { name: 'Use an authenticator app' }).click()
    await page.getByLabel('Code from the app').fill(codeOf(await keyOn(page)))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await expect(page).toHaveURL(/\/panel$/)
    await page.context().close()
  },
)

test(
  'a session handed over to another device asks for password and code before a protected change',
  { tag: '@long' },
  async ({ page, request }) => {
    atOneScreen('phone')
    const { email } = await newOfficer(request)
    const signedIn = await request.post(url('/identity/sign-in/password'), { data: { email, password } })
    const { idToken } = (await signedIn.json()) as { idToken: string }
    const headers = { authorization: `Bearer ${idToken}` }
    const started = await request.post(url('/identity/security/totp/start'), { headers, data: {} })
    const { secret } = (await started.json()) as { secret: string }
    const added = await request.post(url('/identity/security/totp'), { headers, data: { code: codeOf(secret) } })
    const { recoveryCodes } = (await added.json()) as { recoveryCodes: string[] }
    const handedOver = await request.post(url('/api/accounts/user/createToken/'), { headers })
    await page.goto(((await handedOver.json()) as { url: string }).url)
    await page.getByRole('button', { name: 'Sign in on this device' }).click()
    await expect(page).toHaveURL(/\/panel/)
    await page.goto(url('/panel/profile'))
    await page.getByRole('button', { name: 'Make a calendar link' }).click()
    const isItYou = page.getByRole('dialog', { name: 'Is it you?' })
    const code = isItYou.getByLabel('Code from the app')
    await expect(code).toBeVisible()
    await expect(isItYou.getByLabel('Password', { exact: true })).toBeFocused()
    await isClean(page, '[role=dialog]')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(isItYou.getByText('Write the six digits from your app, or a recovery code.')).toBeVisible()
    await expect(code).toBeFocused()
    // The code that set the app up was used.
    await page.keyboard.type('not-a-code')
    await page.keyboard.press('Enter')
    await expect(isItYou.getByText('This code is not right.')).toBeVisible()
    await code.fill(recoveryCodes[0]!)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Copy the link' })).toBeVisible()
    await expect(isItYou).toHaveCount(0)
  },
)
