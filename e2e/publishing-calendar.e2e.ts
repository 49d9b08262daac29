import { expect, test, type Page } from '@playwright/test'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { dayIn, instantAt, timeIn } from '@clear-to-post/domain/calendar'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

/** The demo officer's zone is the browser's. */
const zone = 'America/New_York'
const dayOf = (at: string) => dayIn(new Date(at), zone)
const daysAhead = (days: number) => dayIn(new Date(Date.now() + days * 86_400_000), zone)
const nameOf = (day: string) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )

/** A finished video of the officer's, scheduled at nine on that day, with a post to YouTube; taken back at the end. */
const scheduledOn = async (page: Page, day: string, account: string) => {
  const officer = await callAs('officer')
  await page.goto(url('/panel/connections'))
  await page.getByRole('button', { name: /Connect (another )?YouTube/ }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill(account)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText(account, { exact: true })).toBeVisible()
  const { items: accounts } = await officer(publishing.connections, {})
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  const { id: connectionId } = accounts.find(({ name }) => name === account)!
  const params = { projectId: project.id }
  await officer(projects.schedule, {
    params,
    body: {
      publishAt: instantAt(day, '09:00', zone).toISOString(),
      posts: [{ connectionId, words: 'Rates fell this week.', title: 'Rates' }],
    },
  })
  const now = async () => {
    const { publishAt } = await officer(projects.find, { params })
    const { items: posts } = await officer(publishing.posts, { params })
    const waiting = posts.find(({ state }) => state === 'scheduled')!
    // Read one after the other: a move may come between them.
    if (waiting.dueAt !== publishAt) return 'the post is due at another time than its video'
    return `${dayOf(publishAt!)} ${timeIn(new Date(publishAt!), zone)}`
  }
  return { project, officer, now, takeBack: () => officer(projects.unschedule, { params }) }
}

const cardIn = (page: Page, day: string, { title }: Pick<Project, 'title'>) =>
  page.getByRole('grid', { name: nameOf(day), exact: true }).getByRole('row', { name: title })

test('an officer drags a scheduled video to another day, undoes it, and moves it by keyboard alone', async ({
  browser,
  viewport,
}) => {
  test.skip(test.info().project.name === 'phone', 'nothing is dragged on a phone')
  const page = await signIn(browser, 'officer', { viewport })
  // In the next week but one, so that both days stand in one week.
  const toMonday = (8 - new Date(daysAhead(7)).getUTCDay()) % 7
  const [monday, other] = [daysAhead(7 + toMonday), daysAhead(8 + toMonday)]
  const { project, officer, now, takeBack } = await scheduledOn(page, monday, 'sam.drags')
  for (const view of ['month', 'week'] as const) {
    await page.goto(url(`/panel/calendar?view=${view}&day=${monday}`))
    await expect(cardIn(page, monday, project)).toBeVisible()
    await expectClean(page, `the ${view}`)
    await page.screenshot({ path: test.info().outputPath(`${view}.png`), fullPage: true })
    await cardIn(page, monday, project).dragTo(page.getByRole('grid', { name: nameOf(other), exact: true }))
    await expect(cardIn(page, other, project)).toBeVisible()
    await expect(page.getByText(`“${project.title}” goes out`)).toBeVisible()
    await page.screenshot({ path: test.info().outputPath(`${view}-moved.png`), fullPage: true })
    await expect.poll(now).toBe(`${other} 09:00`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cardIn(page, monday, project)).toBeVisible()
    await expect.poll(now).toBe(`${monday} 09:00`)
  }

  // By keyboard: the card's handle picks it up, and it goes down on the day that is next.
  await page.goto(url(`/panel/calendar?view=month&day=${monday}`))
  await cardIn(page, monday, project).focus()
  // Of two videos of one title that one which was scheduled here.
  await cardIn(page, monday, project)
    .getByRole('button', { name: `Move “${project.title}” to another day` })
    .focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(now).not.toBe(`${monday} 09:00`)
  expect(await now()).toMatch(/ 09:00$/)
  await page.screenshot({ path: test.info().outputPath('by-keyboard.png'), fullPage: true })

  // A day that has passed is refused with words, and the card stays. Both days stand in this month's weeks, but for two days a year.
  const tomorrow = daysAhead(1)
  await officer(projects.reschedule, {
    params: { projectId: project.id },
    body: { publishAt: instantAt(tomorrow, '09:00', zone).toISOString() },
  })
  await page.goto(url(`/panel/calendar?view=month&day=${daysAhead(0)}`))
  await expect(page.getByRole('grid', { name: nameOf(daysAhead(0)), exact: true })).toBeVisible()
  const yesterday = page.getByRole('grid', { name: nameOf(daysAhead(-1)), exact: true })
  if ((await yesterday.isVisible()) && (await cardIn(page, tomorrow, project).isVisible())) {
    await cardIn(page, tomorrow, project).dragTo(yesterday)
    await expect(page.getByText('Choose a time that is at least 2 minutes ahead.')).toBeVisible()
    await expect(cardIn(page, tomorrow, project)).toBeVisible()
    expect(await now()).toBe(`${tomorrow} 09:00`)
  }
  await takeBack()
})

