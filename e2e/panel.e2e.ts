import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { expectClean } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('Ctrl+K leads to a video by its officer, ? shows the keys, and g then r leads to the reviews', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(url('/panel/review'))
  await expect(page.getByRole('heading', { name: 'What was decided' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /A video, a person/ })
  await field.fill('olivia')
  await expect(page.getByRole('option', { name: /Olivia Hart Video$/ }).first()).toBeVisible()
  await expectClean(page, 'the finder')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/panel\/projects\//)
  await page.locator('body').press('g')
  await page.locator('body').press('r')
  await expect(page).toHaveURL(/\/panel\/review$/)
  await page.locator('body').press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Go to Review')
  await page.context().close()
})

test(
  'a window that is too low for all rooms says that there are more, brings them, and shows the one that is open',
  { tag: '@long' },
  async ({ browser }) => {
    atOneScreen('desktop')
    const page = await signIn(browser, 'admin', { viewport: { width: 1280, height: 600 } })
    await page.goto(url('/panel/board'))
    const last = page.getByRole('navigation', { name: 'Panel' }).getByRole('link', { name: 'B-roll' })
    await expect(last).not.toBeInViewport({ ratio: 1 })
    await page.locator('[data-more-rooms=after]').click()
    await expect(last).toBeInViewport({ ratio: 1 })
    await expect(page.locator('[data-more-rooms=after]')).toHaveCount(0)
    await expectClean(page, 'a low window')
    await page.goto(url('/panel/clips'))
    await expect(last).toBeInViewport({ ratio: 1 })
    await page.goto(url('/panel/board'))
    await expect(page.getByRole('heading', { name: 'Board', level: 1 })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /A video, a person/ }).fill('triggers')
    await page.keyboard.press('Enter')
    await expect(
      page.getByRole('navigation', { name: 'Panel' }).getByRole('link', { name: 'Triggers' }),
    ).toBeInViewport({
      ratio: 1,
    })
    await page.context().close()
  },
)

test(
  'Ctrl+K leads to a part of one’s profile, whose heading has the focus',
  { tag: '@long' },
  async ({ browser, viewport }) => {
    atOneScreen('desktop')
    const page = await signIn(browser, 'officer', { viewport })
    await page.goto(url('/panel'))
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /A video, a person/ }).fill('passkeys')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeInViewport()
    await page.context().close()
  },
)

test('Ctrl+K leads to a script of the library that one reads', { tag: '@long' }, async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel'))
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /A video, a person/ }).fill('home EQUITY')
  await expect(
    page.getByRole('option', { name: /^Home equity, explained at the kitchen table.*Script$/ }),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel\/scripts\//)
  await expect(page.getByRole('heading', { name: 'Home equity, explained at the kitchen table' })).toBeVisible()
  await page.context().close()
})

test('an editor answers a reviewer’s comment and resolves it', { tag: '@long' }, async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const qa = await callAs('qa')
  const [waits] = (await qa(projects.list, { query: { wheres: 'status:eq:3' } })).items
  const params = { projectId: waits!.id }
  await qa(projects.comment, { params, body: { atMs: 500, text: 'The logo comes late' } })
  const page = await signIn(browser, 'editor', { viewport })
  await page.goto(url(`/panel/projects/${params.projectId}?tab=comments`))
  const actions = () => page.getByRole('button', { name: 'Actions for the comment of Quinn Avery' }).last().click()
  await expect(page.getByText('The logo comes late')).toBeVisible()
  await actions()
  await page.getByRole('menuitem', { name: 'Answer' }).click()
  await page.getByLabel('Answer to Quinn Avery').fill('Its officer wants it so')
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Answers' })).toContainText('Its officer wants it so')
  await actions()
  await page.getByRole('menuitem', { name: 'Resolve' }).click()
  await expect(page.getByText('Resolved')).toBeVisible()
  await expectClean(page, 'the thread')
  await page.context().close()
})

test('the board counts what nobody has, shows only that, and is taken along as CSV', async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/board?view=list'))
  const chip = page.getByRole('button', { name: /^\d+ unassigned$/ })
  await chip.click()
  await expect(page).toHaveURL(/triage=unassigned/)
  const count = Number((await chip.innerText()).split(' ')[0])
  const rows = page.getByRole('main').locator('a[href*="/panel/projects/"]')
  await expect(rows).toHaveCount(count)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'As CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('projects.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(count + 1)
  expect(lines[1]).toContain(await rows.first().innerText())
  await page.context().close()
})
