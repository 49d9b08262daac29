import { join } from 'node:path'
import { expect, test, type BrowserContext, type Page, type Route } from '@playwright/test'
import { isLong, seeded, seedOfRun } from '../server/test/random.ts'
import { expectDeclared } from './browser-stores.ts'
import { openOwnBrowser } from './own-browser.ts'
import { product, url } from './people.ts'
import { cut, isOut, prepared, saved, word } from './workbench.ts'

/** The browser's processes are ended with SIGKILL at the moments at which something was said, and in between. */
test('nothing the workbench called saved or kept here is lost when its browser is killed', async ({
  launchOptions,
}, info) => {
  test.skip(info.project.name === 'phone', 'It is the same at every width.')
  const projectId = await prepared('Killed')
  const folder = join(product().dataDir, 'own-browser')
  const open = async () => {
    const own = await openOwnBrowser(folder, { executable: launchOptions.executablePath!, args: launchOptions.args! })
    return { ...own, page: await openBench(own.context, projectId) }
  }

  let { page, kill, context } = await open()
  // The service has it, and the answer never came: more was done meanwhile.
  const stop = await holdAnswers(page)
  await cut(page, 'moved')
  await stop.stored
  await cut(page, 'this')
  await kill()
  ;({ page, kill, context } = await open())
  await expect(isOut(page, 'moved')).toBeVisible()
  await expectQuiet(page)

  // Without the network, at the moment at which the page says that it is kept.
  await context.setOffline(true)
  await cut(page, 'week,')
  await expect(page.getByText('Offline, kept here')).toBeVisible()
  await kill()
  ;({ page, kill, context } = await open())
  await expect(isOut(page, 'week')).toBeVisible()
  await expectQuiet(page)

  // Right after “Saved”: and what was kept before is no news beside it.
  await context.setOffline(true)
  await cut(page, 'that')
  await expect(page.getByText('Offline, kept here')).toBeVisible()
  await context.setOffline(false)
  await expect(saved(page)).toBeVisible()
  await cut(page, 'is')
  await expect(saved(page)).toBeVisible()
  await kill()
  ;({ page, kill, context } = await open())
  await expect(isOut(page, 'is')).toBeVisible()
  await expect(isOut(page, 'that')).toBeVisible()
  await expectQuiet(page)
  await expectDeclared(page, 'a workbench that was killed')
  await kill()
})

