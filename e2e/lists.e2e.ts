import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { views } from '@clear-to-post/contract/views'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('the board as a list is sorted as chosen, keeps it in its address, and names each company', async ({
  browser,
  viewport,
}, info) => {
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/board?view=list'))
  const rows = page.getByRole('main').locator('a[href*="/panel/projects/"]')
  await expect(rows.first()).toBeVisible()
  await page.getByRole('button', { name: /Sort by/ }).click()
  await page.getByRole('option', { name: 'Sent in first' }).click()
  await expect(page).toHaveURL(/order=submitTimestamp/)
  const { items } = await (
    await callAs('admin')
  )(projects.list, { query: { orderBy: 'submitTimestamp:asc', perPage: 3 } })
  for (const [place, { title }] of items.entries()) await expect(rows.nth(place)).toHaveText(title)
  await page.reload()
  await expect(rows.first()).toHaveText(items[0]!.title)
  const companies = page.getByRole('main').getByText('Harbor Point Lending (demo)').filter({ visible: true })
  await expect(companies.first()).toBeVisible()
  await expectClean(page, 'the sorted list')
  // On a phone its words have more than half of the line, beside the checkbox, the picture and the menu.
  expect((await rows.first().boundingBox())!.width).toBeGreaterThan(viewport!.width / 2)
  await expectNoSidewaysScroll(page, 'the sorted list', [320, 1280])
  // Open work in the order of what was promised, and so in the file.
  await page.getByRole('button', { name: /Sort by/ }).click()
  await page.getByRole('option', { name: 'Due first' }).click()
  await expect(page).toHaveURL(/order=dueBy/)
  const promised = await (await callAs('admin'))(projects.list, { query: { orderBy: 'dueBy:asc', perPage: 3 } })
  for (const [place, { title }] of promised.items.entries()) await expect(rows.nth(place)).toHaveText(title)
  const file = await taken(page)
  expect(file[0]).toContain('"Officer","Company","Editor"')
  for (const [place, { title, userName, tenantName }] of promised.items.entries())
    expect(file[place + 1]).toContain(`"${title}","${userName}","${tenantName}"`)
  // A saved view brings it back.
  await page.getByRole('button', { name: /^Views/ }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  const view = `Promised ${info.project.name}`
  await page.getByRole('dialog').getByLabel('Name').fill(view)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: `Views: ${view}` })).toBeVisible()
  await page.goto(url('/panel/board?view=list'))
  await expect(rows.first()).toBeVisible()
  await page.getByRole('button', { name: /^Views/ }).click()
  await page.getByRole('menuitemradio', { name: view }).click()
  await expect(page).toHaveURL(/view=list.*order=dueBy/)
  for (const [place, { title }] of promised.items.entries()) await expect(rows.nth(place)).toHaveText(title)
  const api = await callAs('admin')
  for (const { id } of (await api(views.list, {})).items) await api(views.remove, { params: { viewId: id } })
  // Of what is finished nothing is promised.
  await page.goto(url('/panel/board?view=list&status=2&order=dueBy%3Aasc'))
  await expect(rows.first()).toBeVisible()
  // The queue in its own order says places; in another one it would lie.
  await page.goto(url('/panel/board?view=list&status=0'))
  await expect(page.getByText('Place 1', { exact: true })).toBeVisible()
  await page.goto(url('/panel/board?view=list&status=0&order=submitTimestamp%3Adesc'))
  await expect(rows.first()).toBeVisible()
  await expect(page.getByText('Place 1', { exact: true })).toHaveCount(0)
  // The board has orders of its own and offers none.
  await page.goto(url('/panel/board?view=board'))
  await expect(page.getByRole('button', { name: /All statuses/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Sort by/ })).toHaveCount(0)
  await page.context().close()
})

test('payments, plans, companies and questions are taken along as CSV, as they are narrowed', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'admin', { viewport })
  const [payment] = (await (await callAs('admin'))(subscriptions.payments, { query: { wheres: 'state:eq:paid' } }))
    .items
  const payments = await taken(page, `/panel/payments?state=paid&q=${encodeURIComponent(payment!.payer.name)}`)
  expect(payments[0]).toContain('"Payer","Date"')
  expect(payments.slice(1).every((line) => line.includes(payment!.payer.name) && line.includes('"Paid"'))).toBe(true)
  expect(payments.join()).toContain(`"${(payment!.price / 100).toFixed(2)}"`)
  expect((await taken(page, '/panel/payments/plans')).join()).toContain('"Harbor Point Lending (demo)","Team"')
  expect((await taken(page, '/panel/tenants?q=Juniper')).slice(1)).toEqual([
    expect.stringContaining('"Juniper Home Loans (demo)"'),
  ])
  expect((await taken(page, '/panel/support')).join()).toContain('"Can captions be in Spanish?"')
  await page.context().close()
})

