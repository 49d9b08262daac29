import { expect, test, type Browser, type Page } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { openWithCamera } from './camera.ts'
import { behindItsBack } from './database.ts'
import { callAs, discardFiles, signIn, signInAs, url } from './people.ts'
import { leaveRoom } from './room.ts'
import { atOneScreen } from './screens.ts'
import { safeHere, takeArrives } from './takes-here.ts'

let browser: Browser
test.beforeAll(async () => {
  browser = await openWithCamera()
})
test.afterAll(() => browser?.close())

const small = { width: 320, height: 640 }
const script = 'Thinking about your first home this year? Find three papers today. Then call me about your loan.'

test('an officer says one sentence again after the take, and both takes arrive, the second with its sentence', async () => {
  atOneScreen('phone')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport: small, hasTouch: true })
  await openRecorder(page)
  await writeScript(page, script)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  // Pressing a word goes there, also while it runs.
  const words = page.getByRole('group', { name: /Your script/ })
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect.poll(() => wordIn(page)).toBeGreaterThan(2)
  await words.locator('[data-word="8"]').click()
  await expect.poll(() => wordIn(page)).toBeGreaterThanOrEqual(8)
  await expect.poll(() => wordIn(page), { timeout: 30_000 }).toBeGreaterThan(10)
  await page.getByRole('button', { name: 'Stop' }).click()

  const again = page.getByRole('button', { name: 'Say it again: Find three papers today.' })
  await again.press('Enter')
  await expect(page.getByText('Only this sentence.')).toBeVisible()
  await expect(words).toHaveText(/^Find three papers today\.\s*$/)
  await expectClean(page, 'a sentence that is about to be said again')
  await expectNoSidewaysScroll(page, 'a sentence that is about to be said again')
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[2-9]/)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('heading', { name: 'Said again' })).toBeVisible()
  await expectClean(page, 'a sentence that was said again')
  await page.getByRole('button', { name: 'Keep it', exact: true }).click()
  await expect(page.getByRole('button', { name: 'said again, kept' })).toBeVisible()
  await expectClean(page, 'a take with a sentence that was said again')
  await expectNoSidewaysScroll(page, 'a take with a sentence that was said again')
  await page.getByRole('button', { name: 'Use this take' }).click()
  const officer = await callAs('officer')
  const ready = async () => (await officer(assets.unused, {})).items.filter(({ state }) => state === 'ready')
  await expect.poll(async () => (await ready()).length, { timeout: 90_000 }).toBe(2)
  const names = (await ready()).map(({ assetId }) => assetId)
  const anew = `select from asset where id = any($1) and take_log->>'sentence' = 'Find three papers today.'`
  expect(await behindItsBack(anew, [names])).toBe(1)
  await discardFiles()
  await page.context().close()
})

