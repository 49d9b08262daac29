import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { expectNoSidewaysScroll } from './axe.ts'
import { clip, discardFiles, fileField, signIn, url } from './people.ts'

/**
 * The main job: a phone video goes in, an approved and scheduled video comes out, and the timeline has each step. The
 * officer is at a phone, editor and QA are at their desks.
 */
test('a video goes through submit, edit, deny, edit, approve, revise, approve and schedule', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'one chain has both screens')
  const title = `Rate locks, ${Date.now().toString(36)}`
  await discardFiles()
  const motion = { reducedMotion: 'no-preference' } as const
  const officer = await signIn(browser, 'officer', { viewport: { width: 390, height: 844 }, hasTouch: true, ...motion })
  await upload(officer, title)
  await expect(officer).toHaveURL(/\/panel\/projects\//)
  const address = officer.url()
  const project = address.split('/').at(-1)!.split('?')[0]!
  await expect(officer.getByRole('heading', { name: title })).toBeVisible()
  // One upload, interrupted three times, is one file: nothing else is left waiting.
  await expect(officer.getByText(/waits? to be submitted/)).toHaveCount(0)
  await status(officer, 'Submitted')
  await tab(officer, 'Brief')
  await expectNoSidewaysScroll(officer, 'the brief with its file')

  const editor = await signIn(browser, 'editor', { viewport, ...motion })
  await claim(editor, project, title)
  await status(officer, 'In Progress')
  await sendCut(editor, await clip('first-cut', { seconds: 3, look: 'smptebars' }))
  await status(officer, 'Waiting Approval')

  const qa = await signIn(browser, 'qa', { viewport, ...motion })
  await qa.goto(url('/panel/review'))
  await qa.getByRole('link', { name: new RegExp(title) }).click()
  await qa.getByRole('button', { name: 'Deny' }).click()
  const pacing = qa.getByRole('slider', { name: 'Pacing' })
  await pacing.focus()
  for (let points = 10; points > 4; points--) await pacing.press('ArrowLeft')
  await qa.getByLabel('What about “Pacing”?').fill('The pause at the start is too long.')
  await qa.getByText('Captions', { exact: true }).last().click()
  await qa.getByLabel('In a sentence').fill('Cut the first two seconds.')
  await qa.getByRole('button', { name: 'Deny' }).last().click()
  await status(qa, 'Denied')

  // The denial reaches its editor without a reload.
  await status(editor, 'Denied')
  await expect(editor.getByText('The pause at the start is too long.').first()).toBeVisible()
  await editor.getByRole('button', { name: 'Start editing' }).click()
  await sendCut(editor, await clip('second-cut', { seconds: 3, look: 'yuvtestsrc' }))
  // The editor sees the cut that they sent.
  await expect(editor.getByRole('region', { name: /, Cut 2$/ }).first()).toBeVisible()

  await status(qa, 'Waiting Approval')
  await qa.reload()
  await qa.getByRole('button', { name: 'Compare' }).first().click()
  await expect(qa.locator('video')).toHaveCount(2)
  await qa.goto(address)
  await qa.getByRole('button', { name: 'Approve cut 2', exact: true }).click()
  await status(qa, 'Completed')

  await status(officer, 'Completed')
  await playsAndDownloads(officer)
  await officer.getByRole('button', { name: 'Request a revision' }).click()
  await officer.getByLabel('What should change?').fill('Make my name larger at the end.')
  await officer.getByRole('button', { name: 'Request a revision' }).last().click()
  await status(officer, 'Revisioning')

  await status(editor, 'Revisioning')
  await expect(editor.getByText('Make my name larger at the end.').first()).toBeVisible()
  await editor.getByRole('button', { name: 'Start editing' }).click()
  await sendCut(editor, await clip('third-cut', { seconds: 3, look: 'rgbtestsrc' }))
  await status(qa, 'Waiting Approval')
  // The third cut came while the second was on the screen.
  await qa.getByRole('button', { name: 'Show cut 3' }).click()
  await qa.getByRole('button', { name: 'Approve cut 3', exact: true }).click()

  await status(officer, 'Completed')
  await officer.getByRole('button', { name: 'Show cut 3' }).click()
  await schedule(officer)
  await officer.getByRole('button', { name: 'Unschedule' }).click()
  await status(officer, 'Completed')
  await schedule(officer)

  await tab(officer, 'History')
  const story = [
    'Scheduled',
    'Unscheduled',
    'Scheduled',
    'Approved',
    'Sent to approval',
    'Editing started',
    'Revision requested',
    'Approved',
    'Sent to approval',
    'Editing started',
    'Denied',
    'Sent to approval',
    'Editing started',
    'Submitted',
  ]
  await expect(officer.getByRole('tabpanel')).toHaveText(new RegExp(story.join('[^]*')))
  for (const page of [officer, editor, qa]) await page.context().close()
})