test('an editor and a reviewer of the whole service read of which officer and company a video is', async ({
  browser,
  viewport,
}) => {
  const company = 'Harbor Point Lending (demo)'
  const asked = { query: { perPage: 100 } }
  const mine = (await (await callAs('editor'))(projects.list, asked)).items
  const inHand = mine.find(({ actions, tenantName }) => actions.includes('send') && tenantName === company)!
  const editor = await signIn(browser, 'editor', { viewport })
  await editor.goto(url('/panel/work'))
  await expect(editor.getByRole('main').getByText(company).first()).toBeVisible()
  await editor.goto(url(`/panel/projects/${inHand.id}`))
  await expect(editor.getByRole('definition').filter({ hasText: company })).toBeVisible()
  await editor.goto(url(`/panel/projects/${inHand.id}/edit`))
  await expect(editor.getByText(`${inHand.userName} · ${company}`)).toBeVisible()
  await expectNoSidewaysScroll(editor, 'the bench with its company')
  await editor.context().close()

  const waiting = await (await callAs('qa'))(projects.list, { query: { wheres: 'status:eq:3', perPage: 1 } })
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url('/panel/review'))
  await expect(qa.getByRole('main').getByText(waiting.items[0]!.tenantName!).first()).toBeVisible()
  const decided = qa.getByRole('region', { name: 'What was decided' })
  await expect(decided.getByText(` · ${company}`).filter({ visible: true }).first()).toBeVisible()
  await expectNoSidewaysScroll(qa, 'what waits and what was decided')
  await qa.context().close()
})

test('an admin of one company sees no column and no part of companies', async ({ browser }) => {
  atOneScreen('desktop')
  // On a phone tables are cards.
  const page = await signIn(browser, 'company', { viewport: { width: 1440, height: 900 } })
  await page.goto(url('/panel/people'))
  const people = page.getByRole('table', { name: 'People' })
  await expect(people.getByRole('columnheader', { name: 'Role' })).toBeVisible()
  await expect(people.getByRole('columnheader', { name: 'Company' })).toHaveCount(0)
  for (const [path, name] of [
    ['/panel/people/consents', 'People and what they agreed to'],
    ['/panel/audit', 'Changes'],
  ] as const) {
    await page.goto(url(path))
    const table = page.getByRole('table', { name })
    await expect(table.getByRole('columnheader').first()).toBeVisible()
    await expect(table.getByRole('columnheader', { name: 'Company' })).toHaveCount(0)
  }
  for (const path of ['/panel/board?view=list', '/panel/people/consents', '/panel/audit', '/panel/support'])
    expect((await taken(page, path))[0], path).not.toContain('"Company"')
  // An address of somebody who sees several leads to a part that is there.
  await page.goto(url('/panel/reports?by=company'))
  await expect(page.getByRole('tab', { name: 'Officers', exact: true })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Companies' })).toHaveCount(0)
  await expect(page.getByRole('tab', { selected: true })).toHaveText('Editors')
  await page.context().close()
})

/** The lines of the file that this list, or the one that is open, is taken along as. */
const taken = async (page: Page, path?: string): Promise<string[]> => {
  if (path !== undefined) await page.goto(url(path))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'As CSV' }).click(),
  ])
  return (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
}

test('on a wide screen lists and figures reach across the page, and a line of a list stands in columns', async ({
  browser,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'admin', { viewport: { width: 1920, height: 1080 } })
  for (const path of [
    '/panel/reports',
    '/panel/people',
    '/panel/payments',
    '/panel/review',
    '/panel/work',
    '/panel/profile',
    '/panel/plan',
    '/panel/triggers/new',
  ]) {
    await page.goto(url(path))
    const body = page.locator('main > header + div')
    await expect(body).toBeVisible()
    const { width } = (await body.boundingBox())!
    expect(width, path).toBeGreaterThan(1600)
  }
  // Forms stand in columns, and what stays narrow stands in the middle.
  await page.goto(url('/panel/triggers/new'))
  const place = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())!
  const [words, whom] = [await place('Message'), await place('Who gets it')]
  expect(whom.y).toBe(words.y)
  expect(whom.x).toBeGreaterThan(words.x + words.width)
  await page.setViewportSize({ width: 3840, height: 2160 })
  for (const path of [
    '/panel/triggers/new',
    '/panel/profile',
    '/panel/new',
    '/panel/criteria',
    '/panel/notifications',
  ]) {
    await page.goto(url(path))
    const body = (await page.locator('main').locator('> header + div, > form > header + div').boundingBox())!
    const main = (await page.getByRole('main').boundingBox())!
    expect(Math.abs(body.x - main.x - (main.x + main.width - body.x - body.width)), path).toBeLessThan(2)
  }
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.goto(url('/panel/board?view=list'))
  const title = page.getByRole('main').locator('a[href*="/panel/projects/"]').first()
  await expect(title).toBeVisible()
  const whose = page.getByRole('main').getByText('Harbor Point Lending (demo)').filter({ visible: true }).first()
  const [left, middle] = [(await title.boundingBox())!, (await whose.boundingBox())!]
  expect(middle.x).toBeGreaterThan(left.x + 500)
  await page.context().close()
})