test('a second device holds the words of a recorder and is its remote control', async ({ viewport }) => {
  atOneScreen('desktop')
  await discardFiles()
  const recorder = await signIn(browser, 'officer', { viewport })
  await openRecorder(recorder)
  await writeScript(recorder, script)
  await recorder.getByRole('button', { name: 'Settings' }).click()
  const made = recorder.waitForResponse(/createToken/)
  await recorder.getByRole('button', { name: 'Show the code' }).click()
  const given = (await (await made).json()) as { url: string }
  await expectClean(recorder, 'the code for another device')
  // What the code says: the sign-in, and where it leads.
  const address = new URL(given.url)
  address.searchParams.set('next', '/panel/new/record/words')
  const tablet = await (await browser.newContext({ viewport: small, hasTouch: true })).newPage()
  await tablet.goto(address.href)
  await tablet.getByRole('button', { name: 'Sign in on this device' }).click()
  await expect(tablet).toHaveURL(/\/panel\/new\/record\/words$/)
  await recorder.keyboard.press('Escape')
  const words = tablet.getByRole('group', { name: /Your script/ })
  await expect(words).toContainText('Find three papers')
  await expectClean(tablet, 'the words on another device')
  await expectNoSidewaysScroll(tablet, 'the words on another device')
  for (const name of ['Size', 'Record', 'Mirror']) await expect(tablet.getByText(name, { exact: true })).toBeVisible()

  await tablet.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(recorder.getByText('Recording', { exact: true })).toBeVisible()
  await expect(tablet.getByText('Recording', { exact: true })).toBeVisible()
  // The words run there as they do here.
  await expect.poll(() => wordIn(tablet)).toBeGreaterThan(2)
  await words.locator('[data-word="7"]').click()
  await expect.poll(() => wordIn(recorder)).toBeGreaterThanOrEqual(7)
  await tablet.keyboard.press('p')
  await expect(recorder.getByText('Paused', { exact: true })).toBeVisible()
  await tablet.getByRole('button', { name: 'Go on' }).click()
  await expect(recorder.getByText('Recording', { exact: true })).toBeVisible()
  await expect(tablet.getByText('Recording', { exact: true })).toBeVisible()
  for (const name of ['Pause', 'Stop', 'Again from here'])
    await expect(tablet.getByText(name, { exact: true })).toBeVisible()
  await tablet.getByRole('button', { name: 'Again from here' }).click()
  await expectClean(tablet, 'a remote control while a take runs')
  // Without a network, of either, the take goes on and the remote says what it is still good for.
  const stop = tablet.getByRole('button', { name: 'Stop' })
  for (const context of [tablet.context(), recorder.context()]) {
    await context.setOffline(true)
    await expect(tablet.getByText('The recorder is not heard here.')).toBeVisible({ timeout: 30_000 })
    await expect(stop).toBeDisabled()
    await expect(recorder.getByText('Recording', { exact: true })).toBeVisible()
    await expectClean(tablet, 'a remote control that hears no recorder')
    await expectNoSidewaysScroll(tablet, 'a remote control that hears no recorder')
    await words.locator('[data-word="16"]').click()
    await expect.poll(() => wordIn(tablet)).toBe(16)
    await context.setOffline(false)
    await expect(tablet.getByText('The recorder is not heard here.')).toHaveCount(0, { timeout: 30_000 })
  }
  await tablet.getByRole('button', { name: 'Stop' }).click()
  await expect(recorder.getByRole('heading', { name: 'Your take' })).toBeVisible()
  await expect(recorder.getByText('1 retake.')).toBeVisible()
  await expect(tablet.getByText('Take is over. Go on at the recorder')).toBeVisible()
  await recorder.getByRole('button', { name: 'Throw it away and record again' }).click()
  await recorder.getByRole('alertdialog').getByRole('button', { name: 'Throw it away' }).click()
  await expect(recorder.getByText('The light is good.')).toBeVisible()
  // A recorder that is left says so.
  await recorder.getByRole('link', { name: 'Back to New video' }).click()
  await expect(tablet.getByText('No recorder yet')).toBeVisible()
  await tablet.context().close()
  await recorder.context().close()
})

test('a computer hands the recorder to a phone, and shows the take while it is filmed there', async ({ viewport }) => {
  atOneScreen('desktop')
  await discardFiles()
  const computer = await signIn(browser, 'officer', { viewport })
  await computer.goto(url('/panel/new'))
  await computer.getByRole('button', { name: 'Record on your phone' }).click()
  const made = computer.waitForResponse(/createToken/)
  await computer.getByRole('button', { name: 'Show the code' }).click()
  const given = (await (await made).json()) as { url: string }
  await expect(computer.getByRole('img', { name: /code/i })).toBeVisible()
  const address = new URL(given.url)
  address.searchParams.set('next', '/panel/new/record')
  const phone = await (await browser.newContext({ viewport: small, hasTouch: true })).newPage()
  await phone.goto(address.href)
  await phone.getByRole('button', { name: 'Sign in on this device' }).click()
  await expect(phone.getByText('The light is good.')).toBeVisible()
  await computer.keyboard.press('Escape')
  await phone.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(computer.getByText('Being recorded, or left half way, on another device.')).toBeVisible()
  await phone.getByRole('button', { name: 'Stop' }).click()
  await phone.getByRole('button', { name: 'Use this take' }).click()
  await expect(computer.getByText(/^Ready/)).toBeVisible({ timeout: 90_000 })
  await discardFiles()
  await phone.context().close()
  await computer.context().close()
})

