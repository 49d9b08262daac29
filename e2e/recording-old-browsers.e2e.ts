import { expect, test, type Browser, type Page } from '@playwright/test'
import { expectClean } from './axe.ts'
import { openWithCamera } from './camera.ts'
import { discardFiles, signIn, url } from './people.ts'
import { leaveRoom } from './room.ts'
import { atOneScreen } from './screens.ts'
import { takeArrives } from './takes-here.ts'

let browser: Browser

test.beforeAll(async () => {
  browser = await openWithCamera()
})
test.afterAll(() => browser?.close())

test('a browser that cannot record says so, and leads to a video that is chosen', async ({ viewport }) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'MediaRecorder'))
  await page.goto(url('/panel/new/record'))
  await expect(page.getByRole('heading', { name: 'This browser cannot record' })).toBeFocused()
  await expectClean(page, 'a browser that cannot record')
  await page.getByRole('link', { name: 'Choose a video instead' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Video', exact: true })).toBeVisible()
  await page.context().close()
})

test('a browser that keeps nothing says so before the take and with it, which arrives while its page is open', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport, serviceWorkers: 'block' })
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('', 'SecurityError')
    }
  })
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('This browser cannot keep a take, as in a private window.')).toBeVisible()
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expect(page.getByText(/^Your browser offers room/)).toHaveCount(0)
  await expectClean(page, 'a browser that keeps nothing, before a take')
  await recordInMemory(page)
  await discardFiles()
  await page.context().close()
})

test('a device without room says so before the first take, which arrives while its page is open', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel/new'))
  await leaveRoom(page, 0)
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('This device’s storage is full, so it cannot keep a take.')).toBeVisible()
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expectClean(page, 'a device without room, before a take')
  await recordInMemory(page)
  await discardFiles()
  await page.context().close()
})

test('a browser that refuses to keep takes whatever happens says so before the first and each of the next', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  await page.addInitScript(() => {
    StorageManager.prototype.persisted = StorageManager.prototype.persist = async () => false
  })
  const refused = page.getByText('When storage runs low, your browser may clear a take. Send it before you leave.')
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
  await expect(refused).toBeVisible()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[2-9]/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Throw it away and record again' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Throw it away' }).click()
  await expect(refused).toBeVisible()
  await page.reload()
  await expect(refused).toBeVisible()
  await expectClean(page, 'a browser that may clear a take')
  await page.context().close()
})

/** A take of some seconds that only its open page holds, which arrives from there. */
const recordInMemory = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('This browser keeps nothing. Leave this page open until the take is sent.')).toBeVisible()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  await takeArrives()
}
