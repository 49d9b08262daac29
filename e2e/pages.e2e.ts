import { expect, test, type Page } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectDeclared } from './browser-stores.ts'
import { panelPages } from './panel-pages.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen, isEvery, isSeen } from './screens.ts'

/**
 * Every page of the panel: reachable by everyone, in both themes, without sideways scrolling down to 320 px. By day on a wide
 * screen and by night on a phone, of which `npm test` asks a part (screens.ts); `journeys` by day and by night at both.
 */
for (const [who, pages] of Object.entries(panelPages))
  test(`${who}: every page passes axe in light and dark, with no sideways scrolling and no console error`, async ({
    browser,
    viewport,
  }) => {
    const page = await signIn(browser, who, { viewport, reducedMotion: 'reduce' })
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(url('/panel'))
    const project = await openProject(page, who)
    const inner =
      who === 'admin'
        ? await firstOf(page, [
            '/panel/tenants',
            '/panel/triggers',
            '/panel/scripts',
            '/panel/payments/catalogue',
            '/panel/support',
          ])
        : who === 'officer'
          ? await firstOf(page, ['/panel/support'])
          : []
    const staff = who === 'officer' ? [] : [`${project}?tab=notes`]
    const bench = who === 'editor' ? [`${project}/edit`] : []
    const isWide = viewport!.width > 600
    const schemes = isEvery ? undefined : [isWide ? ('light' as const) : ('dark' as const)]
    const people = pages.includes('/panel/people') ? [await personPage(who)] : []
    const isHere = (_: string, at: number) => isSeen(at, isWide)
    const heads = new Map<string, string>()
    for (const path of [...pages, project, ...staff, ...bench, ...inner, ...people].filter(isHere)) {
      await open(page, path, { byAddress: isWide && (isEvery || path.startsWith(project)) })
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expectClean(page, path, { schemes, also: ['heading-order'] })
      await expectNoSidewaysScroll(page, path, isEvery ? [320, 1280, 1920] : isWide ? [1280, 1920] : [320])
      await expectShell(page, path)
      // The head of a company's page is the company's name.
      if (pages.includes(path) && new URL(page.url()).pathname === path)
        heads.set(path, await page.getByRole('heading', { level: 1 }).innerText())
    }
    // A workbench has a Ctrl+K of its own.
    await open(page, pages[0]!)
    await expectFoundByHead(page, heads)
    expect(errors).toEqual([])
    await expectDeclared(page, `every page of the ${who}`)
    await page.context().close()
  })

test('public pages pass axe in light and dark, with no sideways scrolling and no console error', async ({
  browser,
  viewport,
}) => {
  // Each begins by day on a wide screen and by night on a phone, and is measured in both by npm run prove -- journeys.
  const isWide = viewport!.width > 600
  const colorScheme = isWide ? 'light' : 'dark'
  const page = await (await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })).newPage()
  const errors: string[] = []
  page.on(
    'console',
    (message) => message.type() === 'error' && !/status of 40[14]/.test(message.text()) && errors.push(message.text()),
  )
  const pages = [
    '/',
    '/login',
    '/login?mode=sign-up',
    '/login?mode=forgot',
    '/terms',
    '/privacy',
    '/whats-new',
    '/contact',
    '/status',
    '/no/such/page',
    '/dev/ui',
  ]
  for (const path of pages.filter((_, at) => isSeen(at, isWide))) {
    await page.goto(url(path))
    await expect(page.getByRole('heading').first()).toBeVisible()
    if (path === '/') await page.getByText('What do I need to record?').click()
    await expectClean(page, path, { schemes: isEvery ? undefined : [colorScheme] })
    await expectNoSidewaysScroll(page, path)
  }
  expect(errors).toEqual([])
  await page.context().close()
})

/** Ctrl+K finds each of these pages by what stands at its head, as a page. */
const expectFoundByHead = async (page: Page, heads: ReadonlyMap<string, string>) => {
  await page.keyboard.press('Control+k')
  const finder = page.getByRole('dialog', { name: 'Search or jump to' })
  for (const [path, head] of heads) {
    await finder.getByRole('combobox').fill(head)
    const found = finder.getByRole('option').filter({ hasText: head }).filter({ hasText: 'Page' })
    await expect(found.first(), `${path} by “${head}”`).toBeVisible()
  }
  await page.keyboard.press('Escape')
}

/** The page about the demo's officer. */
const personPage = async (who: string): Promise<string> => {
  const api = await callAs(who)
  const { items } = await api(accounts.search, { query: { wheres: 'email:eq:officer@demo.test' } })
  return `/panel/people/${items[0]!.id}`
}

