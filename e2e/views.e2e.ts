import { expect, test } from '@playwright/test'
import { views } from '@clear-to-post/contract/views'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

test('a view of a list is kept under a name, found on another device, renamed, deleted and brought back', async ({
  browser,
  viewport,
}, info) => {
  const name = `Editors ${info.project.name}`
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/people?role=Editor&order=email%3Aasc'))
  await expect(admin.getByText('editor@demo.test').filter({ visible: true })).toBeVisible()
  const menu = () => admin.getByRole('button', { name: /^Views/ })
  await menu().click()
  await expectClean(admin, 'the menu of views')
  await admin.getByRole('menuitem', { name: 'Save view…' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Write a name for it.')).toBeVisible()
  await expectClean(admin, 'keeping a view')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText(`“${name}” is saved`)).toBeVisible()
  await expect(admin.getByRole('button', { name: `Views: ${name}` })).toBeVisible()
  await expectNoSidewaysScroll(admin, 'a list with a view')

  // Elsewhere, from the whole list: the filter and the order are there again, and in the address.
  const other = await signIn(browser, 'admin', { viewport })
  await other.goto(url('/panel/people'))
  await expect(other.getByText('qa@demo.test').filter({ visible: true })).toBeVisible()
  await other.getByRole('button', { name: /^Views/ }).click()
  await other.getByRole('menuitemradio', { name }).click()
  await expect(other).toHaveURL(/role=Editor/)
  await expect(other).toHaveURL(/order=email/)
  await expect(other.getByText('qa@demo.test').filter({ visible: true })).toHaveCount(0)
  await other.goBack()
  await expect(other.getByText('qa@demo.test').filter({ visible: true })).toBeVisible()
  // A view belongs to its list alone.
  await other.goto(url('/panel/tenants'))
  await other.getByRole('button', { name: /^Views/ }).click()
  await expect(other.getByRole('menuitem', { name: 'Rename or delete…' })).toBeDisabled()
  await other.context().close()

  await menu().click()
  await admin.getByRole('menuitem', { name: 'Rename or delete…' }).click()
  await expectClean(admin, 'views to rename and delete')
  await dialog.getByRole('button', { name: `Rename ${name}` }).click()
  await dialog.getByLabel(`New name of ${name}`).fill(`${name}, by address`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText(`It is called “${name}, by address” now`)).toBeVisible()
  await dialog.getByRole('button', { name: `Delete ${name}, by address` }).click()
  await expect(dialog.getByText('No views saved for this list yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const deleted = admin.getByText(`“${name}, by address” is deleted`)
  await expect(deleted).toBeVisible()
  await admin.locator('[data-sonner-toast]').filter({ has: deleted }).getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByRole('button', { name: `Views: ${name}, by address` })).toBeVisible()

  // Others find what they left.
  const api = await callAs('admin')
  for (const { id } of (await api(views.list, {})).items) await api(views.remove, { params: { viewId: id } })
  await admin.context().close()
})