/** Uploads over a phone's line, with the network cut in the middle and a reload, and submits. */
const upload = async (officer: Page, title: string) => {
  // As long as a phone names them, and longer than a phone is wide.
  const name = 'Screen_Recording_20261121_093000_Instagram_Reel_of_the_rates_this_week'
  const file = await clip(name, { megabits: 14 })
  await officer.goto(url('/panel/new'))
  const line = await officer.context().newCDPSession(officer)
  await line.send('Network.enable')
  const speed = (offline: boolean) =>
    line.send('Network.emulateNetworkConditions', {
      offline,
      latency: 20,
      downloadThroughput: 4e6,
      uploadThroughput: 1.5e6,
    })
  await speed(false)
  await fileField(officer).setInputFiles(file)
  const progress = officer.getByRole('main').getByRole('progressbar').first()
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(10)
  await speed(true)
  await officer.context().setOffline(true)
  await expect(officer.getByText(/waiting for the network/i).first()).toBeVisible()
  await officer.getByLabel('Title').fill(title)
  await officer.getByLabel('Instructions for the editor').fill('Cut the part where the phone rings.')
  await expectNoSidewaysScroll(officer, 'the form with a file on its way')
  await officer.context().setOffline(false)
  await speed(false)
  await expect(officer.getByText(/waiting for the network/i)).toHaveCount(0)
  const before = Number(await progress.getAttribute('aria-valuenow'))
  await officer.reload()
  // The upload resumes automatically, and typed text is kept.
  await expect(officer.getByLabel('Title')).toHaveValue(title)
  await expect
    .poll(async () =>
      Number((await progress.getAttribute('aria-valuenow', { timeout: 2000 }).catch(() => null)) ?? 100),
    )
    .toBeGreaterThanOrEqual(Math.min(before, 60))
  await line.send('Network.disable')
  await officer.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(officer).toHaveURL(/\/panel\/projects\//, { timeout: 90_000 })
}

/** The editor starts projects until it is this one: demo projects may be before it in the queue. */
const claim = async (editor: Page, project: string, title: string) => {
  await editor.goto(url('/panel/work'))
  await expect(editor.getByText(title).first())
    .toBeVisible({ timeout: 5000 })
    .catch(() => {})
  await editor.goto(url(`/panel/projects/${project}`))
  await editor.getByRole('button', { name: 'Start editing' }).click()
  await status(editor, 'In Progress')
}

const sendCut = async (editor: Page, file: string) => {
  await status(editor, 'In Progress')
  await fileField(editor.getByRole('main')).setInputFiles(file)
  await editor.getByRole('button', { name: 'Send to approval' }).click()
  await status(editor, 'Waiting Approval', 120_000)
}

const schedule = async (officer: Page) => {
  await officer.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await officer.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(officer, 'Scheduled')
}

const status = (page: Page, words: string, timeout = 60_000) =>
  expect(page.getByRole('main').getByText(words, { exact: true }).first()).toBeVisible({ timeout })

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

const playsAndDownloads = async (page: Page) => {
  await page
    .locator('video')
    .first()
    .evaluate(async (video: HTMLVideoElement) => {
      video.muted = true
      await video.play()
    })
  await expect
    .poll(() =>
      page
        .locator('video')
        .first()
        .evaluate((video: HTMLVideoElement) => video.currentTime),
    )
    .toBeGreaterThan(0.3)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name: 'Download' })
      .or(page.getByRole('button', { name: 'Download' }))
      .first()
      .click(),
  ])
  expect((await readFile((await download.path())!)).subarray(4, 8).toString()).toBe('ftyp')
}
