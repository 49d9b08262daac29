import { expect, test, type Page } from '@playwright/test'
import { clip, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** docs/specification/pages.md and failures.md, sentence by sentence, measured in the page. */

const links = [
  ['Home', '/#home'],
  ['How it Works', '/#how-it-works'],
  ['Testimonies', '/#testimonies'],
  ['Plans', '/#plans'],
  ['FAQ', '/#faq'],
] as const

test('without JavaScript the front page is complete, with sections, prices, samples and contact form', async ({
  browser,
  viewport,
  request,
}) => {
  atOneScreen('phone')
  const context = await browser.newContext({ viewport, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(url('/'))
  for (const [, anchor] of links) await expect(page.locator(anchor.slice(1))).toBeVisible()
  for (const label of ['What you send', 'What you get']) {
    const above = await page.getByText(label, { exact: true }).boundingBox()
    expect(above!.y + 150, `${label} stands above the fold`).toBeLessThan(viewport!.height)
  }
  for (const name of ['before', 'after']) {
    const poster = await page.locator(`video[data-clip=${name}]`).getAttribute('poster')
    expect((await request.get(url(poster!))).headers()['content-type']).toBe('image/avif')
  }
  const products = (await (await request.get(url('/api/subscriptions/products/public/list/'))).json()) as {
    name: string
    plans: { price: number; interval: string }[]
  }[]
  const cards = page.locator('#plan-list > ul > li')
  await expect(cards).toHaveCount(products.length)
  const shown = () => cards.locator('[data-period]:visible .font-display').allInnerTexts()
  const priced = (interval: string) =>
    products.map(
      ({ plans }) => `$${(plans.find((plan) => plan.interval === interval)!.price / 100).toLocaleString('en-US')}`,
    )
  // In the order of the products call, monthly by default.
  expect(await cards.locator('h3').allInnerTexts()).toEqual(products.map(({ name }) => name))
  expect(await shown()).toEqual(priced('month'))
  await page.getByText('Yearly', { exact: true }).click()
  expect(await shown()).toEqual(priced('year'))
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
  await expect(page.getByRole('contentinfo')).toContainText(`© ${new Date().getFullYear()}`)
  await page.getByText('What do I need to record?').click()
  await expect(page.getByText('MP4 and MOV')).toBeVisible()
  await page.getByLabel('Your e-mail').fill('visitor@mail.test')
  await page.getByLabel('Your message').fill('How much for ten?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page).toHaveURL(/#contact-sent$/)
  await expect(page.getByText('Your message is on its way')).toBeVisible()
  await context.close()
})

test(
  'the header has its variants, logo, links, avatar menu and sign-out',
  { tag: '@long' },
  async ({ browser, viewport }) => {
    const isWide = viewport!.width >= 768
    const page = await (await browser.newContext({ viewport })).newPage()
    await page.goto(url('/'))
    const header = page.getByRole('banner')
    const logo = header.getByRole('link', { name: /home/ }).first()
    expect((await logo.locator('> span').boundingBox())!.width).toBe(120)
    await expect(logo).toHaveAttribute('href', '/')
    await expect(header.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    // The two variants change at the medium breakpoint, to the pixel.
    for (const [width, mobile] of [
      [767, true],
      [768, false],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await expect(header.getByRole('button', { name: 'Menu' })).toBeVisible({ visible: mobile })
      await expect(header.getByRole('navigation').getByRole('link', { name: 'Plans' })).toBeVisible({
        visible: !mobile,
      })
    }
    // A large screen is used, and the logo keeps its measure.
    await page.setViewportSize({ width: 2560, height: 1440 })
    await expect.poll(async () => (await page.locator('#home').boundingBox())!.width).toBeGreaterThan(1500)
    expect((await logo.locator('> span').boundingBox())!.width).toBe(120)
    await page.setViewportSize(viewport!)
    if (!isWide) await header.getByRole('button', { name: 'Menu' }).click()
    const menu = isWide ? header : page.locator('#menu')
    for (const [name, to] of links)
      await expect(menu.getByRole('link', { name, exact: true })).toHaveAttribute('href', to)
    await menu.getByRole('link', { name: 'Plans', exact: true }).click()
    await expect(page).toHaveURL(/#plans$/)
    await expect(page.locator('#menu')).toBeHidden()
    await expect(page.locator('#plans')).toBeInViewport()
    await page.context().close()

    const officer = await signIn(browser, 'officer', { viewport })
    await enterPanel(officer)
    // While it is being determined neither shows.
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await officer.route('**/identity/refresh', async (route) => {
      await asked
      await route.continue()
    })
    // The page may ask before it has loaded as a whole.
    const determining = officer.waitForRequest('**/identity/refresh')
    await officer.goto(url('/'))
    const banner = officer.getByRole('banner')
    const account = banner.getByRole('button', { name: /^Your account/ })
    await determining
    await expect(banner.getByRole('link', { name: 'Sign In' })).toBeHidden()
    await expect(account).toHaveCount(0)
    answer()
    const open = isWide ? account : banner.getByRole('button', { name: 'Menu' })
    await open.click()
    const opened = officer.locator(isWide ? '#account-menu' : '#menu')
    await expect(opened.getByText('Olivia Hart')).toBeVisible()
    await expect(opened.getByText('officer@demo.test')).toBeVisible()
    await expect(opened.getByRole('link', { name: 'Panel' })).toHaveAttribute('href', '/panel')
    if (isWide) expect((await account.innerText()).trim()).toMatch(/^[A-Z]$/)
    await officer.mouse.click(5, viewport!.height - 5)
    await expect(opened).toBeHidden()
    await open.click()
    await officer.keyboard.press('Escape')
    await expect(opened).toBeHidden()
    await officer.route('**/api/accounts/user/info', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ json: { ...(await answer.json()), photoUrl: '/icons/icon-192.png' } })
    })
    await officer.reload()
    await open.click()
    const photo = officer.locator(isWide ? '#account button img' : '#menu img')
    await expect.poll(() => photo.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(192)
    await opened.getByRole('button', { name: 'Logout' }).click()
    await expect(opened).toBeHidden()
    await expect(banner.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(account).toHaveCount(0)
    await officer.context().close()
  },
)

test(
  'the footer’s Home scrolls to the top, sections reveal at a tenth, and nothing stays hidden without scripts',
  { tag: '@long' },
  async ({ browser, viewport }) => {
    test.skip(viewport!.width < 600, 'the same at every width')
    const page = await (await browser.newContext({ viewport })).newPage()
    await page.goto(url('/'))
    const reveals = page.locator('[data-reveal]')
    const look = await reveals.evaluateAll((all) =>
      all.map((one) => {
        const { opacity, translate } = getComputedStyle(one.firstElementChild!)
        return {
          type: one.dataset.reveal,
          to: one.dataset.direction,
          waits: 'waiting' in one.dataset,
          opacity,
          translate,
        }
      }),
    )
    const from = { up: '0px 100px', down: '0px -100px', left: '100px', right: '-100px' } as Record<string, string>
    expect(look.length).toBeGreaterThan(5)
    for (const { type, to, waits, opacity, translate } of look) {
      expect(waits).toBe(true)
      expect(opacity).toBe(type === 'slide' ? '1' : '0')
      expect(translate).toBe(type === 'fade' ? 'none' : from[to!])
    }
    // Every type in every direction, on a piece that waits.
    const every = await reveals.last().evaluate((one) => {
      const seen: Record<string, string[]> = {}
      for (const type of ['slide', 'fade', 'slideFade'])
        for (const direction of ['up', 'down', 'left', 'right']) {
          Object.assign(one.dataset, { reveal: type, direction })
          const { opacity, translate } = getComputedStyle(one.firstElementChild!)
          seen[`${type} ${direction}`] = [opacity, translate]
        }
      return seen
    })
    for (const [direction, place] of Object.entries(from)) {
      expect(every[`slide ${direction}`]).toEqual(['1', place])
      expect(every[`fade ${direction}`]).toEqual(['0', 'none'])
      expect(every[`slideFade ${direction}`]).toEqual(['0', place])
    }
    // To the pixel before a tenth, and a little behind it.
    const first = reveals.first()
    const scrollTo = (part: number) =>
      first.evaluate((one, part) => {
        const { top, height } = one.getBoundingClientRect()
        window.scrollTo({ top: scrollY + top - innerHeight + height * part, behavior: 'instant' })
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))
      }, part)
    await scrollTo(0.07)
    await expect(first).toHaveAttribute('data-waiting', '')
    await scrollTo(0.13)
    await expect(first).not.toHaveAttribute('data-waiting', '')
    const moving = await first.evaluate((one) => getComputedStyle(one.firstElementChild!).transitionDuration)
    expect(moving).toBe('0.5s, 0.5s')
    await expect.poll(() => first.evaluate((one) => getComputedStyle(one.firstElementChild!).opacity)).toBe('1')

    await page.getByRole('contentinfo').getByRole('link', { name: 'Home', exact: true }).scrollIntoViewIfNeeded()
    const way = page.evaluate(
      () =>
        new Promise<number[]>((done) => {
          const seen: number[] = []
          const follow = () => {
            seen.push(scrollY)
            if (scrollY === 0) done(seen)
            else requestAnimationFrame(follow)
          }
          follow()
        }),
    )
    await page.getByRole('contentinfo').getByRole('link', { name: 'Home', exact: true }).click()
    // Smooth: it passes places between the foot and the top, at least one where a busy machine shows few.
    expect(new Set(await way).size).toBeGreaterThan(2)
    await page.context().close()

    for (const options of [{ reducedMotion: 'reduce' as const }, {}]) {
      const still = await (await browser.newContext({ viewport, ...options })).newPage()
      if (!options.reducedMotion) await still.route('**/*.js', (route) => route.abort())
      await still.goto(url('/'))
      await expect(still.locator('[data-waiting]')).toHaveCount(0)
      expect(
        await still.locator('[data-reveal] > *').evaluateAll((all) => all.map((one) => getComputedStyle(one).opacity)),
      ).not.toContain('0')
      await still.context().close()
    }
  },
)

test('the sample video plays in view, can be paused, and does not start with reduced motion', async ({
  browser,
  viewport,
}) => {
  test.skip(viewport!.width >= 600, 'the same at every width')
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(url('/'))
  const times = () =>
    page.locator('#take video').evaluateAll((all) => all.map((one) => (one as HTMLVideoElement).currentTime))
  await expect.poll(async () => Math.min(...(await times()))).toBeGreaterThan(0.2)
  await page.getByRole('button', { name: 'Pause the sample' }).click()
  const stopped = await times()
  await expect(page.getByRole('button', { name: 'Play the sample' })).toBeVisible()
  expect(await times()).toEqual(stopped)
  await page.context().close()
  const calm = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
  const videos: string[] = []
  calm.on('request', (sent) => sent.url().endsWith('.mp4') && videos.push(sent.url()))
  await calm.goto(url('/'), { waitUntil: 'load' })
  await expect(calm.getByRole('button', { name: 'Play the sample' })).toBeVisible()
  expect(videos).toEqual([])
  await calm.context().close()
})

test(
  'the plans section shows one’s own products, a loading state, and nothing on failure',
  { tag: '@long' },
  async ({ browser, viewport }) => {
    test.skip(viewport!.width < 600, 'the same at every width')
    const page = await signIn(browser, 'officer', { viewport })
    await enterPanel(page)
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    const list = '**/api/subscriptions/products/list/'
    let token: string | undefined
    await page.route(list, async (route) => {
      token = route.request().headers()['authorization']
      const answer = (await (await route.fetch()).json()) as {
        name: string
        percentOff: number
        metadata: { position: number }
        plans: object[]
      }[]
      // Out of order and with a coupon: the page orders and reduces.
      const reduced = (plans: object[]) => plans.map((plan) => ({ ...plan, offer: { percentOff: 25, amountOff: 0 } }))
      await route.fulfill({
        json: answer
          .toReversed()
          .map((one, i) => (i === 0 ? { ...one, percentOff: 25, plans: reduced(one.plans) } : one)),
      })
    })
    await page.goto(url('/'))
    await expect(page.getByText('25% off')).toBeVisible()
    expect(token).toMatch(/^Bearer /)
    expect(await page.locator('#plan-list h3').allInnerTexts()).toEqual([
      expect.stringContaining('Starter'),
      expect.stringContaining('Steady'),
      expect.stringContaining('Team'),
    ])
    await expect(page.locator('#plan-list [data-period=month] s').filter({ visible: true })).toContainText('$599')
    await expect(page.locator('#plan-list')).toHaveAttribute('aria-busy', 'false')

    await page.unroute(list)
    await page.route(list, (route) => route.fulfill({ status: 500, json: { message: 'No', kind: 'unexpected' } }))
    await page.goto(url('/'))
    await expect(page.locator('#plan-list li')).toHaveCount(0)
    await expect(page.locator('#plan-list')).toHaveAttribute('aria-busy', 'false')
    await expect.poll(() => said.some((words) => words.includes('Failed to load products'))).toBe(true)
    await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0)
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)

    // The choice leads on: to the plan, with what happens next.
    await page.unroute(list)
    await page.goto(url('/'))
    // What is pressed is their own card: it takes the place of the public one.
    await expect(page.locator('#plan-list')).toHaveAttribute('aria-busy', 'false')
    await page.getByRole('link', { name: 'Choose Steady' }).filter({ visible: true }).click()
    await expect(page).toHaveURL(/\/panel\/plans\?plan=plan_steady_month$/)
    await expect(page.getByRole('heading', { name: 'You chose Steady, monthly: $199' })).toBeVisible()

    // Charges that fail do speak (docs/specification/failures.md).
    await page.route(/payment\/charge\/list/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(url('/panel/plan'))
    await expect(page.getByText('Error while load your charges. Try again.', { exact: true })).toBeVisible()
    await page.context().close()
  },
)

test(
  'a protected page shows a centred loading state, then sign-in, then the page',
  { tag: '@long' },
  async ({ browser, viewport }) => {
    test.skip(viewport!.width < 600, 'the same at every width')
    const page = await (await browser.newContext({ viewport })).newPage()
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/identity/refresh', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(url('/panel/profile'))
    const loading = page.getByRole('status').filter({ hasText: 'Loading' })
    const box = (await loading.locator('span').first().boundingBox())!
    expect(Math.abs(box.x + box.width / 2 - viewport!.width / 2)).toBeLessThan(2)
    await expect(loading.locator('svg')).toBeVisible()
    answer()
    await expect(page).toHaveURL(/\/login\?next=/)
    await page.getByLabel('E-mail').fill('officer@demo.test')
    await page.getByLabel('Password', { exact: true }).fill('demo-Clear2Post')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(/\/panel\/profile$/)

    // Without a network, a page whose code is not loaded says so in its frame, and “Try again” loads it.
    await page.route('**/*', (route) => route.abort())
    await page.getByRole('link', { name: 'Scripts', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'The page could not be fetched' })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: 'Scripts', exact: true })).toBeVisible()
    await page.unroute('**/*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Scripts', level: 1 })).toBeVisible()
    await page.context().close()
  },
)

