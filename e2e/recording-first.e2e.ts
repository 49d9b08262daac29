import { expect, test, type Browser, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { openWithCamera } from './camera.ts'
import { callAs, clip, discardFiles, fileField, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

let browser: Browser

test.beforeAll(async () => {
  browser = await openWithCamera()
})
test.afterAll(() => browser?.close())

test('from “Send your first video” a stranger comes to the camera in one go, and no code is asked for', async () => {
  atOneScreen('phone')
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(url('/'))
  await page.getByRole('link', { name: 'Send your first video' }).first().tap()
  await page.getByRole('link', { name: 'Open an account' }).tap()
  // The code of who was invited is the last field, and says that it may stay empty.
  await expect(page.getByRole('textbox').first()).toHaveAccessibleName('Your name')
  await expect(page.getByRole('textbox').last()).toHaveAccessibleName('Invitation code optional')
  const code = page.getByLabel('Invitation code')
  await expect(code).toHaveAccessibleDescription('Only if your company sent you one. You can leave it empty.')
  await expect(code).not.toHaveAttribute('required')
  await expect(code).not.toHaveAttribute('aria-required', 'true')
  await expectClean(page, 'an account that is opened without an invitation')
  await page.getByLabel('Your name').fill('Ada Moreno')
  await page.getByLabel('E-mail').fill(`ada-${Date.now().toString(36)}@new.test`)
  await page.getByLabel('Password', { exact: true }).fill('kettle-drum-41')
  await page.getByLabel('Password, once more').fill('kettle-drum-41')
  await page.getByRole('button', { name: 'Open account' }).tap()
  await expect(page).toHaveURL(/\/panel\/new$/)
  await expectNoSidewaysScroll(page, 'New video of a new officer')
  await page.getByRole('link', { name: 'Record', exact: true }).tap()
  const camera = page.getByLabel('Your camera, as in a mirror')
  await expect.poll(() => camera.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeEnabled()
  await context.close()
})

test('a take and a file that this page sends are never said to be another tab’s or device’s, also after a reload', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport, serviceWorkers: 'block' })
  await page.context().addInitScript(() => {
    const note = () => {
      const [said] = /[^.\n]*another (?:tab|device)[^.\n]*/i.exec(document.querySelector('main')?.innerText ?? '') ?? []
      if (said) sessionStorage.setItem('elsewhere', `${sessionStorage.getItem('elsewhere') ?? ''}${said}\n`)
    }
    new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true })
  })
  const elsewhere = (tab: Page) => tab.evaluate(() => sessionStorage.getItem('elsewhere'))
  const officer = await callAs('officer')
  const states = async () => (await officer(assets.unused, {})).items.map(({ state }) => state)

  await page.goto(url('/panel/new/record'))
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  await expect(page.getByText(/^Take of /)).toBeVisible()
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready'])
  await expect(page.getByText(/^Ready/)).toBeVisible()
  await discardFiles()

  // A file whose page is loaded anew while it is on its way.
  let holds = true
  await page.context().route('**/uploads/*', async (route) => {
    if (holds && route.request().method() === 'PATCH') return
    await route.fallback()
  })
  await page.goto(url('/panel/new'))
  await fileField(page).setInputFiles(await clip('take'))
  await expect.poll(states).toEqual(['uploading'])
  await page.reload()
  await expect(page.getByText('take.mp4')).toBeVisible()
  expect(await elsewhere(page)).toBeNull()

  // A second tab is told the truth, and goes on by itself once the first is closed.
  const second = await page.context().newPage()
  await second.goto(url('/panel/new'))
  await expect(second.getByRole('main')).toContainText('Uploading in another tab')
  expect(await elsewhere(second)).toContain('Uploading in another tab')
  holds = false
  await page.close()
  await expect(second.getByRole('main')).not.toContainText('Uploading in another tab')
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready'])
  await discardFiles()
  await second.context().close()
})
