import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { isEvery } from './screens.ts'

/** One rule that was broken: its id, and selectors of the elements that break it. */
type Violation = { id: string; at: string[] }

/**
 * What axe finds in `page` as it is now, by the rules of WCAG A and AA and those of `also`, or by `rules` alone, within
 * `include` alone where it is given, and not within `exclude`. axe is loaded once in each document. Throws where the page has
 * frames: it looks into none.
 */
export const violationsIn = async (page: Page, { rules, also = [], include, exclude = [] }: Asked = {}) => {
  expect(page.frames(), 'axe looks into no frames').toHaveLength(1)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  // React Aria's announcer names, for some seconds, a button that may be gone by then.
  const context = {
    ...(include === undefined ? {} : { include: [include] }),
    exclude: ['[data-live-announcer]', ...exclude],
  }
  const options: RunOptions = {
    runOnly: rules === undefined ? { type: 'tag', values: tags } : { type: 'rule', values: rules },
    rules: Object.fromEntries(also.map((rule) => [rule, { enabled: true }])),
    resultTypes: ['violations'],
  }
  const { violations } = await page.evaluate(
    ({ context, options }) => (window as unknown as { axe: typeof axe }).axe.run(context, options),
    { context, options },
  )
  return violations.map(({ id, nodes }): Violation => ({ id, at: nodes.map(({ target }) => target.join(' ')) }))
}

type Asked = { rules?: string[]; also?: string[]; include?: string; exclude?: string[] }
type Scheme = 'light' | 'dark'
const both: readonly Scheme[] = ['light', 'dark']

/**
 * axe finds nothing wrong with what is on the page, in these `schemes`, by the rules of `also`, too; `where` names it in a
 * failure. Without `schemes` it looks by day or by night, as `where` falls, and under `npm run prove -- journeys` by both.
 */
export const expectClean = async (
  page: Page,
  where: string,
  { schemes = schemesFor(where), also = [] }: { schemes?: readonly Scheme[] | undefined; also?: string[] } = {},
): Promise<void> => {
  const { width, height } = page.viewportSize()!
  // Tall enough that no button happens to lie half under a bar that stands still: axe would measure only the rest of it. A
  // part of a page grows with its window, so what was tall enough may be so no more.
  for (let [tall, length] = [0, 4800]; width < 600 && length > tall && tall < 20_000;) {
    tall = length
    await page.setViewportSize({ width, height: tall })
    length = await page.evaluate(() => document.documentElement.scrollHeight)
    if (length > tall) length += height
  }
  // A toast may leave while it is measured, and has its colours measured where it is held (site-toasts.e2e.ts).
  const found = await violationsByDayAndNight(page, { exclude: ['[data-sonner-toast]'], also }, schemes)
  await page.setViewportSize({ width, height })
  expect(found, where).toEqual([])
}

const schemesFor = (where: string): readonly Scheme[] => {
  if (isEvery) return both
  const sum = [...where].reduce((total, letter) => total + letter.codePointAt(0)!, 0)
  return [both[sum % 2]!]
}

/** The same for toasts, by day and by night, which the pointer holds meanwhile. */
export const expectCleanToasts = async (page: Page): Promise<void> => {
  expect(await violationsByDayAndNight(page, { include: '[data-sonner-toaster]' })).toEqual([])
}

const violationsByDayAndNight = async (page: Page, within: Asked, schemes: readonly Scheme[] = both) => {
  const found: (Violation & { colorScheme: string })[] = []
  for (const [n, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme })
    await stillness(page)
    // At the second time only the colours are others.
    const asked = n === 0 ? within : { ...within, also: [], rules: ofColours }
    for (const one of await violationsIn(page, asked)) found.push({ colorScheme, ...one })
  }
  await page.emulateMedia({ colorScheme: null })
  return found
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

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const ofColours = ['color-contrast', 'link-in-text-block']

/** Nothing lies beyond the side edge, at this width and at `also`. What scrolls in a region of its own does not count. */
export const expectNoSidewaysScroll = async (
  page: Page,
  where: string,
  also: readonly number[] = [320],
): Promise<void> => {
  const { width, height } = page.viewportSize()!
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  for (const at of [...also, width]) {
    if (page.viewportSize()!.width !== at) await page.setViewportSize({ width: at, height })
    await expect.poll(beyond, `${where} at ${at}`).toBe(0)
  }
}
