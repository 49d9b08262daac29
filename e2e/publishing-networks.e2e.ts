import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { allowAs, atNetworks, connect, standIns } from './networks.ts'
import { callAs, signIn, url } from './people.ts'

const four = ['YouTube', 'Instagram', 'Facebook', 'X'] as const

/** Its posts are moved to this moment as their officer moves them: a run that makes one ready has it no more. */
const dueNow = `
  update post set due_at = now(), next_at = now(), run = run + 1, leased_until = null
  where project_id = $1 and state in ('scheduled', 'preparing', 'prepared')`

test('an officer posts a video to four networks, mends the one that failed, and it is there once at each', async ({
  browser,
  viewport,
}) => {
  test.slow()
  const screen = test.info().project.name
  const page = await signIn(browser, 'officer', { viewport })
  const shoot = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
  const accountOf = (network: string) => `sam.${network.toLowerCase()}.${screen}`
  const wordsOf = (network: string) => `Rates fell this week. Ask me on ${network}, from a ${screen}.`
  for (const network of four) await connect(page, network, accountOf(network))
  await shoot('connections')

  const officer = await callAs('officer')
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(
    ({ actions, posts: its = [] }) => actions.includes('schedule') && !its.some(({ state }) => state === 'live'),
  )!
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const when = `${new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10)}T12:00`
  await dialog.getByLabel('Date and time').fill(when)
  for (const network of four) {
    await dialog.getByRole('checkbox', { name: `${network}: ${accountOf(network)}`, exact: true }).press('Space')
    // The one that nobody has written yet.
    for (const field of await dialog.getByRole('textbox', { name: 'Text', exact: true }).all())
      if (!(await field.inputValue()).startsWith('Rates fell')) await field.fill(wordsOf(network))
  }
  await expectClean(page, 'the schedule dialog with four networks')
  await expectNoSidewaysScroll(page, 'the schedule dialog with four networks')
  await shoot('schedule')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('Scheduled', { exact: true })).toHaveCount(4)
  await page.goto(url(`/panel/calendar?view=list&day=${when.slice(0, 10)}`))
  await expect(page.getByText(project.title).first()).toBeVisible()
  await shoot('calendar')

  // Instagram ends what was allowed, as it does with a new password there; then the moment comes.
  await atNetworks({ endTokens: 'instagram' })
  await page.goto(url(`/panel/projects/${project.id}`))
  expect(await behindItsBack(dueNow, [project.id])).toBe(4)
  await expect(posts.getByText('Not posted', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(posts.getByText('Posted', { exact: true })).toHaveCount(3, { timeout: 120_000 })
  await expect(posts.getByText('Connect the account again')).toBeVisible()
  await expectClean(page, 'three posts that are there and one that is not')
  await expectNoSidewaysScroll(page, 'three posts that are there and one that is not')
  await shoot('one-failed')

  // The connection says so, too, and is mended there.
  await posts.getByRole('link', { name: 'Open connections' }).click()
  await expect(page.getByText('Nothing is posted there until it is connected again').first()).toBeVisible()
  await expectClean(page, 'a connection that ended')
  await shoot('connection-ended')
  await page.getByRole('button', { name: `Connect again: Instagram: ${accountOf('Instagram')}` }).click()
  await allowAs(page, accountOf('Instagram'))
  await expect(page.getByText(accountOf('Instagram'), { exact: true }).locator('..')).toContainText('Connected')
  await page.goto(url(`/panel/projects/${project.id}`))
  await posts.getByRole('button', { name: `Post again: Instagram: ${accountOf('Instagram')}` }).press('Enter')
  await expect(page.getByText(/It goes out again now|Scheduled again for/)).toBeVisible()
  await behindItsBack(dueNow, [project.id])
  await expect(posts.getByText('Posted', { exact: true })).toHaveCount(4, { timeout: 120_000 })
  await expect(posts.getByRole('link', { name: /^Look at the post: / })).toHaveCount(4)
  await shoot('all-there')

  // What everybody sees there, and not what the product says of it.
  const shownOnce = async () => {
    const there = await browser.newPage()
    for (const network of four) {
      await there.goto(`${await standIns()}/${network.toLowerCase()}/`)
      await expect(there.getByRole('listitem').filter({ hasText: wordsOf(network) }), network).toHaveCount(1)
    }
    await there.close()
  }
  await shownOnce()

  // With its last post the video is done. Scheduled once more and taken back in time, nothing more comes there.
  await page.reload()
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await dialog.getByLabel('Date and time').fill(when)
  for (const network of four)
    await dialog.getByRole('checkbox', { name: `${network}: ${accountOf(network)}`, exact: true }).press('Space')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(posts.getByText('Scheduled', { exact: true })).toHaveCount(4)
  // An earlier journey may have taken some of this video back.
  const takenBack = posts.getByText('Taken back', { exact: true })
  const before = await takenBack.count()
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(takenBack).toHaveCount(before + 4)
  await shownOnce()
  // Later journeys find a calendar without these.
  await behindItsBack(`delete from post where project_id = $1 and state in ('live', 'withdrawn')`, [project.id])
})
