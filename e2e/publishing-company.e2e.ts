import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** An ADMIN of the officer's company, who signs in as everybody of the demo does. */
const makeCompanyAdmin = async () => {
  await behindItsBack(`
    with made as (
      insert into person (email, name, role, tenant_id, time_zone, email_verified_at)
      select 'company-admin@demo.test', 'Cora Lane', 'ADMIN', o.tenant_id, o.time_zone, now() from person o where o.email = 'officer@demo.test'
      on conflict do nothing returning id),
    word as (
      insert into password (person_id, hash)
      select made.id, p.hash from made, password p join person a on a.id = p.person_id where a.email = 'admin@demo.test')
    insert into consent (person_id, document, version, given_at)
    select made.id, c.document, c.version, c.given_at from made, consent c join person a on a.id = c.person_id
    where a.email = 'admin@demo.test'`)
}

test('a company’s admin connects a page and lets an officer post with it, who finds it when they schedule', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  await makeCompanyAdmin()
  const page = await signIn(browser, 'company-admin', { viewport })
  const shoot = (name: string, of = page) => of.screenshot({ path: test.info().outputPath(`${name}.png`) })
  await page.goto(url('/panel/connections'))
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
  await page.keyboard.press('Escape')
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
  await shoot('officers-choice', officer)

  // Whoever is not ticked any more finds it nowhere.
  await page.getByRole('button', { name: 'Who posts with it: Facebook: Harbor page' }).click()
  await olivia.focus()
  await page.keyboard.press('Space')
  await expect(olivia).not.toBeChecked()
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
  await expect(dialog.getByText('Nothing was read yet.')).toBeVisible()
  await expect(dialog.getByText(/There are too few to say: 0 of the 12/)).toBeVisible()
  await expectClean(page, 'no figures')
  await shoot('no-figures')
  const { items } = await (
    await callAs('officer')
  )(projects.list, {
    query: { wheres: [`status:eq:${Status.completed}`] },
  })
  const project = items.find(({ actions }) => actions.includes('schedule'))!
  // Sixteen posts of the past weeks, as if their network had been asked.
  await behindItsBack(`
    begin; select set_config('app.role', 'SYSTEM', true);
    with made as (
      insert into post (project_id, tenant_id, user_id, network, asset_id, sha256, words, due_at, state, live_at, address)
      select j.id, j.tenant_id, j.user_id, case when n % 2 = 0 then 'youtube' else 'linkedin' end, j.approved_video_id, 'x', 'Rates', at, 'live', at,
        'https://example.com/watch'
      from project j cross join generate_series(2, 9) n cross join lateral (values
        (date_trunc('week', now()) - n * interval '1 week' + interval '1 day 15 hours'),
        (date_trunc('week', now()) - n * interval '1 week' + interval '3 days 20 hours')) t (at)
      where j.id = '${project.id}' returning id, live_at, network)
    insert into post_figures (post_id, day, at, views, likes, comments)
    select id, live_at::date + 2, live_at + interval '2 days', case when extract(dow from live_at) = 2 then 1300 else 400 end, 31, 4
    from made where network = 'youtube';
    commit`)
  await page.reload()
  await page.getByRole('button', { name: 'Figures' }).click()
  await expect(dialog.getByText('All 8 posts')).toBeVisible()
  await expect(dialog.getByText(/6,800 views/).first()).toBeVisible()
  await expectClean(page, 'the figures')
  await shoot('figures')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download as a file' }).click()
  expect((await download).suggestedFilename()).toMatch(/^posts-.*\.csv$/)
  await page.keyboard.press('Escape')
  // The card of the posts stands on a video that was scheduled to be posted somewhere.
  const scheduled = items.find(({ destinations = [] }) => destinations.some((one) => one !== 'download'))
  if (scheduled) {
    await page.goto(url(`/panel/projects/${scheduled.id}`))
    await expectClean(page, 'the posts')
  }
  await behindItsBack(`delete from post where address = 'https://example.com/watch'`)
})
