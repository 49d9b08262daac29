import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** axe finds nothing wrong with what is on the page, by day and by night; `where` names it in a failure. */
export const expectClean = async (page: Page, where: string): Promise<void> => {
  const { width, height } = page.viewportSize()!
  // Tall enough that no button happens to lie half under a bar that stands still: axe would measure only the rest of it.
  if (width < 600) await page.setViewportSize({ width, height: 4800 })
  const found: unknown[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await stillness(page)
    // React Aria's announcer names, for some seconds, a button that may be gone by then; a toast may leave while it is
    // measured, and has its colours measured where it is held (site.e2e.ts).
    const axe = new AxeBuilder({ page }).exclude('[data-live-announcer]').exclude('[data-sonner-toast]')
    // By night only the colours are others.
    const { violations } = await (colorScheme === 'light' ? axe.withTags(rules) : axe.withRules(ofColours)).analyze()
    for (const { id, nodes } of violations)
      found.push({ where, colorScheme, id, at: nodes.map(({ target }) => target.join(' ')) })
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width, height })
  expect(found).toEqual([])
}

/** The same for toasts, which the pointer holds meanwhile. */
export const expectCleanToasts = async (page: Page): Promise<void> => {
  await page.locator('[data-sonner-toast]').first().hover()
  await stillness(page)
  const { violations } = await new AxeBuilder({ page }).include('[data-sonner-toaster]').withTags(rules).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** Until nothing fades or slides any more, 2 s at most: colours on their way are no colours to measure. */
const stillness = (page: Page) =>
  page.evaluate(async () => {
    const moves = () =>
      document
        .getAnimations()
        .some((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
    const until = performance.now() + 2000
    // A change of scheme begins its transitions with the next frame.
    do await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    while (moves() && performance.now() < until)
  })

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ofColours = ['color-contrast', 'link-in-text-block']

/** Nothing lies beyond the side edge, at this width and at 320 px. What scrolls in a region of its own does not count. */
export const expectNoSidewaysScroll = async (page: Page, where: string): Promise<void> => {
  const { width, height } = page.viewportSize()!
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  for (const at of [320, width]) {
    await page.setViewportSize({ width: at, height })
    await expect.poll(beyond, `${where} at ${at}`).toBe(0)
  }
}