/** In mid-drag, with the button down; and while a save is under way whose answer does not come. */
test('a reload in mid-drag and while saving loses nothing and calls nobody else’s work a conflict', async ({
  browser,
  viewport,
}, info) => {
  test.skip(!isLong || info.project.name === 'phone', 'Its long form alone: npm run prove -- workbench-kept.')
  const projectId = await prepared('Reloaded')
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  const page = await openBench(context, projectId)
  await cut(page, 'again')
  await expect(saved(page)).toBeVisible()
  const track = page.getByRole('group', { name: 'Passages of the video' })
  const end = track.getByRole('slider', { name: /^End of/ })
  await track.getByRole('button').last().click()
  const place = (await end.boundingBox())!
  const at = { x: place.x + place.width / 2, y: place.y + place.height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x - 60, at.y, { steps: 6 })
  const dragged = await end.getAttribute('aria-valuenow')
  await page.reload()
  await page.mouse.up()
  await expect(isOut(page, 'again')).toBeVisible()
  await track.getByRole('button').last().click()
  await expect(end).toHaveAttribute('aria-valuenow', dragged!)
  await expectQuiet(page)

  const stop = await holdAnswers(page)
  await cut(page, 'moved')
  await stop.stored
  await cut(page, 'this')
  await page.reload()
  await stop.letGo()
  await expect(isOut(page, 'this')).toBeVisible()
  await expect(isOut(page, 'moved')).toBeVisible()
  await expectQuiet(page)

  // What was done before can still be undone, and done again.
  await cut(page, 'is')
  await expect(saved(page)).toBeVisible()
  await page.reload()
  await expect(isOut(page, 'is')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(word(page, 'is')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(word(page, 'this')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(isOut(page, 'this')).toBeVisible()
  await expect(saved(page)).toBeVisible()
  await context.close()
})

/** A correction in each of five real minutes. */
test('a network that is lost for five minutes costs no correction and no question', async ({
  browser,
  viewport,
}, info) => {
  test.skip(!isLong || info.project.name === 'phone', 'Its long form alone: npm run prove -- workbench-kept.')
  test.setTimeout(900_000)
  const projectId = await prepared('Five minutes')
  const context = await browser.newContext({ viewport })
  const page = await openBench(context, projectId)
  await context.setOffline(true)
  for (const text of ['again', 'moved', 'this', 'that', 'is']) {
    await cut(page, text)
    await expect(page.getByText('Offline, kept here')).toBeVisible()
    await page.waitForTimeout(60_000)
    await expect(page.getByText('Offline, kept here')).toBeVisible()
  }
  await context.setOffline(false)
  await expectQuiet(page)
  await page.reload()
  for (const text of ['again', 'moved', 'this', 'that', 'is']) await expect(isOut(page, text)).toBeVisible()
  await expectQuiet(page)
  // A browser whose disk is full is not said to keep anything.
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
  })
  await context.setOffline(true)
  await cut(page, 'for')
  await expect(page.getByText('Offline, only in this tab')).toBeVisible()
  await context.setOffline(false)
  await expectQuiet(page)
  await context.close()
})

/**
 * Words are cut and put back at random moments, with the network and without, until the browser is killed at another. What
 * the page says is heard in the page itself: the latest work that it called saved or kept, or later work, must be there.
 */
test('a browser killed at random moments leaves what it last called saved or kept, or later work', async ({
  launchOptions,
}, info) => {
  test.skip(!isLong || info.project.name === 'phone', 'Its long form alone: npm run prove -- workbench-kept.')
  const rounds = Number(process.env.ROUNDS ?? 25)
  test.setTimeout(rounds * 60_000)
  const random = seeded(seedOfRun())
  const projectId = await prepared('Killed at random')
  const folder = join(product().dataDir, 'random-browser')
  const claimed: Record<string, number> = {}
  for (let round = 0; round < rounds; round++) {
    const browser = { executable: launchOptions.executablePath!, args: launchOptions.args! }
    const { context, kill } = await openOwnBrowser(folder, browser)
    const page = await openBench(context, projectId)
    await expectQuiet(page)
    const versions = [await outOf(page)]
    const claims: { text: string; out: string }[] = []
    await page.exposeBinding('says', (_, text: string, out: string) => {
      if (['Saved', 'Offline, kept here'].includes(text)) claims.push({ text, out })
    })
    await page.evaluate(watchClaims)
    let isOffline = false
    for (let i = random.whole(1, 5); i > 0; i--) {
      if (random.next() < 0.3) await context.setOffline((isOffline = !isOffline))
      await word(page, new RegExp(`^${random.one(someWords)}(,|$)`)).click()
      await page.keyboard.press('Delete')
      versions.push(await outOf(page))
      await page.waitForTimeout(random.whole(0, 1800))
    }
    await kill()
    // The first version of its words that comes after what was said before: a version may come again.
    const least = claims.reduce((from, { out }) => Math.max(from, versions.indexOf(out, from)), 0)
    const said = claims.at(-1)?.text ?? 'nothing'
    claimed[said] = (claimed[said] ?? 0) + 1
    const next = await openOwnBrowser(folder, browser)
    const after = await openBench(next.context, projectId)
    await expectQuiet(after)
    const found = await outOf(after)
    expect(versions.slice(least), `round ${round}, last said: ${said}, of ${versions[least]}`).toContain(found)
    await next.kill()
  }
  console.log(`${rounds} browsers killed, having said last: ${JSON.stringify(claimed)}`)
})

const someWords = ['moved', 'again', 'this', 'week', 'that', 'is', 'for']

/** Which words are out, as one text. */
const outOf = (page: Page): Promise<string> => page.evaluate(wordsOut)

const wordsOut = () =>
  [...document.querySelectorAll('[role="listbox"] [role="option"]')]
    .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
    .map((name) => (name.includes(', taken out') ? '-' : '+'))
    .join('')

/** In the page: tells what its status says whenever anything changes, with what is out at that moment. */
const watchClaims = () => {
  const { says } = window as unknown as { says: (text: string, out: string) => void }
  const tell = () => {
    const out = [...document.querySelectorAll('[role="listbox"] [role="option"]')]
      .map((one) => one.getAttribute('aria-label') ?? one.textContent ?? '')
      .map((name) => (name.includes(', taken out') ? '-' : '+'))
      .join('')
    for (const status of document.querySelectorAll('[role="status"]')) says(status.textContent ?? '', out)
  }
  new MutationObserver(tell).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  })
}

/** An editor's page with the workbench open; signed in anew, since a killed browser may have lost its cookies. */
const openBench = async (context: BrowserContext, projectId: string): Promise<Page> => {
  const data = { email: 'editor@demo.test', password: 'demo-Clear2Post' }
  expect((await context.request.post(url('/identity/sign-in/password'), { data })).ok()).toBe(true)
  const page = await context.newPage()
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await expect(word(page, /^Rates/)).toBeVisible()
  return page
}

/** Saves reach the service, and their answers are held back. */
const holdAnswers = async (page: Page) => {
  const stored = Promise.withResolvers<void>()
  const held: Route[] = []
  const isSave = /\/edit\/$/
  await page.route(isSave, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    held.push(route)
    stored.resolve()
  })
  return {
    stored: stored.promise,
    letGo: async () => {
      await page.unroute(isSave)
      await Promise.all(held.map((route) => route.abort().catch(() => {})))
    },
  }
}

/** Everything is saved, and nobody is asked to choose between versions. */
const expectQuiet = async (page: Page) => {
  await expect(saved(page)).toBeVisible()
  await expect(page.getByText('Someone else changed this edit.')).toHaveCount(0)
}
