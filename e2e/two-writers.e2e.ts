import { expect, test } from '@playwright/test'
import { notes } from '@clear-to-post/contract/notes'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

test('a change of a note that somebody changed meanwhile is told of it, and takes nothing of theirs away', async ({
  browser,
  viewport,
}) => {
  const [admin, editor] = [await callAs('admin'), await callAs('editor')]
  const { items } = await admin(projects.list, { query: { wheres: `status:eq:${Status.waitingApproval}` } })
  const { id: projectId, userId } = items[0]!
  const title = `Family ${Date.now().toString(36)}`
  const note = await editor(notes.save, { body: { userId, title, content: 'Two dogs' } })
  const change = (content: string) => admin(notes.change, { params: { id: note.id }, body: { content } })

  const page = await signIn(browser, 'editor', { viewport })
  await page.goto(
    url(`/panel/projects/${items.find(({ editorName }) => editorName === 'Eli Brandt')?.id ?? projectId}?tab=notes`),
  )
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page.getByRole('menuitem', { name: 'Change' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(`${title}, dogs`)
  await change('Never show the dogs')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Somebody has changed this note meanwhile.', { exact: false })).toBeVisible()
  // What was left as it was is the other one’s now; what was written stays.
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Never show the dogs')
  await expect(page.getByText('As it is now, without what you wrote:')).toBeVisible()
  await expectNoSidewaysScroll(page, 'a note that was changed meanwhile')
  await expectClean(page, 'a note that was changed meanwhile')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: `${title}, dogs` })).toBeVisible()
  await expect(page.getByText('Never show the dogs')).toBeVisible()
  await editor(notes.remove, { params: { id: note.id } })
  await page.context().close()
})

test('a change of a category shows what somebody else changed meanwhile, and takes no other part away', async ({
  browser,
  viewport,
}) => {
  const admin = await callAs('admin')
  const library = async () => (await admin(scripts.library, {})).categories[0]!
  const { id, title, backgroundColor } = await library()
  const change = (parts: { title: string; backgroundColor: string }) =>
    admin(scripts.saveCategory, { body: { id, ...parts } })

  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url('/panel/scripts'))
  await page.getByRole('button', { name: `Edit the category ${title}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(`${title}, mine`)
  await change({ title: `${title}, theirs`, backgroundColor: '#112233' })
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(dialog.getByText('Somebody has changed this category meanwhile.', { exact: false })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'The name is now' })).toBeVisible()
  await expect(dialog.getByText(`${title}, theirs`)).toBeVisible()
  await expect(dialog.getByText('#112233')).toBeVisible()
  await expectNoSidewaysScroll(page, 'a category that was changed meanwhile')
  await expectClean(page, 'a category that was changed meanwhile')
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await library()).toMatchObject({ title: `${title}, mine`, backgroundColor: '#112233' })
  await change({ title, backgroundColor })
  await page.context().close()
})

test('a comment begun between staff is not posted once its officer would read it, until its writer means it', async ({
  browser,
  viewport,
}) => {
  const admin = await callAs('admin')
  const { items } = await admin(projects.list, { query: { wheres: `status:eq:${Status.waitingApproval}` } })
  const { id } = items.find(({ actions }) => actions.includes('approve'))!
  const params = { projectId: id }
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(url(`/panel/projects/${id}`))
  const words = `Is the licence right? ${Date.now().toString(36)}`
  const box = page.getByRole('textbox', { name: /Comment on this moment/ })
  await box.fill(words)
  await expect(page.getByText('Between staff: its officer does not read this.')).toBeVisible()
  await admin(projects.approve, { params })
  await expect(page.getByText('You began this between staff. Its officer would read it now.')).toBeVisible()
  await expectNoSidewaysScroll(page, 'a comment that others would read')
  await expectClean(page, 'a comment that others would read')
  const post = page.getByRole('button', { name: 'Post', exact: true })
  await post.click()
  await expect(page.getByText('its officer reads what you post', { exact: false })).toBeVisible()
  await expect(box).toHaveValue(words)
  const texts = async () => (await admin(projects.comments, { params })).items.map(({ text }) => text)
  expect(await texts()).not.toContain(words)
  await expect(page.getByText('Its officer reads this.')).toBeVisible()
  await post.click()
  await expect.poll(texts).toContain(words)
  await admin(projects.rollback, { params })
  await page.context().close()
})
