import { expect, test, type Page } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { identity } from '@clear-to-post/contract/identity'
import { tenants } from '@clear-to-post/contract/tenants'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectFocusKept } from './focus.ts'
import { callAs, callWith, signIn, url } from './people.ts'

test('each step of setting up a company leads to the field where it is done', async ({ browser, viewport }, info) => {
  const { idToken } = await (await callAs('admin'))(identity.confirm, { body: { password: 'demo-Clear2Post' } })
  const name = `Spruce Lending ${info.project.name}-${Date.now().toString(36)}`
  const { id } = await callWith(idToken)(tenants.create, { body: { name } })
  const page = await signIn(browser, 'admin', { viewport })
  const follow = async (step: string) => {
    await page.goto(url(`/panel/tenants/${id}`))
    await page.getByRole('link', { name: step }).press('Enter')
  }
  /** It has the focus, and its part of the page stands below what sticks to the top. */
  const expectThere = async (part: string, field: RegExp) => {
    await expect(page.getByRole('region', { name: part }).locator(':focus')).toHaveAccessibleName(field)
    const head = (await page.getByRole('heading', { name: part, exact: true }).boundingBox())!
    expect(head.y).toBeGreaterThanOrEqual(viewport!.width < 768 ? 56 : 0)
    expect(head.y).toBeLessThan(viewport!.height)
  }
  await follow('Invite your officers')
  const dialog = page.getByRole('dialog', { name: 'Invite people' })
  await expect(dialog.getByLabel('E-mail addresses')).toBeFocused()
  await expect(dialog.getByRole('button', { name: /Company/ })).toContainText('Spruce Lending')
  await expectClean(page, 'the invitation that a step leads to')
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/\/panel\/people\/invitations$/)

  await follow('Add your brand kit')
  await expectThere('Look', /Choose a picture|Logo/)
  await follow('Enter your licenses')
  await expectThere('Licenses', /Company NMLS number/)
  await expectClean(page, 'the licenses that a step leads to')
  await expectNoSidewaysScroll(page, 'a company with what is left to set up')
  await follow('Choose a plan')
  await expect(page).toHaveURL(/\/panel\/plan\?company=/)
  await follow('Send in the first video')
  await expect(page.getByRole('heading', { name: 'New video', level: 1 })).toBeFocused()
  await page.context().close()
})

test('nothing moves on a board when the list of what is left to set up arrives', async ({ browser, viewport }) => {
  const page = await signIn(browser, 'company', { viewport })
  await watchMoves(page)
  // It arrives after all that it stands above.
  const lists = page.waitForResponse(/\/projects\/list/)
  await page.route('**/setUp', async (route) => {
    await expect(page.getByRole('heading', { name: 'Board', level: 1 })).toBeVisible()
    await lists
    await route.continue()
  })
  await page.goto(url('/panel/board'))
  await expect(page.getByRole('heading', { name: 'Set up your company' })).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  expect(await page.evaluate(() => (window as { moved?: string[] }).moved)).toEqual([])
  await page.context().close()
})

test('the steps of setting up a company are put away by keyboard, taken back, and brought back on its page', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'company', { viewport })
  const steps = page.getByRole('region', { name: 'Set up your company' })
  await page.goto(url('/panel/board'))
  await steps.getByRole('button', { name: 'Hide these steps' }).press('Enter')
  await expect(steps).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Board', level: 1 })).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(steps.getByRole('listitem')).toHaveCount(6)
  // There, or where it was before the message was gone to.
  await expectFocusKept(page, 'steps that were taken back')

  await steps.getByRole('button', { name: 'Hide these steps' }).press('Enter')
  await expect(steps).toHaveCount(0)
  // Every view of the board, after it was opened anew, and the next device, too.
  await page.goto(url('/panel/board?view=list'))
  await expect(page.getByRole('heading', { name: 'Board', level: 1 })).toBeVisible()
  await expect(page.locator('[data-unsettled]')).toHaveCount(0)
  await expect(steps).toHaveCount(0)
  const { tenantId } = await (await callAs('company'))(accounts.info, {})
  await page.goto(url(`/panel/tenants/${tenantId}`))
  await expect(steps).toContainText(/\d of 6 done/)
  await expect(steps.getByRole('listitem')).toHaveCount(0)
  await expectClean(page, 'steps that were put away')
  await expectNoSidewaysScroll(page, 'steps that were put away')
  await steps.getByRole('button', { name: 'Show the steps' }).press('Enter')
  await expect(steps.getByRole('listitem')).toHaveCount(6)
  await expectClean(page, 'steps that were brought back')
  await page.context().close()
})

/** What the browser saw moving by itself, by its classes. */
const watchMoves = (page: Page) =>
  page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        hadRecentInput: boolean
        value: number
        sources: { node: Element | null }[]
      })[])
        if (!entry.hadRecentInput && entry.value > 0.0001)
          moved.push(`${entry.value.toFixed(4)} ${entry.sources.map(({ node }) => node?.className ?? '').join(' | ')}`)
    }).observe({ type: 'layout-shift', buffered: true })
  })
