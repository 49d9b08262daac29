import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, claim, clip, product, signIn, submit, url } from './people.ts'
import { openTab, prepare, prepared, sendTake } from './workbench.ts'

/** An editor edits a video: corrects, cuts and restores words, sets a style, undoes, reloads, renders and sends. */
test('an editor takes a video from the first cut to approval in the workbench', async ({ browser, viewport }, info) => {
  const title = `Rates moved, ${info.project.name}`
  const takeId = await sendTake()
  const bringBack = info.project.name === 'desktop' ? await loseFile(takeId) : undefined
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
    await expect(page.getByRole('switch', { name: 'Show captions' })).toBeVisible({ timeout: 120_000 })
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
  if (info.project.name === 'phone') await expectWordsOnSmallPhone(page)

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

/** An ADMIN adds clips; an editor covers words with the fitting one, moves its end, reloads, renders. */
test('a clip of the library covers words in the preview and in the finished file', async ({
  browser,
  viewport,
}, info) => {
  const isPhone = info.project.name === 'phone'
  await emptyLibrary()
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/clips'))
  await expect(admin.getByRole('heading', { name: 'No B-roll yet' })).toBeVisible()
  await expectClean(admin, 'an empty library')
  // A black picture: it cannot be taken for the officer's.
  const black = await clip('black', { seconds: 3, look: 'color' })
  await addClip(admin, black, 'House keys', ['rates', 'closing'])
  await addClip(admin, await clip('street', { seconds: 2, look: 'smptebars' }), 'A street', ['neighbourhood'])
  await expectClean(admin, 'the library')
  await expectNoSidewaysScroll(admin, 'the library')
  await admin.getByRole('searchbox', { name: 'Search clips' }).fill('closing')
  await expect(admin.getByRole('heading', { name: 'A street' })).toBeHidden()
  await expect(admin.getByRole('heading', { name: 'House keys' })).toBeVisible()
  await admin.context().close()

  const projectId = await prepared(`Covered, ${info.project.name}`)

  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await openTab(page, 'Words')
  const transcript = page.getByRole('listbox', { name: 'Transcript' })
  const word = (text: string | RegExp) => transcript.getByRole('option', { name: text })
  const saved = () => expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await word('moved').click()
  for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText(/^3 words/)).toBeVisible()
  if (isPhone) await page.getByRole('button', { name: 'B-roll', exact: true }).click()
  else await page.keyboard.press('b')
  const picker = page.getByRole('dialog', { name: 'Cover with B-roll' })
  await expect(picker.getByRole('region', { name: 'Fitting these words' }).getByRole('button')).toHaveText([
    /House keys/,
  ])
  await expect(picker.getByRole('button', { name: /A street/ })).toBeVisible()
  await expectClean(page, 'the clips for some words')
  await page.keyboard.press('Enter')
  await expect(picker).toBeHidden()
  const track = page.getByRole('group', { name: 'B-roll, where it is seen' })
  const bar = track.getByRole('button', { name: /^House keys, 0:00\.80 to 0:01\.90/ })
  await expect(bar).toHaveAttribute('aria-pressed', 'true')
  await expectClean(page, 'the workbench with B-roll')
  await expectNoSidewaysScroll(page, 'the workbench with B-roll')
  await saved()

  // Its end by keys, a frame and five; one step back leads to where it was.
  const end = track.getByRole('slider', { name: 'End of House keys' })
  const before = Number(await end.getAttribute('aria-valuenow'))
  await end.focus()
  await page.keyboard.press('.')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(end).toHaveAttribute('aria-valuenow', String(before + 6))
  await page.keyboard.press('Control+z')
  await expect(end).toHaveAttribute('aria-valuenow', String(before))
  // By hand.
  const place = (await end.boundingBox())!
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2)
  await page.mouse.down()
  await page.mouse.move(place.x + place.width / 2 - 12, place.y + place.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect.poll(async () => Number(await end.getAttribute('aria-valuenow'))).toBeLessThan(before)
  await page.getByRole('button', { name: /^Undo: B-roll end/ }).click()
  await expect(end).toHaveAttribute('aria-valuenow', String(before))

  // Gone by Delete, back by undoing, and still there after a reload.
  await bar.click()
  await page.keyboard.press('Delete')
  await expect(track).toBeHidden()
  await page.getByRole('button', { name: /^Undo: Remove B-roll/ }).click()
  await expect(bar).toBeVisible()
  await saved()
  await page.reload()
  await expect(bar).toBeVisible()

  // In the preview it is seen over its words and nowhere else.
  const cover = page.locator('.bench-frame video.pointer-events-none')
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('Home')
  // A video that stands is never hidden altogether (decision 436).
  const opacity = () => cover.evaluate((video) => Number(getComputedStyle(video).opacity))
  await expect.poll(opacity).toBeLessThan(0.01)
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(opacity).toBeGreaterThan(0.99)
  await expect.poll(() => cover.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeCloseTo(0.2, 1)
  await page.keyboard.press('End')
  await expect.poll(opacity).toBeLessThan(0.01)
  if (isPhone) {
    await openTab(page, 'Picture')
    await expect(page.getByText('Its ends are easier to drag on a larger screen.')).toBeVisible()
    expect(errors).toEqual([])
    await page.context().close()
    return
  }

  // The finished file is the same at every width.
  await page.getByRole('button', { name: 'Render', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Send to approval' })).toBeEnabled({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Watch' }).click()
  const finished = page.getByRole('dialog').locator('video')
  await expect.poll(() => finished.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  const light = [await lightAt(finished, 0.1), await lightAt(finished, 1.3), await lightAt(finished, 3.2)]
  expect(light[1]).toBeLessThan(40)
  expect(Math.min(light[0]!, light[2]!)).toBeGreaterThan(70)
  expect(errors).toEqual([])
  await page.context().close()
})

/** An editor splits, trims and rolls passages: by keys alone, with a pointer, and on a tablet with a finger. */
test('passages are cut on the timeline by keys, by pointer and by touch', async ({ browser, viewport }, info) => {
  test.skip(info.project.name === 'phone', 'A phone fixes words; passages are cut where there is room for them.')
  const projectId = await prepared('Cut on the timeline')
  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  const track = page.getByRole('group', { name: 'Passages of the video' })
  const bars = track.getByRole('button')
  const word = (text: string | RegExp) =>
    page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: text })
  const ends = async () => {
    const handles = track.getByRole('slider')
    return [await handles.nth(0).getAttribute('aria-valuenow'), await handles.nth(1).getAttribute('aria-valuenow')]
  }
  const undo = () => page.keyboard.press('Control+z')
  await expect(bars).toHaveCount(2)
  await expect(bars.first()).toHaveAccessibleName(/^Passage 1: Rates, 0:00\.00 to 0:00\.70/)

  // By keys alone: split a second and a half in, trim what begins there, roll the cut, take the passage out.
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  for (let i = 0; i < 15; i++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('s')
  await expect(bars).toHaveCount(3)
  await expect(bars.nth(2)).toHaveAttribute('aria-pressed', 'true')
  await expect(track.getByRole('slider', { name: /^Start of this/ })).toHaveAttribute('aria-valuenow', '54')
  for (let i = 0; i < 2; i++) await page.keyboard.press('Shift+.')
  // After the middle of “this”, and before its end.
  await expect(track.getByRole('slider', { name: /^Start of/ })).toHaveAttribute('aria-valuenow', '64')
  await expect(word('this, taken out: cut by hand')).toBeVisible()
  await expect(page.getByText('This end cuts into “this”.')).toBeVisible()
  await expectClean(page, 'the workbench with a passage in hand')
  await undo()
  await expect(track.getByRole('slider', { name: /^Start of/ })).toHaveAttribute('aria-valuenow', '54')
  await expect(word('this')).toBeVisible()
  // Where the last passage ends.
  const length = async () => (await bars.last().getAttribute('aria-label'))!.split(' to ').at(-1)
  const whole = await length()
  await page.keyboard.press('Alt+.')
  await expect(track.getByRole('slider', { name: /^Start of/ })).toHaveAttribute('aria-valuenow', '55')
  expect(await length()).toBe(whole)
  await page.keyboard.press('d')
  await expect(bars.nth(2)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Delete')
  await expect(bars).toHaveCount(2)
  await expect(word('this, taken out: cut by hand')).toBeVisible()
  await undo()
  await expect(bars).toHaveCount(3)
  for (let i = 0; i < 2; i++) await undo()
  await expect(bars).toHaveCount(2)
  // What was cut on the timeline comes back in the transcript.
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('q')
  await expect(word('moved, taken out: cut by hand')).toBeVisible()
  await word('moved, taken out: cut by hand').click()
  await page.keyboard.press('Delete')
  await expect(word('moved')).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(word('moved')).toBeVisible()

  // With a pointer: the end follows it, and one way of the hand is one step back.
  await bars.last().click()
  const [from, to] = await ends()
  const end = track.getByRole('slider', { name: /^End of/ })
  const place = (await end.boundingBox())!
  const middle = { x: place.x + place.width / 2, y: place.y + place.height / 2 }
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x - 60, middle.y, { steps: 6 })
  await page.mouse.up()
  await expect.poll(async () => Number((await ends())[1])).toBeLessThan(Number(to) - 5)
  await page.getByRole('button', { name: /^Undo: Trim/ }).click()
  await expect.poll(ends).toEqual([from, to])

  // Nearer at the pointer: what is under it stays there. Up and down lead to the cuts, and the line follows.
  const line = page.getByRole('group', { name: 'Timeline', exact: true })
  const width = () => line.evaluate((element) => element.scrollWidth)
  const narrow = await width()
  const mid = (await bars.last().boundingBox())!
  await page.mouse.move(mid.x, mid.y + 10)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -400)
  await page.keyboard.up('Control')
  await expect.poll(width).toBeGreaterThan(narrow * 2)
  await expect.poll(async () => Math.abs((await bars.last().boundingBox())!.x - mid.x)).toBeLessThan(3)
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('End')
  await expect.poll(() => line.evaluate((element) => element.scrollLeft)).toBeGreaterThan(narrow / 2)
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute('aria-valuenow', '0.72')
  await expectClean(page, 'a timeline that was zoomed')
  await page.keyboard.press('Shift+z')
  await expect.poll(width).toBe(narrow)
  // A dragged end stops at the end of a word nearby, and where the hand is while snapping is off.
  await bars.first().click()
  const firstEnd = track.getByRole('slider', { name: /^End of/ })
  await expect(firstEnd).toHaveAttribute('aria-valuenow', '21')
  const ruler = page.getByRole('slider', { name: 'Time' })
  const all = Math.round(Number(await ruler.getAttribute('aria-valuemax')) * 30)
  const frame = (await track.boundingBox())!.width / all
  const drawEnd = async (frames: number) => {
    const at = (await firstEnd.boundingBox())!
    await page.mouse.move(at.x + at.width / 2, at.y + 10)
    await page.mouse.down()
    await page.mouse.move(at.x + at.width / 2 + frames * frame, at.y + 10, { steps: 4 })
    await page.mouse.up()
  }
  await drawEnd(-2)
  await expect(firstEnd).toHaveAttribute('aria-valuenow', '18')
  await undo()
  await page.keyboard.press('n')
  await drawEnd(-2)
  await expect(firstEnd).toHaveAttribute('aria-valuenow', '19')
  await undo()
  // A box around both passages takes both in hand, and Escape lets go of them.
  await page.keyboard.press('Escape')
  const from1 = (await bars.first().boundingBox())!
  const to2 = (await bars.last().boundingBox())!
  await page.mouse.move(from1.x + 8, from1.y + 8)
  await page.mouse.down()
  await page.mouse.move(to2.x + 8, to2.y + 24, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByText('2 things selected')).toBeVisible()
  await expect(bars.first()).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(bars.first()).toHaveAttribute('aria-pressed', 'false')
  await page.context().close()

  // With a finger, on a tablet.
  const tablet = await signIn(browser, 'editor', { viewport: { width: 1024, height: 768 }, hasTouch: true })
  await tablet.goto(url(`/panel/projects/${projectId}/edit`))
  const touched = tablet.getByRole('group', { name: 'Passages of the video' })
  await touched.getByRole('button').last().tap()
  const handle = touched.getByRole('slider', { name: /^End of/ })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  const box = (await handle.boundingBox())!
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(24)
  await drawFinger(tablet, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, -80)
  await expect.poll(async () => Number(await handle.getAttribute('aria-valuenow'))).toBeLessThan(before - 5)
  await tablet.getByRole('button', { name: 'A frame later' }).tap()
  await expectClean(tablet, 'the workbench on a tablet')
  await expectNoSidewaysScroll(tablet, 'the workbench on a tablet')
  expect(errors).toEqual([])
  await tablet.context().close()
})

/** An editor adds titles from templates and the logo, writes and places them, and is told what is left to look at. */
test('titles and pictures lie over words on their tracks, and the check before sending leads to places', async ({
  browser,
  viewport,
}, info) => {
  const isPhone = info.project.name === 'phone'
  const projectId = await prepared(`Titled, ${info.project.name}`)
  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url(`/panel/projects/${projectId}/edit`))
  await openTab(page, 'Words')
  const word = (text: string | RegExp) =>
    page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: text })
  // Captions are written on the picture, split and joined there, each in one step back; the transcript goes along.
  await word('moved').click()
  if (isPhone) await page.getByRole('button', { name: /^Edit the caption: / }).tap()
  else await page.keyboard.press('e')
  const caption = page.getByRole('textbox', { name: 'Caption', exact: true })
  await expect(caption).toBeFocused()
  await expect(caption).toHaveValue(/^Rates moved/)
  await expectClean(page, 'a caption on the picture')
  await page.keyboard.press('Home')
  await page.keyboard.type('Mortgage ')
  await page.keyboard.press('Enter')
  await expect(caption).toBeHidden()
  await expect(word('Mortgage Rates')).toBeVisible()
  await page.getByRole('button', { name: /^Undo: Write a caption/ }).click()
  await expect(word('Rates')).toBeVisible()
  if (!isPhone) {
    const captions = page.getByRole('group', { name: 'Captions, page by page' })
    const pages = captions.getByRole('button')
    const count = await pages.count()
    await word('moved').click()
    await page.keyboard.press('e')
    await page.keyboard.press('Home')
    for (let i = 0; i < 'Rates '.length; i++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+Enter')
    await expect(pages).toHaveCount(count + 1)
    await expect(pages.first()).toHaveAccessibleName(/: Rates$/)
    // Its end to the next word, by the keys of a slider, and the two joined again.
    await pages.first().click()
    const pageEnd = captions.getByRole('slider', { name: 'End of Rates' })
    await pageEnd.focus()
    await page.keyboard.press('ArrowRight')
    await expect(pages.first()).toHaveAccessibleName(/: Rates moved$/)
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'Join with the next' }).click()
    await expect(pages).toHaveCount(count)
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+z')
    await expect(pages).toHaveCount(count)
    await page.keyboard.press('Control+h')
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('RATES')
    await expect(page.getByText('Found once.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Replace with' }).fill('Prices')
    await expectClean(page, 'find and replace')
    await page.keyboard.press('Enter')
    await expect(word('Prices')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(word('Rates')).toBeVisible()
  }
  await word('moved').click()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('t')
  const track = page.getByRole('group', { name: 'Titles, where they are seen' })
  const bar = track.getByRole('button')
  await expect(bar).toHaveAccessibleName(/^moved again, /)
  await expect(bar).toHaveAttribute('aria-pressed', 'true')
  const written = page.getByRole('textbox', { name: 'Title', exact: true })
  await written.fill('Rates moved again')
  await expect(bar).toHaveAccessibleName(/^Rates moved again, /)
  await page.getByRole('button', { name: /\bPlace\b/ }).click()
  await page.getByRole('option', { name: 'Top left' }).click()
  await expectClean(page, 'a title in hand')
  await expectNoSidewaysScroll(page, 'a title in hand')
  // Its end by keys, and a step back.
  const end = track.getByRole('slider', { name: /^End of/ })
  await end.focus()
  const before = Number(await end.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(end).toHaveAttribute('aria-valuenow', String(before - 5))
  await page.keyboard.press('Control+z')
  await expect(end).toHaveAttribute('aria-valuenow', String(before))
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(bar).toHaveAccessibleName(/^Rates moved again, /)

  // Nearer on the picture itself: its corner by hand, its place by keys, each one step back.
  await openTab(page, 'Words')
  await word('moved').click()
  if (isPhone) {
    await openTab(page, 'Picture')
    await expect(page.getByRole('button', { name: 'Punch in', exact: true })).toBeEnabled()
    await page.getByRole('button', { name: 'Punch in', exact: true }).click()
    await page.getByRole('button', { name: 'Set it on the picture: Punch-in' }).click()
  } else await page.keyboard.press('z')
  const part = page.getByRole('button', { name: /^Punch-in: what is seen/ })
  await expect(part).toHaveAccessibleName(/ 115%, pointed at 50% from the left, 40% from the top/)
  await expectClean(page, 'a move in hand')
  const corner = (await page.getByRole('slider', { name: 'Size of Punch-in' }).boundingBox())!
  await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2)
  await page.mouse.down()
  await page.mouse.move(corner.x - 30, corner.y - 30, { steps: 4 })
  await page.mouse.up()
  await expect(part).not.toHaveAccessibleName(/ 115%/)
  await page.getByRole('button', { name: /^Undo: Move on the picture/ }).click()
  await expect(part).toHaveAccessibleName(/ 115%, pointed at 50% from the left, 40% from the top/)
  await part.focus()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(part).toHaveAccessibleName(/pointed at 51% from the left, 45% from the top/)
  await page.keyboard.press('Control+z')
  await expect(part).toHaveAccessibleName(/pointed at 50% from the left, 40% from the top/)
  await page.keyboard.press('Delete')
  await expect(part).toBeHidden()

  await openTab(page, 'Finished file')
  const check = page.getByRole('region', { name: 'Before you send' })
  await expect(check.getByRole('button', { name: /^1 passage of the script nobody said/ })).toBeVisible()
  await check.getByRole('button', { name: /^1 word guessed/ }).click()
  if (!isPhone) await expect(word(/^news/)).toHaveAttribute('aria-selected', 'true')
  await expectClean(page, 'the check before sending')

  // What an app draws over the video, chosen from a menu; and every command by its name.
  if (!isPhone) {
    await page.getByRole('button', { name: 'Safe areas of networks' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'TikTok' }).click()
    await expect(page.getByText('TikTok: its own words')).toBeVisible()
    await expectClean(page, 'the menu of safe areas')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await expect(page.getByText('TikTok: its own words')).toBeHidden()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('safe')
    await expect(page.getByRole('dialog').getByRole('option')).toHaveText([/^Safe area/])
    await expectClean(page, 'the palette')
    await page.keyboard.press('Enter')
    await expect(page.getByText('TikTok: its own words')).toBeVisible()
  }

  // A sentence said twice: the other try takes its place and is played; a step back brings the first again.
  // What this page has not sent yet would stand against it after the reload.
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await sayTwice(projectId)
  await page.reload()
  await openTab(page, 'Words')
  const moved = page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: /^moved/ })
  await expect(moved).toHaveText(['moved', 'moved'])
  await expect(moved.first()).toHaveAccessibleName(/taken out/)
  await expect(page.getByRole('button', { name: /^Another try: choose a word/ })).toBeDisabled()
  await moved.last().click()
  const other = page.getByRole('button', { name: /^Another try: said 2 times, try 2 is in the video/ })
  await expect(other).toBeEnabled()
  if (isPhone) await other.click()
  else await page.keyboard.press('v')
  await expect(moved.first()).toHaveAccessibleName('moved')
  await expect(moved.last()).toHaveAccessibleName(/taken out/)
  await expect(page.getByRole('button', { name: /^Another try: said 2 times, try 1 is in the video/ })).toBeEnabled()
  await page.getByRole('button', { name: /^Undo: Take try 1/ }).click()
  await expect(moved.first()).toHaveAccessibleName(/taken out/)
  expect(errors).toEqual([])
  await page.context().close()
})

