import { expect, test, type Page } from '@playwright/test'
import { expectClean } from './axe.ts'
import { behindItsBack } from './database.ts'
import { signIn, url } from './people.ts'

test('an ADMIN makes, tests, pauses, runs and deletes a trigger, and its officer reads the notification', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'admins sit at desks; pages.e2e.ts looks at phones')
  const tag = Date.now().toString(36)
  const page = await signIn(browser, 'admin', { viewport, reducedMotion: 'reduce' })
  await page.goto(url('/panel'))
  await page.getByRole('link', { name: 'Triggers', exact: true }).click()
  await page.getByRole('link', { name: 'New trigger' }).click()

  // Each missing field shows its own message.
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await expect(page.getByText('Give it a name.')).toBeVisible()
  await expect(page.getByLabel('Name of this trigger')).toBeFocused()
  await page.getByLabel('Name of this trigger').fill(`Come back ${tag}`)
  await page.getByLabel('Title', { exact: true }).fill(`Two minutes? ${tag}`)
  await page.getByLabel('Text', { exact: true }).fill('Film one this week.')
  await page.getByLabel(/^Button/).fill('Film one')
  await page.getByLabel('Where the button leads').fill('/panel/new')

  // A preview of the trigger is shown beside the form.
  const preview = page.getByRole('region', { name: 'What happens' })
  await page.getByText('Harbor Point Lending (demo)').click()
  await expect(preview.getByText(/^\d+$/)).not.toHaveText('0')
  await page.getByRole('radio', { name: 'Weekly' }).click()
  await page.getByRole('button', { name: 'Thursday' }).click()
  const runs = preview.getByRole('list', { name: 'Next runs' }).getByRole('listitem')
  await expect(runs).toHaveCount(5)
  await expect
    .poll(async () =>
      (await runs.allInnerTexts())
        .map((words) => words.slice(0, 3))
        .sort()
        .join(),
    )
    .toMatch(/^(Mon,Mon,Mon,Thu,Thu|Mon,Mon,Thu,Thu,Thu)$/)

  await page.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText('Sent to you.')).toBeVisible()
  await expectTold(page, `Two minutes? ${tag}`)
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await expect(page.getByRole('heading', { name: `Come back ${tag}` })).toBeVisible()
  await expect(page.getByText('It has not run yet.')).toBeVisible()

  const act = async (name: string) => {
    await page.getByRole('button', { name: `What to do with Come back ${tag}` }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const status = page.getByRole('banner').or(page.locator('header')).getByRole('status')
  await act('Pause')
  await expect(status.getByText('Paused', { exact: true })).toBeVisible()
  await act('Resume')
  await expect(status.getByText('Scheduled', { exact: true })).toBeVisible()
  await page.getByLabel('Text', { exact: true }).fill('Film one today.')
  // Leaving with changes asks first; another person's newer changes are not overwritten.
  await page.goBack()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click()
  await change(`description = 'By two', modified_at = now()`, `Come back ${tag}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Somebody has changed this trigger meanwhile.')).toBeVisible()
  await expect(page.getByLabel('Notes for admins')).toHaveValue('By two')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Not saved yet')).toBeHidden()

  // What else would take until Monday.
  await change('next_execution = now()', `Come back ${tag}`)
  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByText(/^\d+ told/)).toBeVisible({ timeout: 90_000 })
  await expect(history.getByText('Sent', { exact: true })).toBeVisible()
  await expect(status.getByText('Active', { exact: true })).toBeVisible()
  await expectClean(page, 'a trigger with a history')

  const officer = await signIn(browser, 'officer', { viewport })
  await officer.goto(url('/panel'))
  await expectTold(officer, `Two minutes? ${tag}`, 'Film one today.')
  await officer.context().close()

  await act('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/panel\/triggers$/)
  await expect(page.getByRole('link', { name: 'No video for 30 days' })).toBeVisible()
  await expect(page.getByRole('link', { name: `Come back ${tag}` })).toHaveCount(0)
  await page.context().close()
})

/** The bell's list contains all of these texts. */
const expectTold = async (page: Page, ...texts: string[]) => {
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const notices = page.getByRole('dialog', { name: 'Notifications' })
  for (const text of texts) await expect(notices.getByText(text).first()).toBeVisible()
  await page.keyboard.press('Escape')
}

/** Changes the trigger of this title in the database itself. */
const change = async (what: string, title: string) =>
  expect(await behindItsBack(`update notification_trigger set ${what} where title = $1`, [title])).toBe(1)
