import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('an ADMIN sees what is due and scheduled by day, goes through the months, and opens a video', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const { items } = await api(projects.list, { query: { wheres: `status:eq:${Status.scheduled}`, perPage: 100 } })
  const video = items.find(({ publishAt }) => publishAt !== undefined)!
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url(`/panel/board?view=calendar&day=${video.publishAt!.slice(0, 10)}`))
  const calendar = page.getByRole('region', { name: 'Calendar' })
  const link = calendar.getByRole('link', { name: video.title })
  await expect(link).toBeVisible()
  await expectNoSidewaysScroll(page, 'the calendar of the board')
  await expectClean(page, 'the calendar of the board')

  const month = calendar.getByRole('heading', { level: 2 }).first()
  const name = await month.textContent()
  await calendar.getByRole('button', { name: 'Next month' }).focus()
  await page.keyboard.press('Enter')
  await expect(month).not.toHaveText(name!)
  await calendar.getByRole('button', { name: 'Month before' }).click()
  await expect(month).toHaveText(name!)
  await link.click()
  await expect(page.getByRole('heading', { name: video.title, level: 1 })).toBeVisible()
})