test('the whole way from New video to a video that is submitted goes by keys alone at 320 px', async () => {
  atOneScreen('phone')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport: { width: 320, height: 568 } })
  await page.goto(url('/panel/new'))
  const goTo = async (role: 'link' | 'button' | 'textbox', name: string | RegExp, key = 'Tab') => {
    const wanted = page.getByRole(role, typeof name === 'string' ? { name, exact: true } : { name }).first()
    await expect(wanted).toBeVisible()
    const isThere = () => wanted.evaluate((one) => one === document.activeElement)
    for (let n = 0; n < 80 && !(await isThere()); n++) await page.keyboard.press(key)
    await expect(wanted).toBeFocused()
  }
  const press = async (...wanted: Parameters<typeof goTo>) => {
    await goTo(...wanted)
    await page.keyboard.press('Enter')
  }
  await press('link', 'Record')
  await expect(page.getByRole('heading', { name: 'Record', level: 1 })).toBeFocused()
  await expect(page.getByText('The light is good.')).toBeVisible()
  await press('button', /the script|Add a script/)
  await goTo('textbox', /^Script/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(script)
  await press('button', 'Done')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press('button', 'Record')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused()
  await expectNoSidewaysScroll(page, 'a take at 320 px', [])
  await expect.poll(() => wordIn(page)).toBeGreaterThan(2)
  await press('button', 'Pause', 'Shift+Tab')
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  await press('button', 'Again from here')
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await press('button', 'Stop', 'Shift+Tab')
  await expect(page.getByRole('heading', { name: 'Your take' })).toBeFocused()
  await press('button', 'Use this take')
  await expect(page.getByRole('heading', { name: 'Video', exact: true })).toBeFocused()
  const officer = await callAs('officer')
  const states = async () => (await officer(assets.unused, {})).items.map(({ state }) => state)
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready'])
  await goTo('textbox', /^Title/)
  const title = `By keys ${Date.now().toString(36)}`
  await page.keyboard.press('Control+a')
  await page.keyboard.type(title)
  await press('button', 'Submit')
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeFocused()
  await expectNoSidewaysScroll(page, 'a video that was recorded by keys')
  await page.context().close()
})

test('words, picture and buttons have places of their own, on the smallest phone, a lying one and a wide screen', async () => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport: small })
  await openRecorder(page)
  for (const [width, height] of screens) {
    await page.setViewportSize({ width, height })
    for (const text of [script, null]) {
      if (text === null) await page.getByRole('button', { name: 'Record', exact: true }).click()
      else await writeScript(page, text)
      if (text === null) await expect(page.getByText('Recording', { exact: true })).toBeVisible()
      const where = `${width} × ${height}${text === null ? ', recording' : ''}`
      const parts = await placesOf(page, { hasOutline: text !== null })
      for (const [name, box] of parts) expect(isWithin(box, { width, height }), `${name} at ${where}`).toBe(true)
      for (const [n, [name, box]] of parts.entries())
        for (const [other, beside] of parts.slice(n + 1))
          expect(areApart(box, beside), `${name} and ${other} at ${where}`).toBe(true)
      await expectNoSidewaysScroll(page, where, [])
    }
    await page.getByRole('button', { name: 'Stop' }).click()
    const use = page.getByRole('button', { name: 'Use this take' })
    for (const [lying, upright] of [
      [height, width],
      [width, height],
      [568, 320],
    ] as const) {
      await page.setViewportSize({ width: lying, height: upright })
      await expect(use, `the way on at ${lying} × ${upright}`).toBeInViewport({ ratio: 1 })
    }
    await page.getByRole('button', { name: 'Throw it away and record again' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Throw it away' }).click()
    await expect(page.getByText('The light is good.')).toBeVisible()
  }
  await page.context().close()
})

const screens = [
  [320, 568],
  [390, 844],
  [844, 390],
  [1280, 720],
] as const
type Box = { x: number; y: number; width: number; height: number }

/** The words, the outline of a head or the picture, what is said of sound and light, and each of the buttons. */
const placesOf = async (page: Page, { hasOutline }: { hasOutline: boolean }): Promise<[string, Box][]> => {
  const parts: Record<string, ReturnType<Page['locator']>> = {
    words: page.getByRole('group', { name: /Your script/ }),
    ...(hasOutline
      ? {
          outline: page.locator('[data-outline] ellipse').first(),
          checks: page.getByText('The light is good.').locator('..'),
        }
      : { picture: page.getByLabel('Your camera, as in a mirror') }),
  }
  const boxes = Object.entries(parts).map(async ([name, part]) => [name, await part.boundingBox()] as const)
  const buttons = await page
    .getByRole('button')
    .evaluateAll((all) =>
      all.map(
        (one) => [one.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect().toJSON()] as const,
      ),
    )
  return [...(await Promise.all(boxes)), ...buttons] as [string, Box][]
}

const isWithin = (box: Box, { width, height }: { width: number; height: number }): boolean =>
  box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
