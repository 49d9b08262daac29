import { expect, test } from '@playwright/test'
import { expectCleanToasts } from './axe.ts'
import { url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** Toasts as docs/specification/pages.md has them, measured in the page. */

test('toasts of every kind pass axe', async ({ page }) => {
  atOneScreen('phone')
  await page.goto(url('/dev/ui'))
  for (const pair of [
    ['success', 'info'],
    ['warning', 'error'],
  ]) {
    const toasts = page.locator('[data-sonner-toast]')
    const dismissed = async () => {
      await page.getByRole('button', { name: 'Dismiss all', exact: true }).click()
      await expect(toasts).toHaveCount(0)
    }
    // The pointer holds both, and opens their pile. On a busy machine they may slide away from under it, or be gone before
    // it comes: then they are called anew.
    await expect(async () => {
      await dismissed()
      for (const type of pair) await page.getByRole('button', { name: `Toast: ${type}`, exact: true }).click()
      await toasts.first().hover({ timeout: 5000 })
      await expect(page.locator('[data-sonner-toast][data-expanded=true]')).toHaveCount(2, { timeout: 5000 })
    }).toPass()
    await expectCleanToasts(page)
    // They were held until axe had looked.
    await expect(page.locator('[data-sonner-toast][data-expanded=true]')).toHaveCount(2)
    await dismissed()
  }
})

test('toasts have every measure of docs/specification/pages.md', async ({ page, viewport }) => {
  await page.clock.install()
  await page.goto(url('/dev/ui'))
  await expect(page.getByRole('heading', { name: 'Toasts' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  // The clock moves when everything has followed what was done: timers are set by effects, which come behind messages.
  const pass = async (ms: number) => {
    await page.evaluate(async () => {
      for (let i = 0; i < 3; i++)
        await new Promise((done) => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = done
          port2.postMessage(null)
        })
    })
    await page.clock.runFor(ms)
  }
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    // Short delays (a press, a toast that measures itself) are over.
    await pass(50)
  }
  const toasts = page.locator('[data-sonner-toast]')
  await press('Toast: success')
  await expect(toasts).toHaveCount(1)
  const isPhone = viewport!.width <= 600
  const offset = isPhone ? 16 : 24
  // It slides in by CSS, which no clock of ours moves.
  const below = async () => {
    const { y, height } = (await toasts.first().boundingBox())!
    return Math.round(viewport!.height - y - height)
  }
  await expect.poll(below).toBe(offset)
  const box = (await toasts.first().boundingBox())!
  expect(Math.round((await page.evaluate(() => document.documentElement.clientWidth)) - box.x - box.width)).toBe(offset)
  expect(box.width).toBe(isPhone ? viewport!.width - 32 : 356)
  await expect(page.locator('[data-sonner-toaster]')).toHaveAttribute('data-sonner-theme', 'light')
  await expect(toasts.first()).toHaveAttribute('data-rich-colors', 'true')
  // 4000 ms, then 200 ms to go.
  await page.mouse.move(5, 5)
  await pass(3850)
  await expect(toasts.first()).toHaveAttribute('data-removed', 'false')
  await pass(150)
  await expect(toasts.first()).toHaveAttribute('data-removed', 'true')
  await pass(100)
  await expect(toasts).toHaveCount(1)
  await pass(150)
  await expect(toasts).toHaveCount(0)

  // Three are visible, 14 px apart once Alt+T has opened them; timers rest meanwhile.
  for (const type of ['success', 'info', 'warning', 'error']) await press(`Toast: ${type}`)
  await pass(500)
  await expect(page.locator('[data-sonner-toast][data-visible=true]')).toHaveCount(3)
  await page.keyboard.press('Alt+t')
  await pass(500)
  await expect(page.locator('[data-sonner-toaster]')).toBeFocused()
  const gaps = () =>
    page.locator('[data-sonner-toast][data-visible=true]').evaluateAll((all) => {
      const boxes = all.map((one) => one.getBoundingClientRect()).toSorted((a, b) => a.top - b.top)
      return boxes.slice(1).map(({ top }, i) => Math.round(top - boxes[i]!.bottom))
    })
  await expect.poll(gaps).toEqual([14, 14])
  await pass(10_000)
  await expect(toasts).toHaveCount(4)
  await press('Dismiss all')
  await pass(1000)
  await expect(toasts).toHaveCount(0)

  // A loading toast stays until it is replaced; action and cancel; the close button; a failed answer.
  await press('Toast: loading')
  await pass(20_000)
  await expect(toasts).toHaveAttribute('data-type', 'loading')
  await press('End the loading')
  await expect(toasts).toHaveAttribute('data-type', 'success')
  await page.mouse.move(5, 5)
  await pass(6000)
  await expect(toasts).toHaveCount(0)
  await press('Toast: action and cancel')
  await pass(500)
  await expect(toasts.getByRole('button', { name: 'Fine' })).toBeVisible()
  await toasts.getByRole('button', { name: 'Undo' }).click()
  await pass(500)
  await expect(page.getByText('Undone')).toBeVisible()
  await press('Dismiss all')
  await pass(1000)
  await press('Toast: close button')
  await pass(500)
  const close = toasts.getByRole('button', { name: 'Close this message' })
  // Both at one moment: the toast may be moving.
  const [toast, cross] = await close.evaluate((button) =>
    [button.closest('[data-sonner-toast]')!, button].map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
  )
  expect(cross!.x).toBeGreaterThan(toast!.x + toast!.width / 2)
  expect(cross!.x + cross!.width).toBeLessThan(toast!.x + toast!.width)
  expect(cross!.y).toBeGreaterThanOrEqual(toast!.y)
  await close.click()
  await pass(500)
  await expect(toasts).toHaveCount(0)
  const failed = page.waitForResponse('**/api/no-such-call')
  await press('Toast: failed answer')
  await (await failed).finished()
  await expect
    .poll(async () => {
      await pass(20)
      return toasts.count()
    })
    .toBe(1)
  await expect(toasts).toHaveAttribute('data-type', 'error')
  await pass(500)

  // Timers rest while the toast is hovered, and while the tab is hidden.
  await toasts.first().hover()
  await pass(10_000)
  await expect(toasts).toHaveAttribute('data-removed', 'false')
  const hide = (hidden: boolean) =>
    page.evaluate((is) => {
      Object.defineProperty(document, 'hidden', { value: is, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await hide(true)
  await page.mouse.move(5, 5)
  await pass(10_000)
  await expect(toasts).toHaveAttribute('data-removed', 'false')
  await hide(false)

  // Swipes: 45 px carry it away, so does speed; fewer and slowly do not.
  const swipe = async (distance: number, msEachStep: number) => {
    // The one before brings it back by CSS.
    await expect.poll(below).toBe(offset)
    const { x, y, width, height } = (await toasts.first().boundingBox())!
    const [fromX, fromY] = [x + width / 2, y + height / 2]
    // Dragging with a mouse selects text and does not swipe; a finger swipes.
    await page.evaluate(() => {
      getSelection()?.removeAllRanges()
      document.body.style.userSelect = 'none'
    })
    await page.mouse.move(fromX, fromY)
    await page.mouse.down()
    for (let moved = 4; moved <= distance; moved += 4) {
      await page.mouse.move(fromX, fromY + moved)
      await expect(toasts.first()).toHaveAttribute('data-swiping', 'true')
      await pass(msEachStep)
    }
    await expect
      .poll(() => toasts.first().evaluate((one) => one.style.getPropertyValue('--swipe-amount-y')))
      .toBe(`${distance}px`)
    await page.mouse.up()
  }
  const goes = () =>
    expect
      .poll(
        async () => {
          await pass(60)
          return toasts.count()
        },
        { intervals: [50] },
      )
      .toBe(0)
  await swipe(40, 60)
  await pass(400)
  await expect(toasts).toHaveCount(1)
  await swipe(48, 60)
  await goes()
  await press('Toast: error')
  await swipe(40, 5)
  await goes()
})
