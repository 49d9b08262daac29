import { expect, test, type Locator, type Page } from '@playwright/test'
import { clips } from '@clear-to-post/contract/clips'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, clip, fileField, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'
import { openTab, openWorkbench, prepared } from './workbench.ts'

/** An ADMIN adds clips; an editor covers words with the fitting one, moves its end, reloads, renders. */
test('a clip of the library covers words in the preview and in the finished file', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
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

  const { page, errors } = await openWorkbench(browser, projectId, { viewport })
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

  // Faster, slowly nearer and turned by keys, each a step back.
  await openTab(page, 'Picture')
  const settings = [
    ['Speed', 'ArrowRight', '1.25×', 'B-roll at 1.25×'],
    ['Slow push', 'ArrowRight', '1.05×', 'Slow push over B-roll'],
    ['Straighten', 'ArrowLeft', '0.1° left', 'Turn the picture: 0.1° left'],
  ] as const
  for (const [name, key, said] of settings) {
    const range = page.getByRole('slider', { name, exact: true })
    await range.press(key)
    await expect(range).toHaveAttribute('aria-valuetext', said)
  }
  await expectClean(page, 'the settings of B-roll')
  for (const [, , , did] of settings.toReversed()) await page.getByRole('button', { name: `Undo: ${did}` }).click()
  await expect(page.getByRole('slider', { name: 'Speed', exact: true })).toHaveAttribute(
    'aria-valuetext',
    'as recorded',
  )

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

  // It fades in: soon after its start a part of it is seen.
  await openTab(page, 'Picture')
  await bar.click()
  const comes = page.getByRole('button', { name: /Comes and goes/ })
  await comes.click()
  await page.getByRole('option', { name: 'Fades' }).click()
  await expect(comes).toHaveAccessibleName(/Fades/)
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
  await expect.poll(opacity).toBeLessThan(0.9)
  expect(await opacity()).toBeGreaterThan(0.1)
  await page.getByRole('button', { name: 'Undo: How B-roll comes' }).click()
  await expect.poll(opacity).toBeGreaterThan(0.99)

  // Its own sound is let in, under the voice.
  const ownSound = page.getByRole('switch', { name: 'Its own sound' })
  await ownSound.focus()
  await page.keyboard.press('Space')
  const beside = page.getByRole('slider', { name: 'Beside the voice' })
  await expect(beside).toHaveValue('-12')
  await beside.press('ArrowRight')
  await expect(beside).toHaveValue('-11')
  for (const did of ['Sound of B-roll', 'Sound of B-roll on'])
    await page.getByRole('button', { name: `Undo: ${did}`, exact: true }).click()
  await expect(beside).toHaveCount(0)

  // Two passages are seen together where there was a cut, by a key and for as long as is said; and back again.
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('s')
  await page.keyboard.press('Shift+T')
  const crossfade = page.getByRole('slider', { name: /^At the cut at/ })
  await expect(crossfade).toHaveValue('400')
  await crossfade.press('ArrowRight')
  await expect(crossfade).toHaveValue('450')
  await page.getByRole('toolbar', { name: 'Cut on the timeline' }).getByRole('button', { name: 'Crossfade' }).click()
  await expect(crossfade).toHaveValue('0')
  for (const did of ['Cut instead of a crossfade', 'Length of a crossfade', 'Crossfade'])
    await page.getByRole('button', { name: `Undo: ${did}`, exact: true }).click()

  // The voice of the passage in hand comes slowly, and its track says so.
  await openTab(page, 'Ending')
  const rises = page.getByRole('slider', { name: 'Its voice fades in over' })
  await rises.press('ArrowRight')
  await expect(rises).toHaveValue('100')
  await expect(page.getByRole('button', { name: /^Passage 3: in 0\.1 s/ })).toBeVisible()
  await page.getByRole('button', { name: 'Undo: Voice fades in over 0.1 s', exact: true }).click()
  await page.keyboard.press('Control+z')

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

/** Takes the clips away that another journey, or the first try of one, has left. */
test('an editor whose library is empty is told so, stands at the way on, and comes to support by it', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const admin = await callAs('admin')
  const { items } = await admin(clips.list, {})
  await emptyLibrary()
  const { page, errors } = await openWorkbench(browser, await prepared('Nothing to cover with'), { viewport })
  await openTab(page, 'Words')
  await page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: 'moved' }).click()
  await page.keyboard.press('b')
  const picker = page.getByRole('dialog', { name: 'Cover with B-roll' })
  await expect(picker.getByText('There are no clips yet')).toBeVisible()
  await expect(picker.getByRole('searchbox')).toHaveCount(0)
  await expect(picker.getByRole('link', { name: 'Ask support' })).toBeFocused()
  await expectClean(page, 'an empty library in the editor')
  await expectNoSidewaysScroll(page, 'an empty library in the editor')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Support', level: 1 })).toBeVisible()
  expect(errors).toEqual([])
  await page.context().close()
  for (const { id } of items) await admin(clips.change, { params: { clipId: id }, body: { isRemoved: false } })
})

const emptyLibrary = async () => {
  const admin = await callAs('admin')
  for (const { id } of (await admin(clips.list, {})).items)
    await admin(clips.change, { params: { clipId: id }, body: { isRemoved: true } })
}

/** Through the page's own dialog. */
const addClip = async (admin: Page, file: string, title: string, tags: readonly string[]) => {
  await admin.getByRole('button', { name: 'Add a clip' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Add a clip' })
  await fileField(dialog).setInputFiles(file)
  await dialog.getByLabel('Title').fill(title)
  for (const tag of tags) {
    await dialog.getByRole('textbox', { name: 'Tags' }).fill(tag)
    await admin.keyboard.press('Enter')
  }
  await dialog.getByRole('button', { name: 'Add a clip' }).click()
  await expect(dialog).toBeHidden({ timeout: 120_000 })
  await expect(admin.getByRole('heading', { name: title })).toBeVisible()
}

/** How light the upper half of a video is at a moment, 0 to 255. A picture can be drawn from it some moments after `seeked`. */
const lightAt = (video: Locator, seconds: number): Promise<number> =>
  video.evaluate(async (element: HTMLVideoElement, at) => {
    element.pause()
    const there = new Promise<void>((resolve) => {
      const look = (_: number, { mediaTime }: VideoFrameCallbackMetadata) =>
        Math.abs(mediaTime - at) < 0.05 ? resolve() : element.requestVideoFrameCallback(look)
      element.requestVideoFrameCallback(look)
    })
    element.currentTime = at
    await there
    const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 32 })
    const context = canvas.getContext('2d')!
    context.drawImage(element, 0, 0, element.videoWidth, element.videoHeight / 2, 0, 0, 32, 32)
    const { data } = context.getImageData(0, 0, 32, 32)
    return data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / (32 * 32 * 3)
  }, seconds)
