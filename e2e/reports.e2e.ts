import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { reports } from '@clear-to-post/contract/reports'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

test('an ADMIN reads how the business does as charts, tables and files, by period, editor and officer', async ({
  browser,
  viewport,
}) => {
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