/** What every page of the panel has in common: buttons named in words, and the foot with the public pages. */
const expectShell = async (page: Page, path: string) => {
  const names = await page.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const labels = button.getAttribute('aria-labelledby')?.split(' ') ?? []
      const labelled = labels.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
      return button.getAttribute('aria-label') ?? (labelled || button.textContent)
    }),
  )
  expect(
    names.filter((name) => /DropZone|FileTrigger|^\s*$/.test(name)),
    path,
  ).toEqual([])
  // Whoever stands before the camera sees nothing else.
  if (path.startsWith('/panel/new/record')) return
  const foot = page.getByRole('contentinfo')
  await expect(foot.getByRole('link')).toHaveCount(10)
  await expect(foot).toContainText(`© ${new Date().getFullYear()}`)
  await expect(page.getByRole('banner').locator('a[href="/"]')).toBeVisible()
}

/**
 * Opens a page of the panel: by its address, where the browser loads everything anew, or from within the panel, as links do,
 * where all that was loaded stays.
 */
const open = async (page: Page, path: string, { byAddress = false } = {}) => {
  const isSamePage = new URL(page.url()).pathname === new URL(url(path)).pathname
  if (byAddress || isSamePage) return void (await page.goto(url(path)))
  const before = await page.title()
  await page.evaluate((to) => history.pushState({}, '', to), path)
  // A title stands with its page, and no two that follow each other here have the same.
  await expect(page).not.toHaveTitle(before)
}

/** The address of the first item in each of these lists. */
const firstOf = async (page: Page, lists: string[]): Promise<string[]> => {
  const found: string[] = []
  for (const list of lists) {
    await open(page, list)
    const first = page.getByRole('main').locator(`a[href^="${list}/"]:not([href$="/new"])`).first()
    found.push((await first.getAttribute('href'))!)
  }
  return found
}

/** Opens a project of this person's list, and returns its address. */
const openProject = async (page: Page, who: string): Promise<string> => {
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  const list = await page.title()
  // Of a table and its cards only one is seen; a reviewer whose queue other journeys emptied has what was decided.
  const link = page.getByRole('main').locator('a[href*="/panel/projects/"]').filter({ visible: true })
  // Wide screens show an administrator cards, phones a list of links.
  const card = page.getByRole('grid', { name: 'Submitted' }).getByRole('row')
  await (who === 'admin' || who === 'company' ? card.or(link) : link).first().click()
  await expect(page).toHaveURL(/\/panel\/projects\//)
  await expect(page).not.toHaveTitle(list)
  return new URL(page.url()).pathname
}

test('an officer signs in at the second try and opens a project by keyboard alone', async ({ page }) => {
  atOneScreen('desktop')
  await page.goto(url('/panel'))
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('E-mail').focus()
  await page.keyboard.type('officer@demo.test')
  await page.keyboard.press('Tab')
  await page.keyboard.type('not-the-password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Invalid Email or Password')).toHaveCount(1)
  await expect(page.getByText('Invalid Email or Password')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('demo-Clear2Post')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel$/)
  await expect(page.getByRole('main').locator('a[href*="/panel/projects/"]').first()).toBeVisible()
  const inProject = () =>
    page.evaluate(() => document.activeElement?.getAttribute('href')?.startsWith('/panel/projects/') ?? false)
  for (let tabs = 0; tabs < 40 && !(await inProject()); tabs++) await page.keyboard.press('Tab')
  expect(await inProject()).toBe(true)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel\/projects\//)
})

test('an ADMIN moves a project in the queue by keyboard', async ({ browser, viewport }) => {
  test.skip(viewport!.width < 600, 'the board is for wide screens; phones move by the menu')
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/board'))
  const cards = () => page.getByRole('grid', { name: 'Submitted', exact: true }).getByRole('row').allInnerTexts()
  await expect.poll(async () => (await cards()).length).toBeGreaterThan(1)
  const before = await cards()
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  // It is taken up with the next frame: only then are the keys its own.
  await expect(page.locator('[aria-roledescription="drop indicator"]:focus')).toHaveCount(1)
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await cards())[0]).not.toBe(before[0])
  await page.reload()
  await expect.poll(async () => (await cards())[0]).not.toBe(before[0])
  await page.context().close()
})

test('the front page is compressed HTML, unknown pages are 404, and other roles’ pages look absent', async ({
  browser,
  request,
  viewport,
}) => {
  atOneScreen('desktop')
  const front = await request.get(url('/'), {
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' },
  })
  expect(front.status()).toBe(200)
  expect(await front.text()).toContain('</html>')
  expect((await request.get(url('/no/such/page'), { headers: { accept: 'text/html' } })).status()).toBe(404)
  const page = await signIn(browser, 'officer', { viewport })
  for (const room of ['/panel/board', '/panel/review', '/panel/work']) {
    await page.goto(url(room))
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
  }
  // What nobody has, too, keeps the panel around it; the way on is there.
  for (const nowhere of ['/panel/no/such/page', '/panel/new/record/nowhere']) {
    await page.goto(url(nowhere))
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Panel' })).toBeVisible()
    await expectClean(page, nowhere)
  }
  await page.getByRole('link', { name: 'Go to your panel' }).click()
  await expect(page).toHaveURL(/\/panel$/)
  await page.context().close()
})
