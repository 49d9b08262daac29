import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { connect } from './networks.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

const day = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T12:00`

test('an officer reads which file is made, adds a comment and a cover, and answers TikTok’s questions', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  const page = await signIn(browser, 'officer', { viewport })
  const shoot = async (name: string) => {
    await page.screenshot({ path: test.info().outputPath(`${name}.png`) })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: test.info().outputPath(`${name}-dark.png`) })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await connect(page, 'LinkedIn', 'sam.pages')
  await expect(page.getByText('sam.pages Home Loans')).toBeVisible()
  await expectClean(page, 'the connections with pages')
  await shoot('pages')
  await connect(page, 'Instagram', 'sam.insta')
  await connect(page, 'YouTube', 'sam.tube')
  await connect(page, 'TikTok', 'sam.tok')

  const officer = await callAs('officer')
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  const setRate = (rate: number) =>
    behindItsBack(`update asset set probe = jsonb_set(probe, '{video,fps}', to_jsonb($2::int)) where id = $1`, [
      project.finalVideoId,
      rate,
    ])
  await setRate(15)
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Date and time').fill(day(6))
  await expect(dialog.getByText('For Instagram it gets more pictures a second: 23 at least.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Instagram: sam.insta', exact: true }).press('Space')
  await dialog.getByRole('checkbox', { name: 'Add a first comment: Instagram: sam.insta' }).press('Space')
  await dialog.getByRole('textbox', { name: 'First comment' }).fill('#a #b #c #d #e')
  await expect(dialog.getByText('Instagram takes 4 hashtags in a comment. Leave some out.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'First comment' }).fill('Write to me for today’s rates.')
  await dialog.getByText('Instagram: sam.insta').scrollIntoViewIfNeeded()
  await expectClean(page, 'the schedule dialog with a comment')
  await shoot('comment')
  await dialog.getByRole('checkbox', { name: 'Instagram: sam.insta', exact: true }).press('Space')

  // TikTok: nothing is chosen beforehand, by keyboard alone.
  await dialog.getByRole('checkbox', { name: 'TikTok: sam.tok', exact: true }).press('Space')
  const asked = dialog.getByRole('group', { name: 'What TikTok asks: TikTok: sam.tok' })
  for (const box of await asked.getByRole('checkbox').all()) await expect(box).not.toBeChecked()
  // What is missing is said once it is to be scheduled, at its field.
  const terms = dialog.getByText('Agree to TikTok’s terms, or the video is not posted there.')
  await expect(terms).toBeHidden()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).press('Enter')
  await expect(terms).toBeVisible()
  await asked.getByRole('checkbox', { name: 'Disclose commercial content' }).press('Space')
  await expect(dialog.getByText('Say whom it promotes on TikTok')).toBeVisible()
  await asked.getByRole('checkbox', { name: 'Your brand' }).press('Space')
  await expect(asked.getByText('TikTok will label it “Promotional content”.')).toBeVisible()
  await asked.getByRole('checkbox', { name: 'Branded content' }).press('Space')
  await expect(asked.getByText('Branded Content Policy')).toBeVisible()
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await asked.scrollIntoViewIfNeeded()
    await expectNoSidewaysScroll(page, `TikTok’s questions at ${width}`)
    await shoot(`tiktok-${width}`)
  }
  await expectClean(page, 'TikTok’s questions')
  await page.setViewportSize(viewport!)
  await asked.getByRole('button', { name: /How it goes to TikTok/ }).click()
  await page.getByRole('option', { name: 'To your inbox there' }).click()
  await expect(dialog.getByText('Agree to TikTok’s terms')).toBeHidden()
  await shoot('inbox')
  await dialog.getByRole('checkbox', { name: 'YouTube: sam.tube', exact: true }).press('Space')
  await dialog.getByText('Choose the cover').last().click()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('Scheduled')).toHaveCount(2)

  // As they stand later: in the inbox, and a comment that failed.
  await behindItsBack(`update post set state = 'handed', next_at = null where project_id = $1 and network = 'tiktok'`, [
    project.id,
  ])
  await behindItsBack(
    `update post set state = 'live', live_at = now(), remote_id = 'x', next_at = null, handles = '{"cover":"refused"}'
     where project_id = $1 and network = 'youtube' and state = 'scheduled'`,
    [project.id],
  )
  await behindItsBack(
    `insert into post_comment (post_id, words, state, failure, failure_words)
     select id, 'Write to me', 'failed', 'permanent', 'Comments are turned off.' from post where project_id = $1 and network = 'youtube' and state = 'live'`,
    [project.id],
  )
  await page.reload()
  await expect(posts.getByText('It lies in your TikTok inbox.')).toBeVisible()
  await expect(posts.getByText('YouTube did not take the cover.')).toBeVisible()
  await expect(posts.getByText('Comments are turned off. Write it there yourself, or try again.')).toBeVisible()
  await expectClean(page, 'posts with a comment that failed and one in the inbox')
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page, `the posts at ${width}`)
    await posts.scrollIntoViewIfNeeded()
    await shoot(`posts-${width}`)
  }
  await page.setViewportSize(viewport!)
  await posts.getByRole('button', { name: 'Write the comment again: YouTube: sam.tube' }).press('Enter')
  await expect(page.getByText('The comment is written again now')).toBeVisible()
  await setRate(30)
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await expect(page.getByRole('button', { name: 'Schedule', exact: true }).first()).toBeVisible()
  // Later journeys find a calendar without what only looked posted.
  await behindItsBack(`delete from post where project_id = $1 and state in ('live', 'handed')`, [project.id])
})

test('a move to a day after the connection ends warns an officer, in the dialog and once it is done', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  await connect(page, 'X', 'sam.ends')
  const officer = await callAs('officer')
  const { items: accounts } = await officer(publishing.connections, {})
  const { id: connectionId } = accounts.find(({ name }) => name === 'sam.ends')!
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  const params = { projectId: project.id }
  await officer(projects.schedule, {
    params,
    body: { publishAt: new Date(`${day(5)}:00Z`).toISOString(), posts: [{ connectionId, words: 'Rates fell.' }] },
  })
  await behindItsBack(`update connection set ends_at = now() + interval '8 days' where id = $1`, [connectionId])
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Move to…: X: sam.ends' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Date and time').fill(day(12))
  await expect(dialog.getByText('X: sam.ends: This connection ends')).toBeVisible()
  await expectClean(page, 'the dialog of a move past the end of a connection')
  await page.screenshot({ path: test.info().outputPath('ends.png') })
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('X: sam.ends: This connection ends')).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('moved.png') })
  await officer(projects.unschedule, { params })
})

test('an account that is to be connected again is connected beside the schedule dialog, which stays as it was', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  await connect(page, 'X', 'sam.again')
  const officer = await callAs('officer')
  const { id } = (await officer(publishing.connections, {})).items.find(({ name }) => name === 'sam.again')!
  await behindItsBack(`update connection set state = 'needs-sign-in' where id = $1`, [id])
  const { items } = await officer(projects.list, { query: { wheres: [`status:eq:${Status.completed}`] } })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Date and time').fill(day(6))
  await expect(dialog.getByRole('checkbox', { name: 'X: sam.again · not connected any more' })).toBeDisabled()
  const again = dialog.getByRole('link', { name: /^Connect it again: X: sam\.again/ })
  await again.scrollIntoViewIfNeeded()
  await expectClean(page, 'an account that is to be connected again')
  await expectNoSidewaysScroll(page, 'an account that is to be connected again')
  const opened = page.context().waitForEvent('page')
  await again.press('Enter')
  const other = await opened
  await other.getByRole('button', { name: 'Connect again: X: sam.again' }).press('Enter')
  await other.getByRole('textbox', { name: 'Account' }).fill('sam.again')
  await other.getByRole('button', { name: 'Allow' }).click()
  await expect(other.getByText('sam.again', { exact: true })).toBeVisible()
  // Its name stands there before it is connected, too.
  await expect(other.getByRole('button', { name: 'Connect again: X: sam.again' })).toHaveCount(0)
  await other.close()
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(dialog.getByRole('checkbox', { name: 'X: sam.again', exact: true })).toBeEnabled()
  await expect(dialog.getByLabel('Date and time')).toHaveValue(day(6))
  await expect(again).toHaveCount(0)
  await page.context().close()
})
