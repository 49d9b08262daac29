import { expect, test, type Page } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { expectClean } from './axe.ts'
import { callAs, claim, clip, sendCut, signIn, submit, tokenOf, upload, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** A cut is replaced while a reviewer watches it: no decision reaches the wrong cut. */
test('a new cut is announced while the old one is on screen, and approving names the cut and asks', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const title = `More than the payment, ${Date.now().toString(36)}`
  const projectId = await submit(title, await upload(await tokenOf('officer'), await clip('short', { seconds: 2 })))
  await claim(projectId)
  await sendCut(projectId, await clip('short', { seconds: 2 }))
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url('/panel/review'))
  await qa.getByRole('link', { name: new RegExp(title) }).click()
  await expect(qa.getByRole('button', { name: 'Approve cut 1', exact: true })).toBeVisible()
  await expect(cutOnScreen(qa, 1)).toBeVisible()
  // Beside it stands what else waits, and of whom.
  const { items } = await (await callAs('qa'))(projects.list, { query: { wheres: 'status:eq:3' } })
  const { userName, tenantName } = items.find(({ id, actions }) => id !== projectId && actions.includes('approve'))!
  const queue = qa.getByRole('region', { name: 'Waiting for review' })
  await expect(queue.getByText(`${userName} · ${tenantName}`).first()).toBeVisible()

  // What QA writes meanwhile is about cut 1, and stays so.
  await qa.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  // The first score has the focus, and letters are no keys of the player: C does not close the form for a comment.
  const sentence = qa.getByLabel('In a sentence')
  await expect(qa.getByRole('slider', { name: 'Captions' })).toBeVisible()
  await expect(qa.locator('main input[type=range]:focus')).toHaveCount(1)
  await qa.keyboard.press('c')
  await expect(sentence).toBeVisible()
  await sentence.fill('The fence comes too late.')
  await sentence.focus()
  await replaceCut(projectId)

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

  // Taken back, the same cut waits again.
  await qa.getByRole('button', { name: 'Roll back' }).click()
  await qa.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await expect(approve).toBeVisible()
  await expect(cutOnScreen(qa, 2)).toBeVisible()

  // On a phone two cuts are compared in turn, and only the one that shows counts as seen.
  await qa.setViewportSize({ width: 390, height: 844 })
  await qa.goto(`${qa.url().split('?')[0]}?show=v1&beside=v2`)
  await approve.click()
  await expect(question).toContainText('Cut 1 is on the screen.')
  await qa.keyboard.press('Escape')
  await qa.getByRole('group', { name: 'Show' }).getByRole('button').last().click()
  await expect(qa.getByText('is on the screen.')).toHaveCount(0)
  await qa.setViewportSize({ width: 1280, height: 800 })
  await qa.goto(qa.url().split('?')[0]!)

  // On a phone the player stays while the page scrolls, but not where that leaves no room, or beside a form.
  const pinned = qa.locator('main section.player').locator('..')
  await qa.setViewportSize({ width: 390, height: 844 })
  await expect(pinned).toHaveCSS('position', 'sticky')
  await qa.setViewportSize({ width: 320, height: 568 })
  await expect(pinned).toHaveCSS('position', 'static')
  await qa.setViewportSize({ width: 390, height: 844 })
  await qa.getByRole('button', { name: 'Deny cut 2', exact: true }).click()
  await expect(pinned).toHaveCSS('position', 'static')
  await qa.context().close()
})

test('a cut of which the page has not loaded the picture is approved only once it was asked about', async ({
  browser,
  viewport,
}) => {
  const projectId = await submit(
    `The list came late, ${Date.now().toString(36)}`,
    await upload(await tokenOf('officer'), await clip('short', { seconds: 2 })),
  )
  await claim(projectId)
  await sendCut(projectId, await clip('short', { seconds: 2 }))
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url(`/panel/projects/${projectId}`))
  await expect(qa.getByRole('button', { name: 'Approve cut 1', exact: true })).toBeVisible()
  await expect(cutOnScreen(qa, 1)).toBeVisible()
  await qa.route(/\/api\/projects\/[^/]+\/cuts/, (route) => route.abort())
  await replaceCut(projectId)
  await qa.getByRole('button', { name: 'Approve cut 2', exact: true }).click()
  await expect(qa.getByRole('alertdialog', { name: 'Approve cut 2?' })).toContainText('Cut 1 is on the screen.')
  await qa.context().close()
})

/** Another reviewer denies cut 1, and its editor sends cut 2: by calls, as the panel does in the-chain.e2e.ts. */
const replaceCut = async (projectId: string) => {
  const [admin, editor] = [await callAs('admin'), await callAs('editor')]
  const denyFeedback = { criteria: [{ id: 'captions', score: 3 }] }
  await admin(projects.deny, { params: { projectId }, body: { denyFeedback, categories: ['captions'] } })
  await editor(projects.start, { body: { projectId } })
  await sendCut(projectId, await clip('next-cut', { seconds: 2, look: 'smptebars' }))
}

const cutOnScreen = (page: Page, number: number) =>
  page.getByRole('region', { name: new RegExp(`, Cut ${number}$`) }).first()
