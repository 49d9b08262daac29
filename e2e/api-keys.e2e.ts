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

test('a company’s admin makes a key of the company itself, sees it as the company’s, and revokes it', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const name = `Warehouse ${info.project.name}-${Date.now().toString(36)}`
  const admin = await signIn(browser, 'company', { viewport })
  await admin.goto(url('/panel/people/keys'))
  const shoot = async (what: string) => {
    for (const width of [390, 1440]) {
      await admin.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(admin, `${what} at ${width}`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await admin.emulateMedia({ colorScheme })
        await admin.screenshot({ path: info.outputPath(`${what.replaceAll(' ', '-')}-${width}-${colorScheme}.png`) })
      }
    }
    await admin.emulateMedia({ colorScheme: 'light' })
    await admin.setViewportSize(viewport!)
  }
  await admin.getByRole('button', { name: 'Make a key of the company' }).press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Make a key of the company' })
  await expect(dialog.getByText('it stays when whoever made it leaves')).toBeVisible()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('checkbox', { name: 'See videos, comments and files' }).press('Space')
  await expectClean(admin, 'a key of a company')
  await shoot('a key of a company')
  await dialog.getByRole('button', { name: 'Make the key' }).press('Enter')
  const key = await admin.getByLabel('API key', { exact: true }).inputValue()
  await admin.getByRole('button', { name: 'I have copied it' }).press('Enter')
  await expectFocusKept(admin, 'a new key of a company')
  const row = admin.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('The company’s own')
  await shoot('the keys of a company')
  const ask = async () =>
    (await fetch(url('/api/projects/list'), { headers: { authorization: `Bearer ${key}` } })).status
  expect(await ask()).toBe(200)
  await admin
    .getByRole('button', { name: `Revoke “${name}”` })
    .locator('visible=true')
    .press('Enter')
  await admin.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await expect(admin.getByText(`“${name}” is revoked`)).toBeVisible()
  expect(await ask()).toBe(401)
  // The service’s own admin has no company, and makes no such key.
  const service = await signIn(browser, 'admin', { viewport })
  await service.goto(url('/panel/people/keys'))
  await expect(service.getByRole('heading', { name: 'API keys', exact: true })).toBeVisible()
  await expect(service.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(service.getByRole('button', { name: 'Make a key of the company' })).toHaveCount(0)
})
