import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('a company’s admin connects a page and lets an officer post with it, who finds it when they schedule', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  const page = await signIn(browser, 'company', { viewport })
  const shoot = (name: string, of = page) => of.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await page.goto(url('/panel/connections'))
  await expect(page.getByText('The pages that you administer at LinkedIn are connected')).toBeVisible()
  await expectClean(page, 'a company’s connections, empty')
  await page.getByRole('button', { name: 'Connect Facebook' }).click()
  await page.getByRole('textbox', { name: 'Account' }).fill('Harbor page')
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Harbor page', { exact: true })).toBeVisible()
  await expectNoSidewaysScroll(page, 'a company’s connections')
  await shoot('company-connections')

  await page.getByRole('button', { name: 'Who posts with it: Facebook: Harbor page' }).click()
  const dialog = page.getByRole('dialog')
  const olivia = dialog.getByRole('checkbox', { name: 'Olivia Hart' })
  await expect(olivia).not.toBeChecked()
  await olivia.focus()
  await page.keyboard.press('Space')
  await expect(olivia).toBeChecked()
  await expectClean(page, 'who posts with an account')
  await shoot('who-posts')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Who posts with it: Facebook: Harbor page' })).toBeFocused()

  const officer = await signIn(browser, 'officer', { viewport })
  await officer.goto(url('/panel/connections'))
  await expect(officer.getByText('Your company’s', { exact: true })).toBeVisible()
  await expect(officer.getByRole('button', { name: 'Disconnect: Facebook: Harbor page' })).toHaveCount(0)
  await expectClean(officer, 'the connections with one of the company’s')
  await shoot('officers-connections', officer)
  const { items } = await (
    await callAs('officer')
  )(projects.list, {
    query: { wheres: [`status:eq:${Status.completed}`] },
  })
  await officer.goto(url(`/panel/projects/${items.find(({ actions }) => actions.includes('schedule'))!.id}`))
  await officer.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await expect(officer.getByText('Facebook: Harbor page · Your company’s')).toBeVisible()
  await expect(officer.getByText('This connection ends')).toHaveCount(0)
  await shoot('officers-choice', officer)

  // Its network ends it in two days: who schedules for later is warned, and who schedules for tomorrow is not.
  const change = `update connection set ends_at = $1 where name = 'Harbor page'`
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  expect(await behindItsBack(change, [inDays(2)])).toBe(1)
  await officer.reload()
  await officer.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await officer.getByLabel('Date and time').fill(`${inDays(6).slice(0, 10)}T12:00`)
  const warning = officer.getByText(/^This connection ends .* Ask your admin to connect it again by then/)
  await expect(warning).toBeVisible()
  await expectClean(officer, 'the schedule dialog beyond the day a connection ends')
  await expectNoSidewaysScroll(officer, 'the schedule dialog')
  await shoot('officers-choice-beyond', officer)
  await officer.getByLabel('Date and time').fill(`${inDays(1).slice(0, 10)}T12:00`)
  await expect(warning).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Connect again: Facebook: Harbor page' })).toBeVisible()

  // Whoever is not ticked any more finds it nowhere, once that is saved.
  await page.getByRole('button', { name: 'Who posts with it: Facebook: Harbor page' }).click()
  await olivia.focus()
  await page.keyboard.press('Space')
  await expect(dialog.getByText('Olivia Hart: what is scheduled there is taken back when you save.')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Who posts with it: Facebook: Harbor page' }).click()
  await expect(olivia).toBeChecked()
  await olivia.focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: 'Save and take posts back' }).click()
  await expect(dialog).toBeHidden()
  await officer.goto(url('/panel/connections'))
  await expect(officer.getByRole('heading', { name: 'Facebook' })).toBeVisible()
  await expect(officer.getByText('Harbor page')).toHaveCount(0)
})

