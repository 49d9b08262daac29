import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, claim, product, signIn, submit, url } from './people.ts'
import { atOneScreen, isEvery } from './screens.ts'
import { openTab, prepare, sendTake } from './workbench.ts'

/** An editor edits a video: corrects, cuts and restores words, sets a style, undoes, reloads, renders and sends. */
test('an editor takes a video from the first cut to approval in the workbench', async ({ browser, viewport }, info) => {
  // At the desktop are all other journeys through the workbench.
  atOneScreen('phone')
  const isPhone = info.project.name === 'phone'
  const title = `Rates moved, ${info.project.name}`
  const takeId = await sendTake()
  const bringBack = isPhone === isEvery ? undefined : await loseFile(takeId)
  const projectId = await submit(title, takeId)
  await claim(projectId)

  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  // A failed first cut says why, and can be tried again.
  if (bringBack) {
    await page.goto(url(`/panel/projects/${projectId}/edit`))
    await expect(page.getByRole('heading', { name: 'The first cut did not work' })).toBeVisible()
    await expect(page.getByText('None of the source files is a video that is still here.')).toBeVisible()
    await expectClean(page, 'a first cut that failed')
    await bringBack()
    await page.getByLabel('What is said').fill('Rates moved again this week.')
    await page.getByRole('button', { name: 'Make the first cut with these words' }).click()
    await expect(page.getByRole('tab', { name: 'Captions' })).toBeVisible({ timeout: 120_000 })
  }
  await prepare(projectId)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url(`/panel/projects/${projectId}`))
  await page.getByRole('link', { name: 'Open the workbench' }).click()
  const transcript = page.getByRole('listbox', { name: 'Transcript' })
  const word = (text: string | RegExp) => transcript.getByRole('option', { name: text })
  const saved = () => expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(word(/^um, taken out: filler/)).toBeVisible()
  await expect(page.getByText('3 things to check')).toBeVisible()
  await expectClean(page, 'the workbench')
  await expectNoSidewaysScroll(page, 'the workbench')
  if (isPhone) {
    const hint = (await page.getByText('Select words to cut.').boundingBox())!
    expect(hint.height, 'two lines beside the tools').toBeLessThan(40)
    await expectWordsOnSmallPhone(page)
  }

  // A correction, by double click and Enter.
  await word('Rates').dblclick()
  // What is typed replaces it.
  await expect(page.getByRole('textbox', { name: 'In the caption' })).toBeFocused()
  await page.keyboard.type('Mortgage rates')
  await page.keyboard.press('Enter')
  await expect(word('Mortgage rates')).toBeVisible()
  // Two words cut by the keyboard; one of them put back by the same key.
  await word('again').click()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText(/^2 words/)).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(word('again, taken out: cut by hand')).toBeVisible()
  await word('this, taken out: cut by hand').click()
  await page.keyboard.press('Delete')
  await expect(word('this')).toBeVisible()
  await expect(word('again, taken out: cut by hand')).toBeVisible()
  // A rule's decision, back by one press, and out again for all of its kind.
  await word(/^Filler, taken out/).click()
  await expect(word('um, filler')).toBeVisible()
  await page.getByRole('switch', { name: /^Fillers/ }).focus()
  await page.keyboard.press('Space')
  await expect(word(/^um, taken out: filler/)).toBeVisible()
  // Things to check: an estimated time, a guessed word, and unsaid words.
  const estimated = page.getByText('The times are only estimated')
  await expect(estimated).toBeVisible()
  await page.keyboard.press('c')
  await page.keyboard.press('a')
  await expect(estimated).toBeHidden()
  await page.keyboard.press('c')
  await page.keyboard.press('a')
  await expect(page.getByText('1 thing to check')).toBeVisible()
  await saved()

  await openTab(page, 'Captions')
  await page.getByRole('radio', { name: 'Two Lines', exact: true }).check({ force: true })
  await page.getByText('Show captions').click()
  await page.getByRole('button', { name: /^Undo: Captions off/ }).click()
  await expect(page.getByRole('switch', { name: 'Show captions' })).toBeChecked()
  await saved()
  await page.reload()
  await openTab(page, 'Captions')
  await expect(page.getByRole('radio', { name: 'Two Lines', exact: true })).toBeChecked()
  await openTab(page, 'Words')
  await expect(word('Mortgage rates')).toBeVisible()
  await expect(word('again, taken out: cut by hand')).toBeVisible()

  // Without the network nothing is lost, not even by a reload.
  await page.context().setOffline(true)
  await word('week,').click()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Offline, kept here')).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await openTab(page, 'Words')
  await expect(word(/^week,+ taken out/)).toBeVisible()
  await saved()

  // Stopped, there is no file; the same can be asked for again.
  await page.getByRole('button', { name: 'Render', exact: true }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Try the same again' }).click()
  const send = page.getByRole('button', { name: 'Send to approval' })
  await expect(send).toBeEnabled({ timeout: 120_000 })
  await expect(send).toHaveCount(1)
  await page.getByRole('button', { name: 'Watch' }).click()
  const finished = page.getByRole('dialog').locator('video')
  await expect.poll(() => finished.evaluate((video: HTMLVideoElement) => video.duration)).toBeGreaterThan(2)
  await page.keyboard.press('Escape')
  await send.click()
  await expect(page.getByRole('button', { name: /^Render/ })).toHaveCount(0)
  expect(errors).toEqual([])

  const qa = await signIn(browser, 'qa', { viewport })
  // Until the video is there its poster stands in the picture.
  const lateVideo = Promise.withResolvers<void>()
  await qa.route(/\.mp4/, async (route) => {
    await lateVideo.promise
    await route.continue()
  })
  await qa.goto(url(`/panel/projects/${projectId}/edit`))
  await expect(qa.getByRole('option', { name: 'Mortgage rates' })).toBeVisible()
  const poster = qa.locator('.bench-frame img[src*="poster"]')
  await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await info.attach('before the video', {
    body: await qa.locator('.bench-stage').screenshot(),
    contentType: 'image/png',
  })
  lateVideo.resolve()
  await expect(poster).toHaveCount(0)
  await expect(qa.getByRole('button', { name: 'Render', exact: true })).toHaveCount(0)
  for (const one of [page, qa]) await one.context().close()
})

/** The first words are visible under the video without scrolling, and nothing overflows the page. */
const expectWordsOnSmallPhone = async (page: Page) => {
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 320, height: 640 })
  const first = page.getByRole('option', { name: 'Rates', exact: true })
  const room = async () => {
    const [word, tools] = [await first.boundingBox(), await page.getByRole('button', { name: 'Cut' }).boundingBox()]
    return tools!.y - word!.y - word!.height
  }
  await expect.poll(room).toBeGreaterThan(0)
  await expectNoSidewaysScroll(page, 'the workbench on a small phone')
  await page.setViewportSize(before)
}

/** The disk loses the officer's uploaded file; the answer brings it back. */
const loseFile = async (assetId: string): Promise<() => Promise<void>> => {
  const officer = await callAs('officer')
  // Checked, and nothing looks at it any more.
  await expect
    .poll(async () => (await officer(assets.find, { params: { assetId } })).filmstrip, { timeout: 120_000 })
    .toBeTruthy()
  const file = join(product().dataDir, 'media/assets', assetId, 'original.mp4')
  // Not in the same folder: unknown files there are swept when the ingest ends.
  const elsewhere = join(product().dataDir, `${assetId}.lost`)
  await rename(file, elsewhere)
  return () => rename(elsewhere, file)
}
