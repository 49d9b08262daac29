import { expect, test } from '@playwright/test'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectFocusKept } from './focus.ts'
import { signIn, url } from './people.ts'

test('an officer’s question is answered by an ADMIN, comes back live, and is closed and opened again by the toast', async ({
  browser,
  viewport,
}, info) => {
  const subject = `Lower thirds ${info.project.name}-${Date.now().toString(36)}`
  const officer = await signIn(browser, 'officer', { viewport })
  await officer.goto(url('/panel/support'))
  await officer.getByRole('button', { name: 'Ask a question' }).press('Enter')
  const dialog = officer.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(dialog.getByText('Say in a few words what it is about')).toBeVisible()
  await expectClean(officer, 'a question without words')
  await dialog.getByLabel('Subject').fill(subject)
  await dialog.getByLabel('Your question').fill('Can my name stand lower?')
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(officer.getByRole('heading', { name: subject })).toBeVisible()
  await expect(officer.getByText('Can my name stand lower?')).toBeVisible()
  await expectClean(officer, 'a question that waits')
  await expectNoSidewaysScroll(officer, 'a question that waits')

  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url(`/panel/support?show=waiting&q=${encodeURIComponent(subject)}`))
  await admin.getByRole('link', { name: subject }).filter({ visible: true }).click()
  await admin.getByRole('button', { name: 'Take it' }).press('Enter')
  await expect(admin.getByText('You took it')).toBeVisible()
  await expectFocusKept(admin, 'Take it')
  // The officer's company reads who has it in hand, and no name of the service's people.
  const company = await signIn(browser, 'company', { viewport })
  await company.goto(url(`/panel/support?q=${encodeURIComponent(subject)}`))
  await company.getByRole('link', { name: subject }).filter({ visible: true }).click()
  await expect(company.getByText('Clear to Post took it')).toBeVisible()
  await expect(company.getByRole('heading', { name: subject, level: 1 })).toBeFocused()
  await company.context().close()
  // What its asker did lately stands beside it.
  await expect(admin.getByRole('heading', { name: 'Videos' })).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'Changes of the account' })).toBeVisible()
  await expectClean(admin, 'a question to answer')
  await expectNoSidewaysScroll(admin, 'a question to answer')
  await admin.getByLabel('Answer', { exact: true }).fill('Yes: it is in the next cut.')
  await admin.getByLabel('Answer', { exact: true }).press('Control+Enter')

  await expect(officer.getByText('Yes: it is in the next cut.')).toBeVisible()
  // Who of staff answered is not said.
  const answer = officer.getByRole('listitem').filter({ hasText: 'Yes: it is in the next cut.' })
  await expect(answer).toContainText('Support')
  await expect(answer).not.toContainText('Ada Moreno')

  await admin.getByRole('button', { name: 'Close', exact: true }).first().press('Enter')
  const toast = admin.locator('[data-sonner-toast]').filter({ hasText: 'Closed' })
  await expect(admin.getByRole('button', { name: 'Open again' })).toBeFocused()
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.getByText('You opened it again')).toBeVisible()
  await expect(officer.getByText('opened it again')).toBeVisible()
  await Promise.all([officer.context().close(), admin.context().close()])
})

test('a company’s ADMIN sees what is left to set up, asks the service, and lists who agreed to which words', async ({
  browser,
  viewport,
}) => {
  const company = await signIn(browser, 'company', { viewport })
  await company.goto(url('/panel/board'))
  await expect(company.getByRole('heading', { name: 'Set up your company' })).toBeVisible()
  await expect(company.getByRole('link', { name: 'Enter your licenses' })).toBeVisible()
  await expectClean(company, 'a board with what is left to set up')
  await expectNoSidewaysScroll(company, 'a board with what is left to set up')
  await company.goto(url('/panel/people/consents'))
  await expect(company.getByText('Olivia Hart').filter({ visible: true }).first()).toBeVisible()
  await expectClean(company, 'consents')
  await company.goto(url('/panel/support?whose=own'))
  await expect(company.getByText('You have not asked anything yet')).toBeVisible()
  await expectClean(company, 'a company’s own questions')
  await company.context().close()
})

test('several letters of the contact form are chosen and closed at once, and the toast opens them again', async ({
  browser,
  viewport,
}, info) => {
  const flood = `Cheap loans ${info.project.name}-${Date.now().toString(36)}`
  const admin = await signIn(browser, 'admin', { viewport })
  for (const n of [1, 2, 3]) {
    const data = { subject: `${flood} ${n}`, body: 'Buy now.' }
    expect((await admin.request.post(url('/api/emails/public/send/'), { data })).status()).toBe(200)
  }
  await admin.goto(url(`/panel/support?q=${encodeURIComponent(flood)}`))
  const box = (n: number) => admin.getByRole('checkbox', { name: `Choose “${flood} ${n}”` }).filter({ visible: true })
  await box(2).press('Space')
  await expect(box(2)).toBeChecked()
  await expect(admin.getByText('1 question chosen')).toBeVisible()
  await admin.getByRole('button', { name: 'Choose all 3 shown' }).press('Enter')
  const bar = admin.getByRole('group', { name: '3 questions chosen' })
  await expectClean(admin, 'several questions chosen')
  await expectNoSidewaysScroll(admin, 'several questions chosen')
  await bar.getByRole('button', { name: 'Close' }).press('Enter')
  const toast = admin.locator('[data-sonner-toast]').filter({ hasText: '3 questions were closed' })
  await expect(toast).toBeVisible()
  await expect(bar).toBeHidden()
  await expectFocusKept(admin, 'closing several questions')
  await expect(admin.getByRole('checkbox').filter({ visible: true })).toHaveCount(0)
  await toast.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(admin.getByText('3 questions are open again')).toBeVisible()
  await expect(box(3)).not.toBeChecked()
  await admin.context().close()
})
