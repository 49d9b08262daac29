import { expect, test } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { identity } from '@clear-to-post/contract/identity'
import { openWithCamera } from './camera.ts'
import { callAs, discardFiles, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('a take of somebody whose session ended waits for them, while somebody else signs in on the same device', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const browser = await openWithCamera()
  const recorder = await signIn(browser, 'officer', { viewport })
  const context = recorder.context()
  await recorder.goto(url('/panel/new/record'))
  await expect(recorder.getByText('The light is good.')).toBeVisible()

  // Signed out everywhere on another device: the session here merely ends, and takes nobody from the camera.
  await (
    await callAs('officer')
  )(identity.signOut, { body: { everywhere: true } })
  await recorder.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(recorder.getByText('Recording', { exact: true })).toBeVisible()
  await expect(recorder.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  await recorder.getByRole('button', { name: 'Stop' }).click()
  await expect(recorder.getByText('Your take is safe on this device.')).toBeVisible()

  const signInHere = async (who: string) => {
    const data = { email: `${who}@demo.test`, password: 'demo-Clear2Post' }
    expect((await context.request.post(url('/identity/sign-in/password'), { data })).ok()).toBe(true)
    const page = await context.newPage()
    await page.goto(url('/panel'))
    await expect(page.getByRole('button', { name: /^Your account/ }).first()).toBeVisible()
    return page
  }
  const page = await signInHere('editor')
  const kept = () => page.evaluate(() => localStorage.getItem('recorder-person'))
  expect(await kept()).toBe(null)
  // The recorder's page, too, is the editor's now, and nothing of the officer is left on it.
  await expect(recorder.getByText('Your take is safe on this device.')).toHaveCount(0)
  const [editor, officer] = [await callAs('editor'), await callAs('officer')]
  const files = async (of: typeof editor) => (await of(assets.unused, {})).items.length
  // Longer than a sender that waits rests.
  await page.waitForTimeout(12_000)
  expect([await files(editor), await files(officer)]).toEqual([0, 0])

  const back = await signInHere('officer')
  await expect.poll(() => files(officer), { timeout: 90_000 }).toBe(1)
  expect(await files(editor)).toBe(0)
  await expect(back.getByText(/^Take /).first()).toBeVisible()
  await discardFiles()
  await browser.close()
})
