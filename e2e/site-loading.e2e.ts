import { expect, test, type Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** What the public pages load, how much, and that nothing moves meanwhile (docs/specification/pages.md). */

test('third-party tags load only when configured, after the page is interactive, and never against a refusal', async ({
  browser,
  viewport,
}) => {
  test.skip(viewport!.width < 600, 'the same at every width')
  const tag = url('/assets/tag-of-another.js')
  const visit = async (no: 'nothing' | 'dnt' | 'gpc' | 'refused' | 'not configured') => {
    const context = await browser.newContext({ viewport })
    if (no === 'dnt') await context.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }))
    if (no === 'gpc')
      await context.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
    if (no === 'refused') await context.addInitScript(() => localStorage.setItem('counting', 'refused'))
    const page = await context.newPage()
    let loadedAfter: Promise<string> | undefined
    await page.route(tag, async (route) => {
      loadedAfter = page.evaluate(() => document.readyState)
      await loadedAfter
      await route.fulfill({ contentType: 'text/javascript', body: '' })
    })
    // The page as the server writes it for an operator with configured tags.
    await page.route(url('/'), async (route) => {
      const answer = await route.fetch()
      const meta = no === 'not configured' ? '' : `<meta name="tag-list" content="${tag}">`
      await route.fulfill({ response: answer, body: (await answer.text()).replace('</title>', `</title>${meta}`) })
    })
    await page.goto(url('/'), { waitUntil: 'load' })
    await page.evaluate(() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 150))))
    if (no === 'nothing') await expect.poll(() => loadedAfter !== undefined).toBe(true)
    const state = await loadedAfter
    await context.close()
    return state
  }
  expect(await visit('nothing')).toBe('complete')
  for (const no of ['dnt', 'gpc', 'refused', 'not configured'] as const) expect(await visit(no), no).toBeUndefined()
})

test('the public pages stay within their size limits and do not shift', async ({ browser, viewport }) => {
  for (const [path, scripts] of [
    ['/', 2000],
    ['/login', 6000],
  ] as const) {
    const page = await (await browser.newContext({ viewport })).newPage()
    const line = await page.context().newCDPSession(page)
    await line.send('Network.enable')
    const weights = { document: 0, script: 0, font: 0, stylesheet: 0, image: 0 } as Record<string, number>
    const kinds = new Map<string, string>()
    line.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type.toLowerCase()))
    line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? ''
      weights[kind] = (weights[kind] ?? 0) + encodedDataLength
    })
    await page.goto(url(path), { waitUntil: 'load' })
    await page.evaluate(() => document.fonts.ready)
    // Scrolling before the first paint suppresses the “largest contentful paint” entry.
    await page.evaluate(
      () =>
        new Promise<void>((done) =>
          new PerformanceObserver(() => done()).observe({ type: 'largest-contentful-paint', buffered: true }),
        ),
    )
    // Some 350 bytes of each answer are its headers.
    expect(weights['document'], `${path} HTML`).toBeLessThan(15_000)
    expect(weights['font'], `${path} fonts`).toBeLessThan(24_000)
    // A phone's slow line brings 200 kB in a second: what is large or in one's way here is what makes the first view late.
    expect(weights['stylesheet'], `${path} style sheets`).toBeLessThan(9_500)
    expect(weights['image'], `${path} pictures`).toBeLessThan(20_000)
    const bodies = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ initiatorType, name }) => initiatorType === 'script' || name.endsWith('.js'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    )
    expect(bodies, `${path} scripts`).toBeLessThan(scripts)
    for (let y = 0; y < 8; y++) await page.mouse.wheel(0, 900)
    const { lcp, shift } = await seen(page)
    expect(shift, `${path} CLS`).toBeLessThanOrEqual(0.01)
    expect(lcp, `${path} LCP`).toBeGreaterThan(0)
    await page.context().close()
  }
})

