import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { expectDeclared } from './browser-stores.ts'
import { openWithCamera } from './camera.ts'
import { callAs, clip, discardFiles, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('an officer records without a network, shares a video from another app, and leaves nothing behind', async ({
  viewport,
  hasTouch,
}) => {
  atOneScreen('phone')
  await discardFiles()
  const browser = await openWithCamera()
  const page = await signIn(browser, 'officer', { viewport, hasTouch })
  const context = page.context()
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expect.poll(() => keptPage(page)).toContain('<div id="root">')
  const session = await context.newCDPSession(page)
  expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  const manifest = JSON.parse((await session.send('Page.getAppManifest')).data!) as Record<string, unknown>
  expect(manifest).toMatchObject({
    shortcuts: [{ name: 'Record', url: '/panel/new/record' }, { name: 'New video' }],
    share_target: { action: '/panel/new/share', method: 'POST' },
  })

  await context.setOffline(true)
  // The installed app opens at the panel: without a network the recorder is what there is.
  await page.goto(url('/panel'))
  await expect(page).toHaveURL(/\/panel\/new\/record$/)
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expect(page.getByText('We cannot be reached. Record all the same')).toBeVisible()
  await expectClean(page, 'the recorder without a network')
  await expectNoSidewaysScroll(page, 'the recorder without a network')
  // The library was read here before.
  await page.getByRole('button', { name: /the script|Add a script/ }).click()
  const sheet = page.getByRole('dialog', { name: 'What you will say' })
  await sheet.getByRole('button', { name: /Take one from the library/ }).click()
  const title = await page.getByRole('option').nth(2).innerText()
  await page.getByRole('option', { name: title, exact: true }).click()
  await expect(sheet.getByRole('textbox', { name: /^Script/ })).not.toHaveValue('')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('group', { name: /Your script/ })).toBeVisible()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.getByText('No network. The take is safe on this device')).toBeVisible()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Your take is safe on this device.')).toBeVisible()
  await expectClean(page, 'a take that waits for the network')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Use this take' }).click()
  const officer = await callAs('officer')
  const states = async () => (await officer(assets.unused, {})).items.map(({ state }) => state)
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready'])

  // A page of an older release is never shown while the service answers, and is replaced.
  await page.evaluate(async () => {
    const old = new Response('<p>old release</p>', { headers: { 'content-type': 'text/html' } })
    await (await caches.open('recorder')).put('/panel/new/record', old)
  })
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expect.poll(() => keptPage(page)).toContain('<div id="root">')

  const file = {
    name: 'shared.mp4',
    type: 'video/mp4',
    base64: (await readFile(await clip('take'))).toString('base64'),
  }
  // A page of another site that hides where it comes from, which nobody can tell from an app of the phone.
  await page.goto('data:text/html,<title>Elsewhere</title>')
  await page.evaluate(share, { file: { ...file, name: 'planted.mp4' }, to: url('/panel/new/share') })
  await expect(page).toHaveURL(/\/panel\/new\?shared=taken/)
  await expect(page.getByText('planted.mp4')).toBeVisible()
  await page.evaluate(share, { file, to: '/panel/new/share' })
  await expect(page.getByRole('heading', { name: 'Use the 2 videos that other apps shared?' })).toBeVisible()
  await expectClean(page, 'shared videos that are asked for')
  await expectNoSidewaysScroll(page, 'shared videos that are asked for')
  // Nothing of them is a take, or on its way.
  await expect(page.getByText('takes of this video')).toHaveCount(0)
  expect(await states()).toEqual(['ready'])
  await page.getByRole('button', { name: 'Throw it away: planted.mp4' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Use the video that another app shared?' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use it: shared.mp4' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Video', exact: true })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Use it: shared.mp4' })).toHaveCount(0)
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready', 'ready'])
  // Settled once: the next page asks for nothing.
  await page.reload()
  await expect(page.getByText('shared.mp4')).toHaveCount(1)
  await expect(page.getByText('planted.mp4')).toHaveCount(0)
  await page.evaluate(share, { file: null, to: '/panel/new/share' })
  await expect(page.getByText('The other app shared no video.')).toBeVisible()

  await page
    .getByRole('button', { name: /^Your account/ })
    .first()
    .click()
  const ended = page.waitForResponse(/\/identity\/sign-out/)
  await page.getByRole('menuitem', { name: 'Logout', exact: true }).click()
  await ended
  await expect(page).toHaveURL(/\/login/)
  await expectDeclared(page, 'a browser that recorded without a network')
  await context.setOffline(true)
  await page.goto(url('/panel/new/record'))
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toHaveCount(0)
  await discardFiles()
  await browser.close()
})

const keptPage = (page: Page): Promise<string> =>
  page.evaluate(async () => (await (await caches.open('recorder')).match('/panel/new/record'))?.text() ?? '')

/** In the browser: what a phone does when somebody chooses this app to share a video with, or something that is none. */
const share = ({
  file: shared,
  to,
}: {
  file: { name: string; type: string; base64: string } | null
  to: string
}): void => {
  const form = document.createElement('form')
  Object.assign(form, { method: 'POST', action: to, enctype: 'multipart/form-data' })
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', name: 'video' })
  const chosen = new DataTransfer()
  if (shared) {
    const bytes = Uint8Array.from(atob(shared.base64), (letter) => letter.charCodeAt(0))
    chosen.items.add(new File([bytes], shared.name, { type: shared.type }))
    input.files = chosen.files
  }
  form.append(input)
  document.body.append(form)
  form.submit()
}
