import { expect, test, type Page } from '@playwright/test'
import { expectClean } from './axe.ts'
import { clip, signIn, url } from './people.ts'

/** A cut is replaced while a reviewer watches it: no decision reaches the wrong cut. */
test('a new cut is announced while the old one is on screen, and approving names the cut and asks', async ({
  browser,
  viewport,
}) => {
  const title = 'More than the mortgage payment'
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url('/panel/review'))
  await qa.getByRole('link', { name: new RegExp(title) }).click()
  await expect(qa.getByRole('button', { name: 'Approve cut 1', exact: true })).toBeVisible()
  await expect(cutOnScreen(qa, 1)).toBeVisible()
  const address = qa.url().split('?')[0]!

  // What QA writes meanwhile is about cut 1, and stays so.
  await qa.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  const sentence = qa.getByLabel('In a sentence')
  await sentence.fill('The fence comes too late.')
  await sentence.focus()
  await replaceCut(browser, address, viewport!)

  await expect(qa.getByRole('status').filter({ hasText: 'Cut 2 is here. Cut 1 is on the screen.' })).toBeVisible()
  await expect(cutOnScreen(qa, 1)).toBeVisible()
  await expect(qa.getByRole('heading', { name: 'Not sent' })).toBeVisible()
  await expect(qa.getByText('The fence comes too late.')).toBeVisible()
  await expect(qa.getByText('“Cut 2” came first.', { exact: false })).toBeVisible()
  await expectClean(qa, 'a cut that came')
  await qa.getByRole('button', { name: 'Close' }).last().click()

  // Approving while cut 1 is on the screen asks about cut 2, with a button that shows it.
  const approve = qa.getByRole('button', { name: 'Approve cut 2', exact: true })
  await approve.focus()
  await approve.press('Enter')
  const question = qa.getByRole('alertdialog', { name: 'Approve cut 2?' })
  await expect(question).toContainText('Cut 1 is on the screen. What you decide counts for cut 2.')
  await expect(question.getByRole('button', { name: 'Show cut 2' })).toBeFocused()
  await expectClean(qa, 'the question')
  await qa.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(cutOnScreen(qa, 2)).toBeVisible()
  await expect(qa.getByText('is on the screen.')).toHaveCount(0)

  // With cut 2 on the screen nothing is asked.
  await approve.click()
  await expect(qa.getByRole('main').getByText('Completed', { exact: true }).first()).toBeVisible()
  await qa.getByRole('tab', { name: 'History' }).click()
  await expect(qa.getByRole('tabpanel')).toHaveText(/Approved[^]*Cut 2[^]*Denied[^]*Cut 1[^]*Sent to approval[^]*Cut 1/)

  // Taken back, the same cut waits again, and other journeys find a cut to review.
  await qa.getByRole('button', { name: 'Roll back' }).click()
  await qa.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect(approve).toBeVisible()
  await expect(cutOnScreen(qa, 2)).toBeVisible()
  await qa.context().close()
})

/** Another reviewer denies cut 1, and its editor sends cut 2. */
const replaceCut = async (
  browser: Parameters<typeof signIn>[0],
  address: string,
  viewport: { width: number; height: number },
) => {
  const other = await signIn(browser, 'admin', { viewport })
  await other.goto(address)
  await other.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  await other.getByText('Captions', { exact: true }).last().click()
  await other.getByRole('button', { name: 'Deny cut 1', exact: true }).last().click()
  await expect(other.getByRole('main').getByText('Denied', { exact: true }).first()).toBeVisible()
  await other.context().close()

  const editor = await signIn(browser, 'editor', { viewport })
  await editor.goto(address)
  await editor.getByRole('button', { name: 'Start editing' }).click()
  await editor
    .getByRole('main')
    .locator('input[type=file]')
    .first()
    .setInputFiles(await clip('the-next-cut'))
  await editor.getByRole('button', { name: 'Send to approval' }).click()
  // The editor sees the cut that they sent.
  await expect(cutOnScreen(editor, 2)).toBeVisible({ timeout: 120_000 })
  await editor.context().close()
}

const cutOnScreen = (page: Page, number: number) =>
  page.getByRole('region', { name: new RegExp(`, Cut ${number}$`) }).first()
