import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { openPushService, type PushService } from '../server/test/push-service.ts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { withNotifications } from './browsers.ts'
import { logOut, product, signIn, url } from './people.ts'

test.use({ launchOptions: withNotifications })

let service: PushService
test.beforeAll(async () => void (service = await openPushService(undefined, product().pushPort)))
test.afterAll(() => service.close())
// The card is the same at every width, and pages.e2e.ts looks at it on both.
test.beforeEach(({ viewport }) => test.skip(viewport!.width > 600, 'once is enough'))

type Browser = Awaited<ReturnType<PushService['subscribe']>>

/**
 * A browser of a test has no push service behind it: its subscription is made by ours, and what arrives there is handed
 * to the service worker as the browser would do it. Everything else is real.
 */
const withPushService = async (context: BrowserContext): Promise<() => Browser | undefined> => {
  let made: Browser | undefined
  await context.grantPermissions(['notifications'])
  await context.exposeFunction('subscribeAtService', async (key: string) => (made = await service.subscribe(key)))
  await context.addInitScript(() => {
    const note = 'test-subscription'
    const asSubscription = ({ endpoint, keys, key }: { endpoint: string; keys: object; key: string }) => ({
      endpoint,
      options: { applicationServerKey: Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0)).buffer },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => (localStorage.removeItem(note), true),
    })
    PushManager.prototype.subscribe = async function (options) {
      const bytes = new Uint8Array(options!.applicationServerKey as Uint8Array<ArrayBuffer>)
      const key = btoa(String.fromCharCode(...bytes))
      const ask = (globalThis as unknown as { subscribeAtService: (key: string) => Promise<Browser> })
        .subscribeAtService
      const { endpoint, keys } = await ask(key.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
      localStorage.setItem(note, JSON.stringify({ endpoint, keys, key }))
      return asSubscription({ endpoint, keys, key }) as unknown as PushSubscription
    }
    PushManager.prototype.getSubscription = async function () {
      const kept = localStorage.getItem(note)
      return kept === null ? null : (asSubscription(JSON.parse(kept)) as unknown as PushSubscription)
    }
  })
  return () => made
}

/** Hands a message to the service worker, as a browser does that got it from its push service. */
const deliver = async (page: Page, data: string) => {
  const devtools = await page.context().newCDPSession(page)
  const registration = new Promise<string>((found) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) found(registrations[0].registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registration,
    data,
  })
  await devtools.detach()
}
const shown = (page: Page) =>
  page.evaluate(async () => {
    const open = await (await navigator.serviceWorker.ready).getNotifications()
    return open.map(({ title, body, tag }) => ({ title, body, tag }))
  })

const shownAt = (page: Page) =>
  page.evaluate(async () => {
    const open = await (await navigator.serviceWorker.ready).getNotifications()
    return open.map((one) => (one as unknown as { timestamp: number }).timestamp)
  })

test('push notifications are switched on for a device, arrive, open the right page, and are switched off', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'officer', { viewport })
  const subscribed = await withPushService(page.context())
  await page.goto(url('/panel/profile'))
  const card = page.getByRole('region', { name: 'This device' })
  const onHere = card.getByRole('switch', { name: 'Show notifications on this device' })
  await expect(onHere).not.toBeChecked()
  expect(subscribed()).toBeUndefined()
  await card.getByText('Show notifications on this device').click()
  await expect(onHere).toBeChecked()
  await card.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => service.shownAt(subscribed()!)).toMatchObject([{ title: 'It works' }])

  const [message] = service.shownAt(subscribed()!)
  await deliver(page, JSON.stringify(message))
  await expect.poll(() => shown(page)).toEqual([{ title: 'It works', body: message!.body, tag: message!.id }])
  // A second delivery shows it again, once; after it was closed a third delivery shows nothing.
  const [first] = await shownAt(page)
  await deliver(page, JSON.stringify(message))
  await expect.poll(async () => (await shownAt(page)).map((at) => at > first!)).toEqual([true])
  await page.evaluate(async () => {
    for (const one of await (await navigator.serviceWorker.ready).getNotifications()) one.close()
  })
  await deliver(page, JSON.stringify(message))
  await expect.poll(() => shown(page)).toEqual([])

  // A press brings the open panel to the right page, without loading it anew.
  await page.evaluate(() => Object.assign(globalThis, { isStillHere: true }))
  await deliver(page, JSON.stringify({ ...message, id: 'another', url: '/panel/scripts' }))
  await expect.poll(() => shown(page)).toHaveLength(1)
  const [worker] = page.context().serviceWorkers()
  await worker!.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const [notification] = await scope.registration.getNotifications()
    dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }))
  })
  await expect(page).toHaveURL(/\/panel\/scripts$/)
  expect(await page.evaluate(() => 'isStillHere' in globalThis)).toBe(true)
  await expect.poll(() => shown(page)).toEqual([])

  await page.goto(url('/panel/profile'))
  await expect(onHere).toBeChecked()
  await expectClean(page, 'profile with notifications')
  await expectNoSidewaysScroll(page, 'profile with notifications')
  await card.getByText('Show notifications on this device').click()
  await expect(onHere).not.toBeChecked()
  await page.reload()
  await expect(onHere).not.toBeChecked()
  await page.context().close()
})

test('a device shows no notification any more of who logs out', async ({ browser, viewport }) => {
  const page = await signIn(browser, 'qa', { viewport })
  await withPushService(page.context())
  // Some time after it was shown a browser of a test puts a notification away by itself: who closed it is what counts.
  await page.addInitScript(() => {
    const { close } = Notification.prototype
    Notification.prototype.close = function () {
      document.documentElement.dataset['closed'] = this.title
      close.call(this)
    }
  })
  await page.goto(url('/panel/profile'))
  const card = page.getByRole('region', { name: 'This device' })
  await card.getByText('Show notifications on this device').click()
  await expect(card.getByRole('switch', { name: 'Show notifications on this device' })).toBeChecked()
  await deliver(page, JSON.stringify({ id: 'cut', title: 'A cut waits', body: 'Rates', url: '/panel/review' }))
  await expect.poll(() => shown(page)).toHaveLength(1)
  await logOut(page)
  await expect(page.locator('html')).toHaveAttribute('data-closed', 'A cut waits')
  await page.context().close()
})

test('a browser that blocks notifications shows what to do', async ({ browser, viewport }) => {
  const page = await signIn(browser, 'editor', { viewport })
  await page.goto(url('/panel/profile'))
  const card = page.getByRole('region', { name: 'This device' })
  // A test browser denies permissions that were not granted.
  await card.getByText('Show notifications on this device').click()
  await expect(card.getByRole('status')).toContainText('Your browser blocks notifications from this site.')
  await expect(card.getByRole('switch')).toHaveCount(0)
  await page.context().close()
})