const areApart = (a: Box, b: Box): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y

test('sound alone, a start by voice and every setting are chosen by keys at 320 px', async () => {
  atOneScreen('phone')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport: small })
  await openRecorder(page)
  await writeScript(page, script)
  await page.getByRole('button', { name: 'Settings' }).press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Settings' })
  await expect(sheet).toBeVisible()
  await expectNoSidewaysScroll(page, 'the recorder’s settings')
  await expectClean(page, 'the recorder’s settings')
  await choose(page, sheet, 'Large')
  await choose(page, sheet, 'Narrow')
  await choose(page, sheet, 'Steady pace')
  await sheet.getByRole('switch', { name: 'Start by my voice or a clap' }).press('Space')
  await sheet.getByRole('switch', { name: /^Mirror the words/ }).press('Space')
  await choose(page, sheet, 'Sound only')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Only your voice is recorded.')).toBeVisible()
  await expect(page.getByRole('group', { name: /Your script/ })).toHaveClass(/-scale-x-100/)
  await expectNoSidewaysScroll(page, 'the recorder of a voice')
  await expectClean(page, 'the recorder of a voice')
  await page.keyboard.press('r')
  // The microphone's own voice begins it.
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('b')
  await page.keyboard.press('r')
  await expect(page.getByRole('heading', { name: 'Your take' })).toBeVisible()
  await expectClean(page, 'a voice that is listened to')
  await expectNoSidewaysScroll(page, 'a voice that is listened to')
  const use = page.getByRole('button', { name: 'Use this take' })
  for (let i = 0; i < 40 && !(await use.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const officer = await callAs('officer')
  const files = async () => (await officer(assets.unused, {})).items.map(({ state, type }) => `${state} ${type}`)
  await expect.poll(files, { timeout: 90_000 }).toEqual(['ready audio'])
  await discardFiles()
  await page.context().close()
})

test('a screen that is not shared has words and a way on, and a take it was taken from arrives and plays', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  // Which screen is chosen in a window of the browser's own that no journey reaches: a drawn one stands in.
  await page.addInitScript(() => {
    navigator.mediaDevices.getDisplayMedia = async () => {
      if (sessionStorage.getItem('unshared')) throw new DOMException('', 'NotAllowedError')
      const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 720 })
      const picture = canvas.getContext('2d')!
      setInterval(() => {
        picture.fillStyle = `hsl(${Date.now() / 50} 60% 50%)`
        picture.fillRect(0, 0, 1280, 720)
      }, 100)
      const stream = canvas.captureStream(10)
      addEventListener('unshare', () => {
        for (const track of stream.getTracks()) {
          track.stop()
          track.dispatchEvent(new Event('ended'))
        }
      })
      return stream
    }
  })
  await openRecorder(page)
  await page.evaluate(() => sessionStorage.setItem('unshared', 'yes'))
  await page.getByRole('button', { name: 'Settings' }).click()
  await choose(page, page.getByRole('dialog', { name: 'Settings' }), 'Screen and camera')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'No screen was shared' })).toBeVisible()
  await expectClean(page, 'a screen that was not shared')
  await page.evaluate(() => sessionStorage.removeItem('unshared'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('We hear you well.')).toBeVisible()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  // The page makes its database first.
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect.poll(() => safeHere(page).then(([take]) => take?.safeMs ?? 0)).toBeGreaterThan(1500)
  await page.evaluate(() => dispatchEvent(new Event('unshare')))
  await expect(page.getByText('You stopped sharing the screen. What you said until then is safe.')).toBeVisible()
  await page.getByRole('button', { name: 'Use this take' }).click()
  const officer = await callAs('officer')
  const takes = async () => (await officer(assets.unused, {})).items
  const states = async () => (await takes()).map(({ state, type }) => `${state} ${type}`)
  await expect.poll(states, { timeout: 90_000 }).toEqual(['ready video'])
  // What the service made of it plays, picture and all, however early a slow device's last picture came.
  const { assetId } = (await takes())[0]!
  const playAddress = async () => (await officer(assets.find, { params: { assetId } })).playUrl
  await expect.poll(playAddress, { timeout: 90_000 }).toBeTruthy()
  const played = await page.evaluate(
    async (src) => {
      const video = Object.assign(document.createElement('video'), { src, muted: true })
      await video.play()
      await new Promise((resolve) => video.addEventListener('timeupdate', () => video.currentTime > 0.5 && resolve(0)))
      return { width: video.videoWidth, seconds: video.duration }
    },
    (await playAddress())!,
  )
  expect(played.width).toBeGreaterThan(0)
  expect(played.seconds).toBeGreaterThan(1.5)
  await discardFiles()
  await page.context().close()
})

