import { join } from 'node:path'
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { expectNoSidewaysScroll, expectClean } from './axe.ts'
import { cameraArgs, footage, openWithCamera } from './camera.ts'
import { isLong, seeded, seedOfRun } from '../server/test/random.ts'
import { behindItsBack, letDayPass } from './database.ts'
import { leaveRoom } from './room.ts'
import { openOwnBrowser } from './own-browser.ts'
import { callAs, discardFiles, product, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'
import { safeHere } from './takes-here.ts'

let browser: Browser

test.beforeAll(async () => {
  browser = await openWithCamera()
})
test.afterAll(() => browser?.close())

test('an officer records with a script, pauses, says a sentence again, and the take is a project with sound', async ({
  viewport,
  hasTouch,
}) => {
  atOneScreen('phone')
  await letDayPass()
  await discardFiles()
  // What the profile knows is not asked for.
  await (
    await callAs('officer')
  )(accounts.update, { body: { nmlsNumber: '' } })
  const page = await signIn(browser, 'officer', { viewport, hasTouch })
  await page.addInitScript(() => {
    const { pause, resume, stop } = MediaRecorder.prototype
    const asked: string[] = ((globalThis as never as { asked: string[] }).asked = [])
    const { persist } = StorageManager.prototype
    StorageManager.prototype.persist = function (this: StorageManager) {
      asked.push('persist')
      return persist.call(this)
    }
    for (const [name, call] of Object.entries({ pause, resume, stop }) as ['stop', typeof stop][])
      MediaRecorder.prototype[name] = function (this: MediaRecorder) {
        asked.push(`${name} while ${this.state}`)
        return call.apply(this)
      }
  })
  await page.goto(url('/panel/new'))
  await page.getByRole('link', { name: 'Record', exact: true }).click()
  // Whoever goes by keys or hears the page stands at the heading or the next button after each step.
  await expect(page.getByRole('heading', { name: 'Record', level: 1 })).toBeFocused()
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
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(page.getByRole('status').getByText('Recording', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeFocused()
  await expectClean(page, 'a take that runs')
  // The words move while the voice is heard.
  const word = async () => Number(await words.locator('[aria-current]').getAttribute('data-word'))
  await expect.poll(word).toBeGreaterThan(3)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused', { exact: true })).toBeVisible()
  const rested = await word()
  await page.getByRole('button', { name: 'Again from here' }).click()
  await expect(page.getByText('Recording', { exact: true })).toBeVisible()
  // From where it went back to they come here once more; how far that was is in the take's own note, below.
  await expect.poll(word).toBeGreaterThanOrEqual(rested)
  await expect(page.getByText(/% uploaded/)).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()

  await expect(page.getByRole('heading', { name: 'Your take' })).toBeFocused()
  await expect(page.getByText('1 retake.')).toBeVisible()
  // The device is asked to keep what is recorded, and the pictures that wait in the encoder are waited for: what stops while it
  // records loses them.
  expect(await page.evaluate(() => (globalThis as never as { asked: string[] }).asked)).toEqual([
    'persist',
    'pause while recording',
    'resume while paused',
    'pause while recording',
    'stop while paused',
  ])
  await expect
    .poll(() => page.getByLabel('The take that you recorded').evaluate((video: HTMLVideoElement) => video.readyState))
    .toBeGreaterThan(1)
  // Each try of the sentence that was said again is a press away.
  const second = page.getByRole('button', { name: /try 2, kept/ })
  const [, minutes, seconds] = (await second.innerText()).match(/(\d+):(\d+)/)!
  const begun = Number(minutes) * 60 + Number(seconds)
  await second.click()
  const at = () =>
    page.getByLabel('The take that you recorded').evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect.poll(at).toBeGreaterThan(begun - 0.4)
  await expectClean(page, 'a take that is watched')
  await page.getByRole('button', { name: 'Use this take' }).click()

  await expect(page.getByRole('heading', { name: 'Video', exact: true })).toBeFocused()
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
  // What it noted is here: one beginning anew, after which its words came once more.
  const again = `take_log->'again'->0->'ms'`
  const shown = `jsonb_array_elements(take_log->'shown') shown`
  const noted = `
    select from asset where id = $1 and jsonb_array_length(take_log->'again') = 1 and $2 > (take_log->'again'->0->>'word')::int
      and exists (select from ${shown} where shown->0 = to_jsonb($2::int) and shown->1 < ${again})
      and exists (select from ${shown} where shown->0 = to_jsonb($2::int) and shown->1 > ${again})`
  expect(await behindItsBack(noted, [take!.assetId, rested])).toBe(1)
  // The device keeps nothing of what is safe with the service.
  await expect.poll(() => takesHere(page)).toBe(0)

  await page.getByLabel('Title').fill(`Recorded ${Date.now().toString(36)}`)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page).toHaveURL(/\/panel\/projects\//)
  await expect(page.getByRole('heading', { name: /^Recorded /, level: 1 })).toBeFocused()
  const player = page.locator('video').first()
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0)
  expect(await player.evaluate((video: HTMLVideoElement) => video.duration)).toBeCloseTo(take!.duration!, 0)
  await page.context().close()
})

test(
  'a take whose browser is killed is found again, finished, and arrives once with all that was safe',
  { tag: '@long' },
  async ({ launchOptions }, info) => {
    test.skip(info.project.name === 'phone' && !isLong, 'It is the same at every width.')
    await discardFiles()
    const files = await footage()
    const folder = join(product().dataDir, 'recording-browser')
    const random = seeded(seedOfRun())
    const kept: number[] = []
    const counts = new Map<Ending, number>()
    const until = Date.now() + mostMs
    const rounds = isLong ? 30 : 2
    for (let round = 0; round < rounds && Date.now() < until; round++) {
      const own = { executable: launchOptions.executablePath!, args: [...launchOptions.args!, ...cameraArgs(files)] }
      const { context, kill } = await openOwnBrowser(folder, own)
      // Once before the first byte reached the service, once after; the long form ends takes in other ways, too.
      const ending = endings[round % (isLong ? endings.length : 2)]!
      const page = await officerIn(context, '/panel/new/record')
      await expect(page.getByText('The light is good.')).toBeVisible()
      counts.set(ending, (counts.get(ending) ?? 0) + 1)
      await page.getByRole('button', { name: 'Record', exact: true }).click()
      await expect(page.getByText('Recording', { exact: true })).toBeVisible()
      if (ending === 'killed without a network') await context.setOffline(true)
      await expect.poll(() => safeHere(page).then(([take]) => take?.safeMs ?? 0)).toBeGreaterThan(2500)
      await page.waitForTimeout(random.whole(0, 1500))
      if (ending === 'storage full') {
        await leaveRoom(page, 1e6)
        await expect(page.getByText('storage is nearly full')).toBeVisible()
      }
      const [safe] = await safeHere(page)
      if (ending === 'tab closed') await page.close()
      else await kill()

      const next = ending === 'tab closed' ? { context, kill } : await openOwnBrowser(folder, own)
      const after = await officerIn(next.context, '/panel/new')
      const officer = await callAs('officer')
      const unused = async () => (await officer(assets.unused, {})).items
      if (ending === 'storage full') {
        // It had ended: what is left goes up by itself.
        await expect(after.getByText(/^Take of /).first()).toBeVisible()
      } else {
        await expect(after.getByText(/Your take of .* long: \d+\s?% of it is uploaded/)).toBeVisible()
        const [found] = await safeHere(after)
        expect(found!.safeBytes).toBeGreaterThanOrEqual(safe!.safeBytes)
        if (round === 0) {
          await after.setViewportSize({ width: 390, height: 844 })
          await expectClean(after, 'a take that was left')
        }
        await after.getByRole('button', { name: 'Finish it' }).click()
      }
      await expect.poll(async () => (await unused()).map(({ state }) => state), { timeout: 90_000 }).toEqual(['ready'])
      const [take] = await unused()
      // Less than half a piece: the clock runs ahead of the encoder by less than a tenth of a second.
      expect(take!.duration! * 1000).toBeGreaterThan(safe!.safeMs - 500)
      await expect.poll(() => takesHere(after)).toBe(0)
      kept.push(Math.round(take!.duration! * 1000) - Math.round(safe!.safeMs))
      await officer(assets.discard, { params: { assetId: take!.assetId } })
      await next.kill()
    }
    const said = [...counts].map(([ending, count]) => `${count} ${ending}`).join(', ')
    console.log(`The file's length less what was called safe, ms: ${kept.join(', ')}`)
    console.log(
      `| takes ended at random moments (${said}): arrived, each once | ${kept.length} of ${[...counts.values()].reduce((a, b) => a + b, 0)} | all |`,
    )
  },
)

/** How a take ends without anybody's asking. A server that is killed is in server/test/recording.test.ts. */
const endings = ['killed without a network', 'browser killed', 'tab closed', 'storage full'] as const
type Ending = (typeof endings)[number]
/** The long form begins no take after that. */
const mostMs = 9 * 60_000

const refused = {
  NotAllowedError: 'The camera is not allowed here',
  NotFoundError: 'No camera or microphone was found',
  NotReadableError: 'Another program uses the camera',
}

test(
  'a camera that is refused, missing, busy or unplugged has words and a way on',
  { tag: '@long' },
  async ({ viewport }) => {
    atOneScreen('desktop')
    await discardFiles()
    const page = await signIn(browser, 'officer', { viewport })
    await page.addInitScript(() => {
      const devices = navigator.mediaDevices
      const open = devices.getUserMedia.bind(devices)
      devices.getUserMedia = async (wanted) => {
        const refusal = sessionStorage.getItem('refusal')
        if (refusal) throw new DOMException('', refusal)
        const stream = await open(wanted)
        addEventListener('unplug', () => {
          for (const track of stream.getTracks()) {
            track.stop()
            track.dispatchEvent(new Event('ended'))
          }
        })
        return stream
      }
    })
    await page.goto(url('/panel/new/record'))
    for (const [name, title] of Object.entries(refused)) {
      await page.evaluate((refusal) => sessionStorage.setItem('refusal', refusal), name)
      await page.reload()
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await expectClean(page, title)
      await expect(page.getByRole('link', { name: 'Choose a video instead' })).toBeVisible()
    }
    // A phone has a camera.
    await page.getByRole('button', { name: 'Record on your phone' }).click()
    const code = page.getByRole('dialog', { name: 'Record on your phone' })
    await code.getByRole('button', { name: 'Show the code' }).click()
    await expect(code.getByRole('img', { name: /code/i })).toBeVisible()
    await expectClean(page, 'the code for a phone that records')
    await page.keyboard.press('Escape')
    await page.evaluate(() => sessionStorage.removeItem('refusal'))
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(page.getByText('The light is good.')).toBeVisible()
    // Taken away before a take there is nothing to lose: what is there instead is opened, and what is plugged in later, too.
    await page.evaluate(() => {
      sessionStorage.setItem('refusal', 'NotFoundError')
      dispatchEvent(new Event('unplug'))
    })
    await expect(page.getByRole('heading', { name: refused.NotFoundError })).toBeFocused()
    await page.evaluate(() => {
      sessionStorage.removeItem('refusal')
      navigator.mediaDevices.dispatchEvent(new Event('devicechange'))
    })
    await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeFocused()
    await expect(page.getByText('The light is good.')).toBeVisible()
    // The whole way by keys.
    await page.keyboard.press('r')
    await expect(page.getByText('Recording', { exact: true })).toBeVisible()
    await expect.poll(() => safeHere(page).then(([take]) => take?.safeMs ?? 0)).toBeGreaterThan(1500)
    await page.keyboard.press('p')
    await expect(page.getByText('Paused', { exact: true })).toBeVisible()
    await page.keyboard.press('p')
    await expect(page.getByText('Recording', { exact: true })).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('unplug')))
    await expect(
      page.getByText('The camera or microphone was taken away. What you said until then is safe.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Throw it away and record again' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Throw it away' }).click()
    await expect(page.getByText('The light is good.')).toBeVisible()
    await expect.poll(() => takesHere(page)).toBe(0)
    // It was being sent meanwhile: the service is told apart.
    const officer = await callAs('officer')
    await expect.poll(async () => (await officer(assets.unused, {})).items).toEqual([])
    await page.context().close()
  },
)

const officerIn = async (context: BrowserContext, path: string): Promise<Page> => {
  const data = { email: 'officer@demo.test', password: 'demo-Clear2Post' }
  expect((await context.request.post(url('/identity/sign-in/password'), { data })).ok()).toBe(true)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(url(path))
  return page
}

const script =
  'Thinking about your first home this year? Here is a weekend job that makes everything after it easier. [smile] ' +
  'Find three things and put them in one folder. I am [name], NMLS [number].'

const takesHere = async (page: Page): Promise<number> => (await safeHere(page)).length
