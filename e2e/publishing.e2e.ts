import { expect, test, type Page } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

/** Connects a sandbox account of this network by the panel, as a person does. */
const connect = async (page: Page, network: string, account: string) => {
  await page.goto(url('/panel/connections'))
  await page.getByRole('button', { name: new RegExp(`Connect (another )?${network}`) }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill(account)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText(account, { exact: true })).toBeVisible()
}

test('an officer connects an account, schedules a post with its own words, and taking the schedule back stops it', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'officer', { viewport })
  await connect(page, 'YouTube', 'sam.sandbox')
  await expect(page).toHaveURL(url('/panel/connections'))
  await expectClean(page, 'the connections')
  await expectNoSidewaysScroll(page, 'the connections')
  await page.screenshot({ path: test.info().outputPath('connections.png'), fullPage: true })

  const officer = await callAs('officer')
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('YouTube: sam.sandbox').click()
  await dialog.getByLabel('Text').fill('Rates fell this week. Write to me.')
  await expect(dialog.getByText('34 of 5000 characters')).toBeVisible()
  await expectClean(page, 'the schedule dialog')
  await page.screenshot({ path: test.info().outputPath('schedule.png') })
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('Scheduled')).toBeVisible()
  await expectClean(page, 'the posts')
  await page.screenshot({ path: test.info().outputPath('posts.png') })

  await page.goto(url('/panel/calendar?view=month'))
  await expect(page.getByText(project.title).first()).toBeVisible()
  await expectClean(page, 'the calendar')
  await page.screenshot({ path: test.info().outputPath('calendar.png'), fullPage: true })

  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(posts.getByText('Taken back')).toBeVisible()
})