test('before the sign-in app loads, typed text is kept and a press is repeated once', async ({ browser, viewport }) => {
  atOneScreen('phone')
  const page = await (await browser.newContext({ viewport })).newPage()
  let arrive = () => {}
  const line = new Promise<void>((resolve) => (arrive = resolve))
  let asked = 0
  await page.route('**/assets/take-over-*.js', async (route) => {
    asked++
    await line
    await route.continue()
  })
  let signIns = 0
  page.on('request', (request) => void (request.url().endsWith('/sign-in/password') && signIns++))
  await page.goto(url('/login?next=%2Fpanel%2Fplan'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' }).last()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Continue with Google/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    /next=%2Fpanel%2Fplan/,
  )
  expect(asked).toBe(0)
  await page.getByLabel('E-mail').fill('officer@demo.test')
  await page.getByLabel('Password', { exact: true }).fill('demo-Clear2Post')
  await page.keyboard.press('Enter')
  await expect.poll(() => asked).toBe(1)
  expect(signIns).toBe(0)
  arrive()
  await expect(page).toHaveURL(/\/panel\/plan$/)
  await expect(page).toHaveTitle('Plan · Clear to Post')
  expect(signIns).toBe(1)
  await page.context().close()

  // The page at rest has a style sheet of its own; the app takes its place without moving anything.
  const still = await (await browser.newContext({ viewport })).newPage()
  await still.goto(url('/login'))
  await still.evaluate(() => document.fonts.ready)
  const places = () =>
    still.locator('#root :is(a, button, input, label, h1, p)').evaluateAll((all) =>
      all
        .map((one) => ({ one, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
        .map(({ one, box: { x, y, width, height } }) => {
          const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(one)
          return [one.textContent, [x, y, width, height].map(Math.round), color, backgroundColor, fontSize, fontWeight]
        }),
    )
  const before = await places()
  await still.getByLabel('E-mail').press('Shift')
  // Only the page at rest has this one.
  await expect(still.locator('#unreachable')).toHaveCount(0)
  expect(await places()).toEqual(before)
  await still.context().close()

  // When the app fails to load, a message asks to press again.
  const lost = await (await browser.newContext({ viewport })).newPage()
  await lost.route('**/assets/take-over-*.js', (route) => route.abort())
  await lost.goto(url('/login'))
  await lost.getByLabel('E-mail').fill('officer@demo.test')
  await lost.getByLabel('Password', { exact: true }).fill('demo-Clear2Post')
  await lost.keyboard.press('Enter')
  await expect(lost.getByRole('alert')).toContainText('could not be reached')
  await lost.unroute('**/assets/take-over-*.js')
  await lost.keyboard.press('Enter')
  await expect(lost).toHaveURL(/\/panel$/)
  await lost.context().close()

  // Where not even the page's own script is there, what was typed goes nowhere, and stays.
  const bare = await (await browser.newContext({ viewport })).newPage()
  await bare.route('**/assets/*.js', (route) => route.abort())
  await bare.goto(url('/login'))
  const asks: string[] = []
  bare.on('request', (request) => void asks.push(request.url()))
  await bare.getByLabel('E-mail').fill('officer@demo.test')
  await bare.getByLabel('Password', { exact: true }).fill('demo-Clear2Post')
  await bare.keyboard.press('Enter')
  await bare.locator('form button[type=submit]').click()
  // What the form asked for would have gone out before this.
  await bare.evaluate(() => fetch('/login?after'))
  expect(asks.map((one) => new URL(one).search)).toEqual(['?after'])
  await expect(bare.getByLabel('Password', { exact: true })).toHaveValue('demo-Clear2Post')
  await bare.context().close()
})

test('a slowly arriving page with late fonts does not shift', async ({ browser, viewport }) => {
  atOneScreen('phone')
  const drops = createServer(async ({ url: path }, answer) => {
    const from = await fetch(url(path!))
    const type = from.headers.get('content-type') ?? ''
    answer.writeHead(from.status, { 'content-type': type })
    const body = Buffer.from(await from.arrayBuffer())
    if (type.startsWith('font/')) await sleep(1000)
    const size = type.startsWith('text/html') ? 1000 : body.length
    for (let at = 0; at < body.length; at += size, await sleep(size === 1000 ? 40 : 0))
      answer.write(body.subarray(at, at + size))
    answer.end()
  }).listen(0, '127.0.0.1')
  await once(drops, 'listening')
  const page = await (await browser.newContext({ viewport })).newPage()
  const { port } = drops.address() as { port: number }
  for (const path of ['/', '/login']) {
    await page.goto(`http://localhost:${port}${path}`, { waitUntil: 'load' })
    await page.evaluate(() => document.fonts.ready)
    const { shift, moved } = await seen(page)
    expect(shift, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(0.01)
  }
  await page.context().close()
  drops.close()
})

/** The largest picture's time in milliseconds, the sum of what moved unasked (CLS), and what it was that moved. */
const seen = (page: Page): Promise<{ lcp: number; shift: number; moved: string[] }> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        let [lcp, shift] = [0, 0]
        const moved: string[] = []
        type Shift = PerformanceEntry & { hadRecentInput: boolean; value: number; sources: { node: Node | null }[] }
        new PerformanceObserver((list) => list.getEntries().forEach((one) => (lcp = one.startTime))).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
        new PerformanceObserver((list) => {
          for (const one of list.getEntries() as Shift[]) {
            if (one.hadRecentInput) continue
            shift += one.value
            moved.push(...one.sources.map(({ node }) => `${node?.nodeName} ${node?.textContent?.trim().slice(0, 30)}`))
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done({ lcp, shift, moved }), 300)
      }),
  )
