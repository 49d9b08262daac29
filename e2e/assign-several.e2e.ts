import { expect, test } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('an ADMIN gives several videos to an editor at once, and takes it back', async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const api = await callAs('admin')
  const submitted = async () =>
    (await api(projects.list, { query: { wheres: `status:eq:${Status.submitted}`, perPage: 100 } })).items
  const [first, second] = (await submitted()).filter(({ editorId }) => editorId === undefined)
  const editorsOf = async () =>
    (await submitted()).filter(({ id }) => id === first!.id || id === second!.id).map(({ editorName }) => editorName)

  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url(`/panel/board?view=list&status=${Status.submitted}`))
  for (const { title } of [first!, second!])
    await page.getByRole('checkbox', { name: `Choose “${title}”`, exact: true }).press(' ')
  const bar = page.getByRole('group', { name: '2 videos chosen' })
  await expect(bar).toBeVisible()
  await bar.getByRole('button', { name: /Give to/ }).click()
  await page.getByRole('option', { name: 'Eli Brandt' }).click()
  await expectNoSidewaysScroll(page, 'two videos chosen')
  await expectClean(page, 'two videos chosen')
  await bar.getByRole('button', { name: 'Assign' }).click()
  const done = page.getByText('2 videos were assigned')
  await expect(done).toBeVisible()
  // It stays as long as the pointer is on it.
  await done.hover()
  expect(await editorsOf()).toEqual(['Eli Brandt', 'Eli Brandt'])
  await expect(bar).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 videos are as they were')).toBeVisible()
  expect(await editorsOf()).toEqual([undefined, undefined])
})
