import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, type Route } from '@playwright/test'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { connect } from './networks.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('an officer connects an account, schedules a post with its own words, and taking the schedule back stops it', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  const page = await signIn(browser, 'officer', { viewport })
  await connect(page, 'YouTube', 'sam.sandbox')
  await expect(page).toHaveURL(url('/panel/connections'))
  await expectClean(page, 'the connections')
  await expectNoSidewaysScroll(page, 'the connections')
  await page.screenshot({ path: test.info().outputPath('connections.png'), fullPage: true })

  const officer = await callAs('officer')
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const [project, other] = items.filter(({ actions }) => actions.includes('schedule')) as [Project, Project]
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const when = `${new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10)}T12:00`
  await dialog.getByLabel('Date and time').fill(when)
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

  // Whoever schedules another video hears what is due then, and on that day.
  await page.goto(url(`/panel/projects/${other.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await dialog.getByLabel('Date and time').fill(when)
  await expect(dialog.getByText('You have a post at this time already.')).toBeVisible()
  await expectClean(page, 'the schedule dialog with a post at the same time')
  await expectNoSidewaysScroll(page, 'the schedule dialog')
  await page.screenshot({ path: test.info().outputPath('same-time.png') })
  await dialog.getByLabel('Date and time').fill(when.replace('T12:00', 'T15:30'))
  await expect(dialog.getByText('You have posts on this day already:')).toBeVisible()

  await page.goto(url('/panel/calendar'))
  await expect(page.getByRole('list', { name: 'Gaps' })).toContainText('days without a post')
  await page.screenshot({ path: test.info().outputPath('gaps.png'), fullPage: true })
  await page.goto(url(`/panel/calendar?view=month&day=${when.slice(0, 10)}`))
  await expect(page.getByText(project.title).first()).toBeVisible()
  await expectClean(page, 'the calendar')
  await page.screenshot({ path: test.info().outputPath('calendar.png'), fullPage: true })

  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(posts.getByText('Taken back').first()).toBeVisible()
})

const misfit = 'a misfit is told before a video is scheduled, and a post that is not there is said so'
test(misfit, { tag: '@long' }, async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  const shoot = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`), fullPage: true })
  await connect(page, 'LinkedIn', 'sam.linked')
  await connect(page, 'Facebook', 'Sam’s page')
  await connect(page, 'X', 'sam.x')
  // Bluesky asks for a password that was made there for this app, and keeps the account's own out.
  await page.getByRole('button', { name: /Connect (another )?Bluesky/ }).click()
  const appPassword = page.getByRole('dialog')
  await appPassword.getByLabel('Your name there').fill('@sam.bsky.sandbox')
  await appPassword.getByLabel('App password').fill('the-account-itself')
  await expectClean(page, 'the dialog of an app password')
  await appPassword.getByRole('button', { name: 'Connect' }).click()
  await expect(appPassword.getByText('did not take this name and app password')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('app-password.png') })
  await appPassword.getByLabel('App password').fill('abcd-efgh-ijkl-mnop')
  await appPassword.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('sam.bsky.sandbox', { exact: true })).toBeVisible()
  await expectNoSidewaysScroll(page, 'the connections')
  await shoot('connections')

  const officer = await callAs('officer')
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  const setLength = (ms: number) =>
    behindItsBack(`update asset set duration_ms = $2 where id = $1`, [project.finalVideoId, ms])
  await setLength(150_000)
  // The cuts come late: what can be pressed before does not go elsewhere when they are there.
  const late = async (route: Route) => {
    await sleep(1500)
    await route.continue()
  }
  await page.route(`**/api/projects/${project.id}/cuts/`, late, { times: 1 })
  await page.goto(url(`/panel/projects/${project.id}`))
  const schedule = page.getByRole('button', { name: 'Schedule', exact: true }).first()
  await schedule.waitFor()
  const place = await schedule.boundingBox()
  await expect(page.getByRole('link', { name: 'Download' }).first()).toBeVisible()
  expect(await schedule.boundingBox()).toEqual(place)
  await schedule.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('X takes videos of up to 140 seconds; this one has 150 seconds.')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'X: sam.x', exact: true })).toBeDisabled()
  // Longer than a reel, which is said; it is posted all the same.
  await expect(dialog.getByText('Facebook shows it as a video, not as a reel')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: 'Facebook: Sam’s page' })).toBeEnabled()
  await dialog.getByText('LinkedIn: sam.linked').click()
  await dialog.getByText('Bluesky: sam.bsky.sandbox').click()
  await dialog.getByLabel('Text').last().fill('Rates fell. '.repeat(26))
  await dialog.getByLabel('Text').first().fill('Rates fell. '.repeat(26))
  await expect(dialog.getByText('Bluesky takes 300 characters; you have 312. Shorten the text.')).toBeVisible()
  await expectClean(page, 'the schedule dialog with what does not fit')
  await expectNoSidewaysScroll(page, 'the schedule dialog')
  await page.screenshot({ path: test.info().outputPath('misfit.png') })
  await dialog.getByText('X takes videos of up to 140 seconds').scrollIntoViewIfNeeded()
  await page.screenshot({ path: test.info().outputPath('misfit-file.png') })
  for (const field of await dialog.getByLabel('Text').all()) await field.fill('Rates fell this week. Write to me.')
  await expect(dialog.getByText('Shorten the text.')).toBeHidden()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('Scheduled')).toHaveCount(2)

  // As if one had been sent without an answer, and the other account had let its sign-in end.
  await behindItsBack(
    `update post set state = 'unconfirmed', next_at = null where project_id = $1 and network = 'linkedin' and state = 'scheduled'`,
    [project.id],
  )
  await behindItsBack(
    `update post set state = 'failed', failure = 'reauth', failure_words = 'Token has been revoked.', next_at = null
     where project_id = $1 and network = 'bluesky' and state = 'scheduled'`,
    [project.id],
  )
  await page.reload()
  await expect(posts.getByText('LinkedIn does not say whether this was posted.')).toBeVisible()
  await expect(posts.getByText('Connect the account again')).toBeVisible()
  await expect(posts.getByRole('link', { name: 'Open connections' })).toBeVisible()
  await expectClean(page, 'posts that need their officer')
  await expectNoSidewaysScroll(page, 'posts that need their officer')
  await posts.scrollIntoViewIfNeeded()
  await posts.screenshot({ path: test.info().outputPath('posts.png') })
  await posts.getByRole('button', { name: 'It is not there: LinkedIn: sam.linked' }).focus()
  await page.keyboard.press('Enter')
  await expect(posts.getByText('LinkedIn does not say')).toBeHidden()
  await expect(posts.getByRole('button', { name: 'Schedule again: LinkedIn: sam.linked' }).first()).toBeVisible()
  await posts.screenshot({ path: test.info().outputPath('posts-after.png') })

  await setLength(30_000)
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(posts.getByText('Taken back').first()).toBeVisible()
})
