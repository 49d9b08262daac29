import { chromium, expect, test, type Browser, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { expectNoSidewaysScroll, expectClean } from './axe.ts'
import { cameraArgs, footage } from './camera.ts'
import { letDayPass } from './database.ts'
import { callAs, signIn, url } from './people.ts'

let browser: Browser

test.beforeAll(async () => {
  const { executablePath, args = [] } = test.info().project.use.launchOptions!
  browser = await chromium.launch({ executablePath: executablePath!, args: [...args, ...cameraArgs(await footage())] })
})
test.afterAll(() => browser?.close())

test('an officer records with a script, pauses, says a sentence again, and the take is a project with sound', async ({
  viewport,
  hasTouch,
}) => {
  await letDayPass()
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport, hasTouch })
  await page.goto(url('/panel/new'))
  await page.getByRole('link', { name: 'Record', exact: true }).click()
  await expect(page.getByText('We hear you well.')).toBeVisible()
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expectNoSidewaysScroll(page, 'the recorder')

  await page.getByRole('button', { name: /the script|Add a script/ }).click()
  const sheet = page.getByRole('dialog', { name: 'What you will say' })
  await sheet.getByRole('textbox', { name: /^Script/ }).fill(script)
  await expect(sheet.getByLabel('NMLS number')).toBeVisible()
  await sheet.getByLabel('NMLS number').fill('123456')
  await expectClean(page, 'the script of a take')
  await sheet.getByRole('button', { name: 'Done' }).click()
  const words = page.getByRole('group', { name: /Your script/ })
  await expect(words).toContainText('NMLS 123456')

  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expectClean(page, 'a take that runs')
  // The words move while the voice is heard.
  const word = async () => Number(await words.locator('[aria-current]').getAttribute('data-word'))
  await expect.poll(word).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  const rested = await word()
  await page.getByRole('button', { name: 'Again from here' }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  expect(await word()).toBeLessThan(rested)
  await expect.poll(word).toBeGreaterThanOrEqual(rested)
  await expect(page.getByText(/% is with us/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()

  await expect(page.getByRole('heading', { name: 'Your take' })).toBeVisible()
  await expect(page.getByText('1 retake.')).toBeVisible()
  await expect
    .poll(() => page.getByLabel('The take that you recorded').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(1)
  await expectClean(page, 'a take that is watched')
  await page.getByRole('button', { name: 'Use this take' }).click()

  await expect(page.getByText(/^Take of /)).toBeVisible()
  const officer = await callAs('officer')
  const unused = async () => (await officer(assets.unused, {})).items
  await expect.poll(async () => (await unused()).map(({ state }) => state), { timeout: 90_000 }).toEqual(['ready'])
  const items = await unused()
  expect(items).toHaveLength(1)
  const [take] = items
  expect(take).toMatchObject({ state: 'ready', type: 'video', width: 360, height: 640 })
  expect(take!.duration).toBeGreaterThan(3)
  expect(take!.notes.join()).not.toMatch(/no sound|very quiet|black|very dark/)
  // The device keeps nothing of what is safe with the service.
  await expect.poll(() => takesHere(page)).toBe(0)

  await page.getByLabel('Title').fill(`Recorded ${Date.now().toString(36)}`)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page).toHaveURL(/\/panel\/projects\//)
  const player = page.locator('video').first()
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0)
  expect(await player.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(take!.duration!, 0)
  await page.context().close()
})

const script =
  'Thinking about your first home this year? Here is a weekend job that makes everything after it easier. [smile] ' +
  'Find three things and put them in one folder. I am [name], NMLS [number].'

const takesHere = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('takes')
        request.onerror = () => reject(request.error)
        request.onsuccess = () => {
          const count = request.result.transaction('takes').objectStore('takes').count()
          count.onsuccess = () => {
            resolve(count.result)
            request.result.close()
          }
        }
      }),
  )

const discardFiles = async () => {
  const officer = await callAs('officer')
  for (const { assetId } of (await officer(assets.unused, {})).items)
    await officer(assets.discard, { params: { assetId } })
}