/** A finger goes down, moves sideways and lets go. */
const drawFinger = async (page: Page, { x, y }: { x: number; y: number }, by: number) => {
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  await send('touchStart', [{ x, y }])
  for (let i = 1; i <= 8; i++) await send('touchMove', [{ x: x + (by * i) / 8, y }])
  await send('touchEnd', [])
}

/** Takes the clips away that another journey, or the first try of one, has left. */
const emptyLibrary = async () => {
  const admin = await callAs('admin')
  for (const { id } of (await admin(clips.list, {})).items)
    await admin(clips.change, { params: { clipId: id }, body: { isRemoved: true } })
}

/** Through the page's own dialog. */
const addClip = async (admin: Page, file: string, title: string, tags: readonly string[]) => {
  await admin.getByRole('button', { name: 'Add a clip' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Add a clip' })
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByLabel('Title').fill(title)
  for (const tag of tags) {
    await dialog.getByRole('textbox', { name: 'Tags' }).fill(tag)
    await admin.keyboard.press('Enter')
  }
  await dialog.getByRole('button', { name: 'Add a clip' }).click()
  await expect(dialog).toBeHidden({ timeout: 120_000 })
  await expect(admin.getByRole('heading', { name: title })).toBeVisible()
}

/** How light the upper half of a video is at a moment, 0 to 255. */
const lightAt = (video: Locator, seconds: number): Promise<number> =>
  video.evaluate(async (element: HTMLVideoElement, at) => {
    element.pause()
    const there = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
    element.currentTime = at
    await there
    const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 })
    const context = canvas.getContext('2d')!
    context.drawImage(element, 0, 0, element.videoWidth, element.videoHeight / 2, 0, 0, 32, 32)
    const { data } = context.getImageData(0, 0, 32, 32)
    return data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / (32 * 32 * 3)
  }, seconds)

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

/** The edit's words become a sentence that was said twice, of which the first try is out, and another sentence. */
const sayTwice = async (projectId: string) => {
  const editor = await callAs('editor')
  const at = { params: { projectId } }
  const { recipe: saved, revision } = await editor(edits.find, at)
  const recipe = saved as unknown as Recipe
  const source = recipe.sources[0]!.id
  const words = 'Rates moved again. Rates moved again. Call me today.'.split(' ').map((text, i) => {
    const start = 300 + i * 400
    return { id: `w${i}`, source, start, end: start + 300, text, confidence: 0.95, origin: 'heard' as const }
  })
  const [{ start }, , { end }] = words as [(typeof words)[0], unknown, (typeof words)[0]]
  const first = { id: 'r1', source, start, end, reason: 'broken-off' as const, by: 'rule' as const, why: 'Said again.' }
  const twice: Recipe = { ...recipe, words, removed: [{ ...first, on: true }], unsaid: [] }
  await editor(edits.save, { ...at, body: { revision, recipe: twice as never } })
}