test('a visitor goes from the front page to a submitted video by keyboard alone', async ({
  browser,
  viewport,
}, info) => {
  test.skip(viewport!.width < 600, 'one keyboard is enough')
  const file = await clip('by-keyboard', { seconds: 4 })
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(url('/'))
  await tabTo(page, 'Send your first video')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login\?next=/)
  await tabTo(page, 'E-mail')
  await page.keyboard.type('officer@demo.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type('demo-Clear2Post')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel\/new$/)
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, 'Choose a video')
  await page.keyboard.press('Enter')
  await (await chooser).setFiles(file)
  await tabTo(page, 'Title')
  await page.keyboard.type(`By keyboard, ${info.project.name}`)
  await tabTo(page, /^Submit/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel\/projects\//, { timeout: 60_000 })
  await expect(page.getByRole('heading', { name: /^By keyboard/ })).toBeVisible()
  await page.context().close()
})

/** The public pages ask for a session only where the panel was entered before. */
const enterPanel = async (page: Page) => {
  await page.goto(url('/panel'))
  await expect(page.getByRole('main')).toBeVisible()
}

/** Presses Tab until what has the focus is called so. */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  const focused = () =>
    page.evaluate(() => {
      const one = document.activeElement as HTMLElement | null
      const labels = (one as HTMLInputElement | null)?.labels
      return one?.getAttribute('aria-label') || (labels?.[0]?.textContent ?? one?.textContent ?? '')
    })
  for (let tabs = 0; tabs < 60; tabs++) {
    const said = (await focused()).trim()
    if (typeof name === 'string' ? said === name || said.startsWith(`${name}`) : name.test(said) && tabs > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Nothing that Tab reaches is called ${name}`)
}
