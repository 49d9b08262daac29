import { expect, test, type Page, type Request, type Route } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { panelPages } from './panel-pages.ts'
import { callAs, signIn, url } from './people.ts'

/** What may move, by its page and name, and why. */
const mayMove: readonly { page: string; name: RegExp; because: string }[] = []

/**
 * On every page of the panel each answer of the API comes alone, and what could be pressed before it came is where it was. The
 * answers are held back and let go one by one: the last asked first, and once more in the order in which they were asked for.
 */
for (const [who, pages] of Object.entries(panelPages))
  test(`${who}: nothing that can be pressed moves when a later answer comes`, async ({ browser, viewport }) => {
    test.setTimeout(900_000)
    const page = await signIn(browser, who, { viewport, serviceWorkers: 'block' })
    const { items } = await (await callAs(who))(projects.list, { query: {} })
    const kinds = [...Map.groupBy(items, ({ status }) => status).values()].map(([first]) => first!.id)
    expect(kinds.length).toBeGreaterThan(2)
    await page.addInitScript(watch)
    const answers = await holdBack(page)
    const moved: string[] = []
    for (const path of [...pages, ...kinds.map((id) => `/panel/projects/${id}`)])
      for (const order of ['last asked first', 'first asked first'] as const) {
        const moves = await answers.comeOneByOne(path, order)
        const wrong = moves.filter(
          ({ name }) => !mayMove.some((one) => one.page === path.replace(/\?.*/, '') && one.name.test(name)),
        )
        // Whatever stands below it goes with it: the first three say enough.
        for (const { name, way, after } of wrong.slice(0, 3))
          moved.push(`${path}, ${order}, after ${after}: “${name}” ${way}`)
      }
    expect(moved).toEqual([])
    await page.context().close()
  })

type Move = { name: string; way: string }

/** In the page: notes at each frame what of the content can be pressed and is no longer where it was, while nothing scrolls. */
const watch = () => {
  const places = new WeakMap<Element, { x: number; y: number; scrolled: string }>()
  const moves: Move[] = []
  const look = () => {
    const scrolled = `${scrollX} ${scrollY}`
    for (const element of document.querySelectorAll('main :is(a, button, input, textarea, select)')) {
      const { x, y, width, bottom, top } = element.getBoundingClientRect()
      const isSeen = width > 0 && bottom > 0 && top < innerHeight && element.closest('[inert]') === null
      const before = places.get(element)
      if (!isSeen) places.delete(element)
      else places.set(element, { x, y, scrolled })
      // Nobody presses beside it by this little.
      const isStill = (was: { x: number; y: number }) => Math.abs(was.x - x) <= 4 && Math.abs(was.y - y) <= 4
      if (!isSeen || !before || before.scrolled !== scrolled || isStill(before)) continue
      const name = element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent
      const round = (...at: number[]) => at.map((one) => Math.round(one)).join(',')
      moves.push({
        name: name || element.getAttribute('name') || element.tagName.toLowerCase(),
        way: `${round(before.x, before.y)} → ${round(x, y)}`,
      })
    }
  }
  const onFrame = () => {
    look()
    requestAnimationFrame(onFrame)
  }
  onFrame()
  Object.assign(window, { takeMoves: () => moves.splice(0) })
}

/** Holds back what the page asks of the API. */
const holdBack = async (page: Page) => {
  let held: Route[] = []
  const loading = new Set<Request>()
  const isOfPage = (request: Request) => /^(document|script|stylesheet|font)$/.test(request.resourceType())
  page.on('request', (request) => isOfPage(request) && loading.add(request))
  page.on('requestfinished', (request) => loading.delete(request))
  page.on('requestfailed', (request) => loading.delete(request))
  await page.route('**/api/**', (route) =>
    new URL(route.request().url()).pathname.endsWith('/events') ? route.continue() : void held.push(route),
  )
  /** The page has its code, and has drawn what it knows. */
  const drawn = async () => {
    await expect.poll(() => loading.size, { intervals: [20] }).toBe(0)
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    })
  }
  const isWhole = async () =>
    (await page.locator('main :is(h1, h2)').count()) > 0 &&
    (await page.locator('.skeleton, [data-unsettled]').count()) === 0
  const takeMoves = () => page.evaluate(() => (window as unknown as { takeMoves: () => Move[] }).takeMoves())
  return {
    comeOneByOne: async (path: string, order: 'last asked first' | 'first asked first') => {
      const found: (Move & { after: string })[] = []
      held = []
      await page.goto(url(path), { waitUntil: 'commit' })
      for (;;) {
        await drawn()
        if (held.length === 0) {
          // What is asked for later, by code that came with an answer, is on its way.
          await expect.poll(async () => held.length > 0 || (await isWhole())).toBe(true)
          if (held.length === 0) break
        }
        const route = order === 'last asked first' ? held.pop()! : held.shift()!
        const request = route.request()
        // The page may want it no more.
        await route.continue().catch(() => {})
        await (await request.response())?.finished()
        await drawn()
        const after = `${request.method()} ${new URL(request.url()).pathname.replace(/[0-9a-f-]{36}/g, '…')}`
        for (const move of await takeMoves()) found.push({ ...move, after })
      }
      return found
    },
  }
}
