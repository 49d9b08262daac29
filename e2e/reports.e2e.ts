import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { reports } from '@clear-to-post/contract/reports'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('an ADMIN reads how the business does as charts, tables and files, by period, editor and officer', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const query = { from: day(-90), to: day(0), timezone: 'America/Chicago' }
  const { categories } = await api(reports.videos, { query })
  const { items } = await api(reports.parts, { query: { ...query, by: 'editor' } })
  const editor = items[0]!

  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/reports?period=quarter'))
  await expect(page.getByRole('heading', { name: 'How are we doing', level: 1 })).toBeVisible()
  const videos = page.getByRole('region', { name: 'Videos', exact: true })
  await expect(videos.getByRole('img', { name: 'Videos' })).toBeVisible()
  await expectNoSidewaysScroll(page, 'reports')
  await expectClean(page, 'reports')

  // Each chart is a table and a file, too.
  await videos.getByRole('button', { name: 'Table: Videos' }).click()
  await expect(videos.getByRole('columnheader', { name: 'Approved' })).toBeVisible()
  const reasons = page.getByRole('region', { name: 'Why cuts are denied' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    reasons.getByRole('button', { name: '“Why cuts are denied” as CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines.length).toBeGreaterThanOrEqual(categories.length + 1)
  expect(lines[0]).toContain('"Reason","Times"')

  // One editor's figures, and the way back.
  await page
    .getByRole('button', { name: `Only ${editor.name}` })
    .locator('visible=true')
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`editor=${editor.id}`))
  await expect(page.getByText('Active officers')).toBeHidden()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('Active officers')).toBeVisible()
  await page.getByRole('tab', { name: 'Products' }).click()
  const sold = (await api(reports.parts, { query: { ...query, by: 'product' } })).items
  expect(sold.filter(({ productId }) => productId).length).toBeGreaterThan(0)
  for (const { name } of sold.filter(({ productId }) => productId))
    await expect(
      page.getByRole('tabpanel', { name: 'Products' }).getByText(name, { exact: true }).filter({ visible: true }),
    ).toBeVisible()
  await expectNoSidewaysScroll(page, 'reports by product')
  await expectClean(page, 'reports by product')
  await page.getByRole('tab', { name: 'Officers', exact: true }).click()
  await page
    .getByRole('button', { name: /^Only / })
    .locator('visible=true')
    .first()
    .click()
  await expect(page).toHaveURL(/officer=/)
  await page.getByRole('tab', { name: 'Lost officers' }).click()
  await expect(
    page
      .getByText('Nobody was lost')
      .or(page.getByRole('table', { name: 'Lost officers' }))
      .first(),
  ).toBeAttached()
  await expectNoSidewaysScroll(page, 'reports of an officer')
  await expectClean(page, 'reports of an officer')
})

test('an ADMIN sets the rate of an editor and takes the payroll of the month along as a file', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const month = new Date().toISOString().slice(0, 7)
  const query = { month, timezone: 'America/Chicago' }
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/reports'))
  await page.getByRole('link', { name: 'Payroll' }).click()
  await expect(page.getByRole('heading', { name: 'Payroll', level: 1 })).toBeVisible()
  await page.goto(url(`/panel/reports/payroll?month=${month}`))
  const { items } = await api(reports.payroll, { query })
  const { name } = items[0]!
  await page
    .getByRole('button', { name: new RegExp(`(Set a rate for|Change the rate of) ${name}`) })
    .filter({ visible: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('3,5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText(/Write dollars and cents with a dot/)).toBeVisible()
  await expectClean(page, 'a rate')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('3.50')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`The rate of ${name} is saved`)).toBeVisible()
  await expect(
    page.getByRole('button', { name: `Change the rate of ${name}: $3.50 a minute` }).filter({ visible: true }),
  ).toBeVisible()
  await expectClean(page, 'payroll')
  await expectNoSidewaysScroll(page, 'payroll')
  // The hours by which hours in hand are counted stand in each row.
  await expect(
    page.getByText(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun).*\d\d:\d\d–\d\d:\d\d/).filter({ visible: true }),
  ).not.toHaveCount(0)
  const paid = (await api(reports.payroll, { query })).items.find((one) => one.name === name)!
  // The minutes as they are shown, to the hundredth.
  expect(paid.pay).toBe(Math.round((Math.round(paid.lengthMs / 600) * 350) / 100))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Payroll of .* as CSV$/ }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toContain(
    '"Editor","E-mail address","Company","Approved videos","Minutes approved","Hands-on hours","Rate"',
  )
  expect(lines[0]).toContain('"Currency","Working hours"')
  const cells = lines.find((line) => line.startsWith(`"${name}"`))!
  expect(cells).toContain(`"3.50","a minute","${(paid.pay! / 100).toFixed(2)}","USD"`)
  await page.context().close()
})