test('an officer reads how their posts did, and when they do best, beside each post and all together', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  const shoot = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await page.goto(url('/panel/calendar'))
  await page.getByRole('button', { name: 'Figures' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No figures yet.')).toBeVisible()
  await expect(dialog.getByText(/Too early to say: 0 of the 12/)).toBeVisible()
  await expectClean(page, 'no figures')
  await shoot('no-figures')
  const { items } = await (
    await callAs('officer')
  )(projects.list, {
    query: { wheres: [`status:eq:${Status.completed}`] },
  })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  // Sixteen posts of four weeks at two networks, those of Tuesdays seen more, and one at a network that tells nothing.
  const columns =
    'project_id, tenant_id, user_id, connection_id, network, asset_id, sha256, words, due_at, state, live_at, address'
  const ofAccount = (at: string) =>
    `j.id, j.tenant_id, j.user_id, c.id, c.network, j.approved_video_id, 'x', 'Rates', ${at}, 'live', ${at}, 'https://example.com/watch'`
  const accounts = `project j join connection c on c.user_id = j.user_id and c.account_id = 'olivias'`
  await behindItsBack(
    `insert into connection (user_id, network, account_id, name, connected_at)
     select j.user_id, network, 'olivias', 'Olivia Hart', now() from project j cross join (values ('youtube'), ('threads'), ('linkedin'), ('instagram')) n (network)
     where j.id = $1`,
    [project.id],
  )
  await behindItsBack(`
    with made as (
      insert into post (${columns}) select ${ofAccount('at')}
      from ${accounts} cross join generate_series(2, 5) n
      cross join lateral (values
        (date_trunc('week', now()) - n * interval '1 week' + interval '1 day 15 hours'),
        (date_trunc('week', now()) - n * interval '1 week' + interval '3 days 20 hours')) w (at)
      where j.id = '${project.id}' and c.network in ('youtube', 'threads') returning id, live_at)
    insert into post_figures (post_id, day, at, views, likes, comments)
    select id, live_at::date + 2, live_at + interval '2 days', case when extract(dow from live_at) = 2 then 1300 else 400 end, 31, 4
    from made`)
  await behindItsBack(
    `insert into post (${columns}) select ${ofAccount(`now() - interval '3 days'`)} from ${accounts}
     where j.id = $1 and c.network = 'linkedin'`,
    [project.id],
  )
  await page.reload()
  await page.getByRole('button', { name: 'Figures' }).click()
  await expect(dialog.getByText('All 16 posts')).toBeVisible()
  await expect(dialog.getByText(/13,600\sviews/)).toBeVisible()
  await expect(dialog.getByText(/On Tuesdays your posts did 1\.5 times as well as usual/)).toBeVisible()
  await expectClean(page, 'the figures')
  await expectNoSidewaysScroll(page, 'the figures')
  await shoot('figures')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download as a file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^posts-.*\.csv$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Figures' })).toBeFocused()

  // The best time is offered where a video is scheduled, and taken by keyboard.
  await page.goto(url(`/panel/projects/${project.id}`))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const best = dialog.getByRole('button', { name: /^When your posts do best, / })
  await best.focus()
  const before = await dialog.getByLabel('Date and time').inputValue()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Date and time')).not.toHaveValue(before)
  await expectClean(page, 'the schedule dialog with the best time')
  await shoot('best-time')

  // A cover is chosen by keyboard where the network takes one.
  await expect(dialog.getByRole('checkbox', { name: 'Choose the cover' })).toHaveCount(0)
  await dialog.getByRole('checkbox', { name: 'Instagram: Olivia Hart' }).focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('checkbox', { name: 'Choose the cover' }).focus()
  await page.keyboard.press('Space')
  const cover = dialog.getByRole('slider', { name: 'Cover: Instagram: Olivia Hart' })
  await cover.focus()
  for (let tenths = 0; tenths < 12; tenths++) await page.keyboard.press('ArrowRight')
  await expect(dialog.getByText('The picture at 1.2 seconds')).toBeVisible()
  await expect(cover).toHaveAttribute('aria-valuetext', 'The picture at 1.2 seconds')
  await expectClean(page, 'the choice of a cover')
  await shoot('cover')
  await page.keyboard.press('Escape')

  // Each post says its own figures, and where there are none why; also where the video goes to no network any more.
  await page.reload()
  const posts = page.getByRole('region', { name: 'Posts' })
  await expect(posts.getByText('All together:')).toBeVisible()
  await expect(posts.getByText('LinkedIn gives us no figures. Look at the post there.')).toBeVisible()
  await expectClean(page, 'the posts with figures')
  await expectNoSidewaysScroll(page, 'the posts with figures')
  await posts.scrollIntoViewIfNeeded()
  await shoot('posts')
  await behindItsBack(`delete from post where address = 'https://example.com/watch'`)
  await behindItsBack(`delete from connection where account_id = 'olivias'`)
})
