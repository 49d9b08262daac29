import { expect, test } from '@playwright/test'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectFocusKept } from './focus.ts'
import { signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('a reviewer makes an API key by keyboard, a program uses it, and an ADMIN revokes it', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const name = `Report ${info.project.name}-${Date.now().toString(36)}`
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url('/panel/profile'))
  await qa.getByRole('button', { name: 'Make a key' }).press('Enter')
  const dialog = qa.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make the key' }).press('Enter')
  await expect(dialog.getByText('Choose at least one.')).toBeVisible()
  await expectClean(qa, 'a key without a name')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('checkbox', { name: 'See videos, comments and files' }).press('Space')
  await dialog.getByRole('button', { name: 'Make the key' }).press('Enter')
  await expect(dialog.getByText('it is shown only this once')).toBeVisible()
  const key = await dialog.getByLabel('API key').inputValue()
  await expectClean(qa, 'a new key')
  await dialog.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await expectFocusKept(qa, 'a new key')
  await expect(qa.getByRole('listitem').filter({ hasText: name })).toContainText('never used')
  await expect(qa.getByText(key)).toHaveCount(0)

  const ask = async (path: string) => {
    const answer = await fetch(url(path), { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, limit: answer.headers.get('ratelimit') }
  }
  expect(await ask('/api/projects/list')).toMatchObject({
    status: 200,
    limit: expect.stringMatching(/^"key";r=\d+;t=\d+$/),
  })
  expect(await ask('/api/accounts/users/search/')).toMatchObject({ status: 403 })

  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/people'))
  await admin.getByRole('link', { name: 'API keys' }).press('Enter')
  await admin.getByRole('searchbox').fill(name)
  await expect(admin.locator('[aria-busy="true"]')).toHaveCount(0)
  await admin
    .getByRole('button', { name: `Revoke “${name}”` })
    .locator('visible=true')
    .press('Enter')
  await admin.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
  await expectClean(admin, 'before a key is revoked')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect(admin.getByText(`“${name}” is revoked`)).toBeVisible()
  await expectFocusKept(admin, 'a revoked key')
  await expectNoSidewaysScroll(admin, 'the keys of a company')
  expect(await ask('/api/projects/list')).toMatchObject({ status: 401 })
})