/** The next second Sunday of March, when clocks in New York skip from two to three. */
const clocksForward = (): string => {
  for (let day = 1; ; day++) {
    const at = new Date(`${daysAhead(day)}T12:00Z`)
    if (at.getUTCMonth() === 2 && at.getUTCDay() === 0 && at.getUTCDate() > 7 && at.getUTCDate() < 15)
      return daysAhead(day)
  }
}

test('an officer moves a scheduled video by “Move to…” in the list and on its page', async ({ browser, viewport }) => {
  const page = await signIn(browser, 'officer', { viewport })
  const [day, other, third] = [daysAhead(6), daysAhead(7), daysAhead(8)]
  const { project, now, takeBack } = await scheduledOn(page, day, 'sam.moves')
  await page.goto(url('/panel/calendar'))
  await expect(cardIn(page, day, project)).toBeVisible()
  await expectNoSidewaysScroll(page, 'the list of the calendar')
  await expectClean(page, 'the list of the calendar')
  await page.screenshot({ path: test.info().outputPath('list.png'), fullPage: true })
  await cardIn(page, day, project).getByRole('button', { name: 'What to do with' }).click()
  await page.screenshot({ path: test.info().outputPath('menu.png') })
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Date and time')).toHaveValue(`${day}T09:00`)
  // What that day’s clocks do not show is said, with what will be.
  await dialog.getByLabel('Date and time').fill(`${clocksForward()}T02:30`)
  await expect(dialog.getByText(/^Clocks go forward past this time: it will be .*3:30\sAM/)).toBeVisible()
  await dialog.getByLabel('Date and time').fill(`${other}T17:30`)
  await expect(dialog.getByText(/^Your time: Eastern/)).toBeVisible()
  await expectClean(page, 'the dialog of a move')
  await page.screenshot({ path: test.info().outputPath('dialog.png') })
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(cardIn(page, other, project)).toBeVisible()
  await expect.poll(now).toBe(`${other} 17:30`)

  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Move to…', exact: true }).click()
  await dialog.getByLabel('Date and time').fill(`${third}T08:00`)
  await page.screenshot({ path: test.info().outputPath('page-dialog.png') })
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect.poll(now).toBe(`${third} 08:00`)
  // One post alone: the video stays.
  await page.getByRole('button', { name: 'Move to…: YouTube: sam.moves' }).click()
  await dialog.getByLabel('Date and time').fill(`${third}T10:15`)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByText('goes out').last()).toBeVisible()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('10:15').first()).toBeVisible()
  await expectClean(page, 'the video’s page with a post that was moved')
  await posts.screenshot({ path: test.info().outputPath('posts.png') })
  // A time that is too near is refused at its field.
  await page.getByRole('button', { name: 'Move to…: YouTube: sam.moves' }).click()
  const soon = new Date(Date.now() + 60_000).toISOString()
  await dialog.getByLabel('Date and time').fill(`${dayOf(soon)}T${timeIn(new Date(soon), zone)}`)
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a time that is at least two minutes ahead.')
  await expect(dialog.getByLabel('Date and time')).toBeFocused()
  await page.keyboard.press('Escape')
  // Its words are read, and changed, until it is on its way. Below may stand a post of an earlier schedule.
  await expect(posts.getByText('Rates fell this week.', { exact: true }).first()).toBeVisible()
  // A pointer that rests on a message keeps it there.
  await page.mouse.move(0, 0)
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Edit: YouTube: sam.moves' }).click()
  await dialog.getByLabel('Text').fill('a <b>')
  await expect(dialog.getByText('YouTube takes no < or > in texts. Leave them out.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectClean(page, 'the dialog of a post’s text')
  await expectNoSidewaysScroll(page, 'the dialog of a post’s text')
  await page.screenshot({ path: test.info().outputPath('reword.png') })
  await dialog.getByLabel('Text').fill('Rates fell again.')
  await dialog.getByRole('button', { name: /Who may see it/ }).click()
  await page.getByRole('option', { name: 'Who has the address' }).click()
  await dialog.getByText('Choose the cover').click()
  await dialog.getByRole('slider', { name: 'Cover: YouTube: sam.moves' }).fill('1500')
  await dialog.getByRole('checkbox', { name: 'Add a first comment: YouTube: sam.moves' }).press('Space')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'First comment' }).fill('Write to me.')
  await expectClean(page, 'the dialog of a post that is changed')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page, `the dialog of a post that is changed at ${width}`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: test.info().outputPath(`edit-${width}-${colorScheme}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(viewport!)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Post changed')).toBeVisible()
  await expect(posts.getByText('Rates fell again.', { exact: true })).toBeVisible()
  await expect(posts.getByText('Who may see it: Who has the address · Cover: the picture at 1.5 seconds')).toBeVisible()
  await expect(posts.getByText('Write to me.')).toBeVisible()
  await posts.screenshot({ path: test.info().outputPath('edited.png') })
  // What stands there is what is changed next.
  await page.getByRole('button', { name: 'Edit: YouTube: sam.moves' }).click()
  await expect(dialog.getByRole('slider', { name: 'Cover: YouTube: sam.moves' })).toHaveValue('1500')
  await dialog.getByRole('checkbox', { name: 'Add a first comment: YouTube: sam.moves' }).press('Space')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(posts.getByText('Write to me.')).toBeHidden()
  await page.getByRole('tab', { name: 'History' }).click()
  await expect(page.getByText('Changed: text, who may see it, cover, and first comment')).toBeVisible()
  await expect(page.getByText('Changed: first comment')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('edited-history.png'), fullPage: true })
  await page.goto(url('/panel/calendar'))
  await expect(
    page.getByRole('grid', { name: nameOf(third), exact: true }).getByRole('row', { name: project.title }),
  ).toHaveCount(2)
  await page.screenshot({ path: test.info().outputPath('two.png'), fullPage: true })
  await takeBack()
})

test('an officer keeps slots of the week, sees those that are free, and is offered the next one first', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'officer', { viewport })
  const officer = await callAs('officer')
  await officer(publishing.setSlots, { body: { items: [] } })
  await page.goto(url('/panel/calendar'))
  await page.getByRole('button', { name: 'Slots' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Time of slot 1').fill('09:10')
  await dialog.getByRole('button', { name: 'Add a slot' }).press('Enter')
  await dialog.getByRole('button', { name: /Day of slot 2/ }).click()
  await page.getByRole('option', { name: 'Thursday' }).click()
  await expectClean(page, 'the dialog of slots')
  await expectNoSidewaysScroll(page, 'the dialog of slots')
  await page.screenshot({ path: test.info().outputPath('slots.png') })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Slots saved')).toBeVisible()
  await expect(page.getByText('9:10 AM · free slot').first()).toBeVisible()
  await expectClean(page, 'the calendar with free slots')
  await page.screenshot({ path: test.info().outputPath('free.png'), fullPage: true })
  await page.goto(url('/panel/calendar?view=month'))
  await expect(page.getByText('9:10 AM · free slot').first()).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('free-month.png'), fullPage: true })

  const { items, next } = await officer(publishing.slots, {})
  expect(items).toEqual([
    { weekday: 2, time: '09:10' },
    { weekday: 4, time: '09:10' },
  ])
  const { items: videos } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const video = videos.find(({ actions }) => actions.includes('schedule'))!
  await page.goto(url(`/panel/projects/${video.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await expect(dialog.getByRole('button', { name: /^Next free slot/ })).toBeVisible()
  await expect(dialog.getByLabel('Date and time')).toHaveValue(`${dayOf(next!)}T09:10`)
  await expectClean(page, 'the schedule dialog with a slot')
  await page.screenshot({ path: test.info().outputPath('schedule.png') })
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect
    .poll(async () => (await officer(projects.find, { params: { projectId: video.id } })).publishAt)
    .toBe(next)
  expect((await officer(publishing.slots, {})).next).not.toBe(next)
  await officer(projects.unschedule, { params: { projectId: video.id } })
  await officer(publishing.setSlots, { body: { items: [] } })
})
