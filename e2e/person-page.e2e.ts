import { expect, test } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, signIn, url } from './people.ts'

test('an ADMIN finds an officer by Ctrl+K, sees all about them on one page, changes them there and takes it back', async ({
  browser,
  viewport,
}) => {
  const isWide = viewport!.width > 600
  const api = await callAs('admin')
  const [officer] = (await api(accounts.search, { query: { wheres: 'email:eq:officer@demo.test' } })).items
  const { id, name } = officer!
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/people'))
  await expect(admin.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()
  if (isWide) {
    await admin.keyboard.press('Control+k')
    await admin.getByRole('combobox', { name: /A video, a person/ }).fill(name)
    await admin
      .getByRole('option', { name: new RegExp(`^${name} officer@demo.test`) })
      .first()
      .click()
  } else await admin.getByRole('link', { name, exact: true }).filter({ visible: true }).click()
  await expect(admin).toHaveURL(new RegExp(`/panel/people/${id}$`))
  await expect(admin.getByRole('heading', { name, level: 1 })).toBeVisible()

  // Each part has come, and leads on.
  const part = (of: string) => admin.getByRole('region', { name: of, exact: true })
  await expect(part('About').getByText('officer@demo.test')).toBeVisible()
  await expect(part('Videos').getByRole('link').first()).toBeVisible()
  await expect(part('Signing in').getByText('Last sign-in')).toBeVisible()
  await expect(part('Plan').getByRole('link', { name: 'Plan and charges' })).toBeVisible()
  await expect(part('API keys')).toBeVisible()
  await expect(part('Invitations')).toBeVisible()
  await expect(part('Notes')).toBeVisible()
  await expect(admin.locator('.skeleton')).toHaveCount(0)
  await expectClean(admin, 'a person’s page', { also: ['heading-order'] })
  await expectNoSidewaysScroll(admin, 'a person’s page')

  await admin.getByRole('button', { name: 'Change', exact: true }).click()
  await admin.getByRole('dialog').getByLabel('Profession').fill('Branch manager')
  await admin.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(part('About').getByText('Branch manager')).toBeVisible()
  await expect(part('Changes of the account').getByText('Person: changed').first()).toBeVisible()
  await admin.getByRole('button', { name: 'Undo' }).click()
  await expect(part('About').getByText('Branch manager')).toHaveCount(0)
  await admin.getByRole('button', { name: `Actions for ${name}` }).click()
  await admin.getByRole('menuitem', { name: 'Plan and charges' }).click()
  await expect(admin).toHaveURL(new RegExp(`/panel/plan\\?person=${id}`))
  await admin.goto(url('/panel/people/00000000-0000-4000-8000-000000000000'))
  await expect(admin.getByText('There is no such person')).toBeVisible()
  await admin.context().close()

  // QA reads who they are, their videos and the notes, and changes nothing.
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url(`/panel/people/${id}`))
  await expect(qa.getByRole('region', { name: 'About' }).getByText('officer@demo.test')).toBeVisible()
  await expect(qa.getByRole('region', { name: 'Notes' })).toBeVisible()
  for (const hidden of ['Signing in', 'Plan', 'API keys', 'Invitations', 'Changes of the account'])
    await expect(qa.getByRole('region', { name: hidden, exact: true })).toHaveCount(0)
  await expect(qa.getByRole('button', { name: 'Change', exact: true })).toHaveCount(0)
  await qa.context().close()
})
