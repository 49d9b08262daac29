import { expect, test, type Page } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { catalogue } from '@clear-to-post/contract/catalogue'
import { identity } from '@clear-to-post/contract/identity'
import { notes } from '@clear-to-post/contract/notes'
import { notifications } from '@clear-to-post/contract/notifications'
import { projects } from '@clear-to-post/contract/projects'
import { scripts } from '@clear-to-post/contract/scripts'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, callWith, signIn, url } from './people.ts'

/** An admin’s calls, with the password given just now. */
const strong = async () =>
  callWith((await (await callAs('admin'))(identity.confirm, { body: { password: 'demo-Clear2Post' } })).idToken)

/** Somebody comes back to a page that they left for a while: it asks at this address again. */
const readAnew = async (page: Page, address: string) => {
  const fresh = page.waitForResponse((answer) => answer.url().includes(address) && answer.request().method() === 'GET')
  await page.clock.install({ time: Date.now() + 120_000 })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await fresh
}

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

test('a price that another admin set stays, also where the page was read anew since the draft began', async ({
  browser,
  viewport,
}) => {
  const api = await strong()
  const productOf = async (id?: string) => {
    const { products } = await api(catalogue.list, {})
    return products.find((one) => (id ? one.id === id : one.plans.filter(({ isActive }) => isActive).length === 2))!
  }
  const product = await productOf()
  const sold = product.plans.filter(({ isActive }) => isActive)
  const pricesOf = ({ plans }: typeof product) => plans.filter(({ isActive }) => isActive).map(({ price }) => price)
  const { name, subtitle, description, position, isActive } = product
  const sell = (prices: number[], version: string) => {
    const plans = sold.map(({ id, currency, interval, projectsPerMonth, revisionsPerProject, turnaroundHours }, i) => ({
      id,
      currency,
      interval,
      projectsPerMonth,
      revisionsPerProject,
      turnaroundHours,
      price: prices[i]!,
    }))
    const body = { name, subtitle, description, position, couponId: product.couponId ?? null, isActive, version, plans }
    return api(catalogue.updateProduct, { params: { productId: product.id }, body })
  }
  const [first, second] = pricesOf(product) as [number, number]

  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url(`/panel/payments/catalogue/${product.id}`))
  const price = page.getByRole('listitem', { name: 'Plan 1' }).getByRole('textbox', { name: 'Price' })
  await price.fill(String(first / 100 + 1))
  await sell([first, second + 5000], product.version)
  await readAnew(page, '/catalogue/')
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(page.getByText('Somebody changed this product since you opened it.', { exact: false })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The plans are now' })).toBeVisible()
  expect(pricesOf(await productOf(product.id))).toEqual([first, second + 5000])
  await expectNoSidewaysScroll(page, 'a product that was changed meanwhile')
  await expectClean(page, 'a product that was changed meanwhile')
  // Now it is in sight, and may be replaced.
  await save.click()
  await expect(page.getByText('Saved. It is so on the public page now.')).toBeVisible()
  await page.context().close()
  await sell([first, second], (await productOf(product.id)).version)
})

test('a trigger that another admin changed is not overwritten, also where the page was read anew since', async ({
  browser,
  viewport,
}) => {
  const api = await strong()
  const { id } = await api(notifications.createTrigger, {
    body: {
      title: 'Two admins',
      transportType: ['push'],
      notification: { title: 'Film one', body: 'This week' },
      criteria: { type: 'allUsers' },
      timeOfDay: '09:00',
      executionDate: '2099-01-01',
    },
  })
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url(`/panel/triggers/${id}`))
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Mine')
  await api(notifications.updateTrigger, {
    params: { id },
    body: { notification: { title: 'Film one', body: 'Theirs' } },
  })
  await readAnew(page, `/notifications/trigger/${id}`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(page.getByText('Somebody has changed this trigger meanwhile.', { exact: false })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The text is now' })).toBeVisible()
  await expect(page.getByText('Theirs', { exact: true })).toBeVisible()
  await save.click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect((await api(notifications.trigger, { params: { id } })).notification.body).toBe('Mine')
  await api(notifications.deleteTrigger, { params: { id } })
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
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const kept = page.locator('[data-unsent=waiting]').filter({ hasText: words })
  await expect(kept).toContainText('its officer reads what you post')
  await expect(box).toHaveValue('')
  const texts = async () => (await admin(projects.comments, { params })).items.map(({ text }) => text)
  expect(await texts()).not.toContain(words)
  await expect(kept).toContainText('Its officer reads this.')
  await kept.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(texts).toContain(words)
  await admin(projects.rollback, { params })
  await page.context().close()
})

test('a change of a person takes back nothing of what another admin changed meanwhile, and shows it first', async ({
  browser,
  viewport,
}) => {
  const api = await strong()
  const read = async () => (await api(accounts.search, { query: { wheres: 'email:eq:qa@demo.test' } })).items[0]!
  const { id: userId, name, profession = '' } = await read()
  const change = (parts: { role?: 'QA' | 'ADMIN'; profession?: string }) =>
    api(accounts.update, { body: { userId, ...parts } })
  await change({ role: 'ADMIN' })
  const page = await signIn(browser, 'admin', { viewport })
  await page.goto(url(`/panel/people/${userId}`))
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Profession' })
  await field.fill('Head of review')
  // The page reads it anew while the dialog is open.
  await change({ role: 'QA' })
  await readAnew(page, `/accounts/people/${userId}`)
  const save = dialog.getByRole('button', { name: 'Save', exact: true })
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await read()).toMatchObject({ role: 'QA', profession: 'Head of review' })

  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await field.fill('Mine')
  await change({ profession: 'Theirs' })
  await save.click()
  await expect(dialog.getByText('Somebody has changed this person meanwhile.', { exact: false })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: 'The profession is now' })).toBeVisible()
  await expect(dialog.getByText('Theirs')).toBeVisible()
  await expectNoSidewaysScroll(page, 'a person who was changed meanwhile')
  await expectClean(page, 'a person who was changed meanwhile')
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await read()).toMatchObject({ name, role: 'QA', profession: 'Mine' })
  await change({ profession })
  await page.context().close()
})