test('the room of the device is said before a take, and a take ends while there is still room', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  await openRecorder(page)
  await expect(page.getByText(/^Your browser offers room for (\d+ min|more than two hours)\.$/)).toBeVisible()
  await leaveRoom(page, 60e6)
  await page.reload()
  await expect(page.getByText(/^Your browser offers room for \d+ min only\./)).toBeVisible()
  await expectClean(page, 'a device with little room')
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  // The page makes its database first.
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  await expect.poll(() => safeHere(page).then(([take]) => take?.safeMs ?? 0)).toBeGreaterThan(2500)
  await leaveRoom(page, 20e6)
  await expect(page.getByText('This device’s storage is nearly full, so the take has ended in time.')).toBeVisible()
  await page.getByRole('button', { name: 'Use this take' }).click()
  await takeArrives()
  await discardFiles()
  await page.context().close()
})

test('a browser without files of its own keeps a take in its database, and sends it from there', async ({
  viewport,
}) => {
  atOneScreen('desktop')
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport, serviceWorkers: 'block' })
  await page.route('**/assets/files-worker-*.js', (route) => route.abort())
  await openRecorder(page)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByLabel('Length of the take')).toHaveText(/0:0[3-9]/)
  const places = async () => (await safeHere(page)).map(({ place }) => place)
  expect(await places()).toEqual(['database'])
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  await takeArrives()
  await discardFiles()
  await page.context().close()
})

test('an officer who has just opened an account stands before the camera after one tap, with a script open', async () => {
  atOneScreen('phone')
  const [email, password] = [`first-${Date.now().toString(36)}@new.test`, 'kettle-drum-41']
  await client({ origin: url('') })(accounts.create, {
    body: { email, name: 'An officer', password, passwordConfirmation: password },
  })
  const page = await signInAs(browser, email, password, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(url('/panel'))
  await expect(page.getByRole('heading', { name: 'Send your first video' })).toBeVisible()
  await expect(page.getByText('As it came back')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Not sure what to say?' }).getByRole('listitem')).toHaveCount(3)
  const sample = page.getByLabel('As it came back', { exact: true })
  await sample.evaluate((video: HTMLVideoElement) => video.play())
  await expect.poll(() => sample.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.2)
  await expectClean(page, 'the first page of a new officer')
  await expectNoSidewaysScroll(page, 'the first page of a new officer')

  const began = Date.now()
  await page.getByRole('link', { name: 'Record it now' }).tap()
  const camera = page.getByLabel('Your camera, as in a mirror')
  await expect.poll(() => camera.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  const seconds = (Date.now() - began) / 1000
  await expect(page.getByText(/^This month’s suggestion: “.+”\.$/)).toBeVisible()
  await expect(page.getByRole('group', { name: /Your script/ })).toBeVisible()
  console.log(
    `From “Record it now” to the picture of the camera: 1 tap, ${seconds.toFixed(1)} s; a second one records.`,
  )
  await page.getByRole('button', { name: 'Speak freely instead' }).tap()
  await expect(page.getByRole('group', { name: /Your script/ })).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Add a script and it runs below the lens while you speak.')).toBeVisible()

  // What is still blank is what the sheet opens at.
  await writeScript(page, 'I work at [company].')
  await page.getByRole('button', { name: 'Fill it in' }).tap()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: /^Company/ })).toBeFocused()
  await page.context().close()
})

const openRecorder = async (page: Page) => {
  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
}

const writeScript = async (page: Page, text: string) => {
  await page.getByRole('button', { name: /the script|Add a script/ }).click()
  const sheet = page.getByRole('dialog', { name: 'What you will say' })
  await sheet.getByRole('textbox', { name: /^Script/ }).fill(text)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)
}

const wordIn = async (page: Page): Promise<number> =>
  Number(await page.locator('[data-word][aria-current]').getAttribute('data-word'))

const choose = async (page: Page, sheet: ReturnType<Page['getByRole']>, name: string) => {
  await sheet.getByRole('radio', { name, exact: true }).press('Enter')
  await expect(sheet.getByRole('radio', { name, exact: true })).toBeChecked()
}
