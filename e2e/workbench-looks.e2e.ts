import { expect, test, type Locator, type Page } from '@playwright/test'
import { loadImage } from '@napi-rs/canvas'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { canvasTools } from '../server/src/outside/canvas.ts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, clip, picture, sendCut, tokenOf, tune, upload } from './people.ts'
import { isEvery } from './screens.ts'
import { openTab, openWorkbench, prepared } from './workbench.ts'

/** An editor sets colours, voice and music, keeps them as a look, and gives that look back to the edit. */
test('colours, voice and music are set, and a look brings them back in one step', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name === 'phone', 'Every width is looked at here.')
  const officer = await tokenOf('officer')
  const dusk = await upload(officer, await clip('dusk', { filter: 'lutyuv=y=val*0.4+10' }))
  const song = await upload(officer, await tune())
  const projectId = await prepared('Filmed at dusk', dusk, song)
  const { page, errors } = await openWorkbench(browser, projectId, { viewport, search: '?tab=picture' })
  const saved = () => expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const undo = (name: RegExp) => page.getByRole('button', { name }).click()

  // The first cut has seen that the take is dark. What is seen is as light as it says, and as recorded while asked for.
  const colours = page.getByRole('region', { name: 'Light and color' })
  const balance = colours.getByRole('switch', { name: /^Balance light and color/ })
  await expect(balance).toBeChecked()
  await expect(colours.getByText(/^The picture is dark: \d+% brighter/)).toBeVisible()
  const frame = page.locator('.bench-frame')
  await expect(frame.locator('img[src*="poster"]')).toHaveCount(0)
  const balanced = await lightOf(frame)
  await balance.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => lightOf(frame)).toBeLessThan(balanced - 5)
  const recorded = await lightOf(frame)
  await undo(/^Undo: Balance off/)
  await expect(balance).toBeChecked()
  await colours.getByRole('slider', { name: 'Brightness' }).fill('30')
  await colours.getByRole('slider', { name: 'Warmth' }).fill('-20')
  await expect(colours.getByText('−20', { exact: true })).toBeVisible()
  await expect.poll(() => lightOf(frame)).toBeGreaterThan(balanced + 10)
  const before = colours.getByRole('button', { name: 'Hold to see it as recorded' })
  await before.hover()
  await page.mouse.down()
  await expect(before).toHaveAttribute('aria-pressed', 'true')
  expect(Math.abs((await lightOf(frame)) - recorded)).toBeLessThan(3)
  await page.mouse.up()
  await expect(before).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => lightOf(frame)).toBeGreaterThan(balanced + 10)
  await expectGood(page, 'light and color')

  // A shaky picture is held: the recording by its switch and from the keyboard, and what the preview shows comes nearer.
  const steady = page.getByRole('switch', { name: /^Hold this recording steady/ })
  await expect(steady).not.toBeChecked()
  const near = () =>
    frame
      .locator('video')
      .first()
      .evaluate((video) => new DOMMatrix(getComputedStyle(video).transform).a)
  const flat = await near()
  await steady.focus()
  await page.keyboard.press('Space')
  await expect(steady).toBeChecked()
  await expect.poll(near).toBeGreaterThan(1.1 * flat)
  await expectGood(page, 'a picture held steady')
  await undo(/^Undo: Hold the picture steady/)
  await expect(steady).not.toBeChecked()
  await expect.poll(near).toBeLessThan(1.05 * flat)

  // The voice: cleaned, and a passage louder by the slider and by keys; the line shows it.
  await openTab(page, 'Ending')
  const tone = page.getByRole('switch', { name: /^Room tone under cuts/ })
  // Where nobody speaks the first cut leaves it off.
  await expect(tone).not.toBeChecked()
  await tone.focus()
  await page.keyboard.press('Space')
  await expect(tone).toBeChecked()
  await undo(/^Undo: Room tone on/)
  await expect(tone).not.toBeChecked()
  const clean = page.getByRole('switch', { name: /^Clean voice/ })
  const began = await clean.isChecked()
  await clean.focus()
  await page.keyboard.press('Space')
  await expect(clean).toBeChecked({ checked: !began })
  await undo(/^Undo: Clean voice/)
  await expect(clean).toBeChecked({ checked: began })
  if (!began) await page.getByText('Clean voice', { exact: true }).click()
  await expect(clean).toBeChecked()
  await expect(page.getByRole('slider', { name: 'A passage’s loudness' })).toBeDisabled()
  await page.getByRole('group', { name: 'Passages of the video' }).getByRole('button').last().click()
  const gain = page.getByRole('slider', { name: 'This passage' })
  await gain.fill('3')
  await page.getByRole('slider', { name: 'Time' }).focus()
  await page.keyboard.press('Shift+ArrowUp')
  await expect(gain).toHaveValue('4')
  const voice = page.getByRole('group', { name: 'Voice, louder or quieter by passage' })
  await expect(voice.getByRole('button')).toHaveAccessibleName(/^Passage 2: \+4 dB, /)

  // Music with its fades and its start; its track shows it, and leads to its settings.
  const music = page.getByRole('region', { name: 'Music' })
  await music.getByRole('button', { name: /No music/ }).click()
  await page.getByRole('option', { name: 'tune.mp3' }).click()
  for (const [name, value] of [
    ['Fades at the start for', '800'],
    ['Begins in the piece at', '1500'],
    ['Beside the voice', '-12'],
  ] as const)
    await music.getByRole('slider', { name }).fill(value)
  await expect(music.getByRole('slider', { name: 'Begins in the piece at' })).toHaveAttribute('max', '4000')
  await music.getByText('Again when it ends').click()
  await expect(page.getByRole('group', { name: 'Music, as loud as it is heard' })).toBeVisible()
  await expectGood(page, 'voice and music')
  // Another piece with a place of its own: its track, an end by keys, its loudness, and a step back.
  await music.getByRole('button', { name: 'Add a piece of music here: tune.mp3' }).click()
  const pieces = page.getByRole('group', { name: 'Pieces of music, where they are heard' })
  await expect(pieces.getByRole('button', { name: /^tune\.mp3/ })).toHaveAttribute('aria-pressed', 'true')
  await expectGood(page, 'a piece of music in hand')
  const end = pieces.getByRole('slider', { name: /^End of/ })
  await end.focus()
  const last = Number(await end.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(end).toHaveAttribute('aria-valuenow', String(last - 5))
  await music.getByRole('slider', { name: 'Fades in for' }).fill('400')
  await expect
    .poll(async () => (await recipeOf(projectId)).layers)
    .toMatchObject([{ kind: 'music', gain: -12, fadeInMs: 400 }])
  await music.getByRole('button', { name: /^Remove: tune/ }).click()
  await expect(pieces).toBeHidden()
  await saved()
  const set = await recipeOf(projectId)
  expect(set.sound).toMatchObject({ clean: true, music: { fadeInMs: 800, fromMs: 1500, gain: -12, once: true } })
  expect(set.keep.map(({ gain }) => gain)).toContain(4)

  // The look is kept; everything that it holds is changed, and comes back in one step, and goes in one.
  await openTab(page, 'Captions')
  const name = `Dusk ${Date.now().toString(36)}`
  await page.getByRole('button', { name: 'Save this look' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this look' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await expectClean(page, 'a look’s name')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const looks = page.getByRole('region', { name: 'Looks' })
  const row = looks.getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('In use')).toBeVisible()
  await page.getByRole('radio', { name: 'Two Lines', exact: true }).check({ force: true })
  await openTab(page, 'Picture')
  await colours.getByRole('button', { name: 'Reset the sliders' }).click()
  await openTab(page, 'Ending')
  await clean.focus()
  await page.keyboard.press('Space')
  await music
    .getByRole('button', { name: /tune\.mp3/ })
    .first()
    .click()
  await page.getByRole('option', { name: 'No music' }).click()
  await saved()
  const other = await recipeOf(projectId)
  await openTab(page, 'Captions')
  await expectGood(page, 'looks')
  await row.getByRole('button', { name: `Use the look ${name}` }).click()
  await expect(row.getByText('In use')).toBeVisible()
  await saved()
  await expect.poll(() => recipeOf(projectId)).toEqual(set)
  await undo(/^Undo: Look “Dusk/)
  await saved()
  await expect.poll(() => recipeOf(projectId)).toEqual(other)
  await page.reload()
  await expect(row.getByRole('button', { name: `Use the look ${name}` })).toBeVisible()
  expect(errors).toEqual([])
  await page.context().close()
})

/** QA has denied a cut: its remark is ticked off, the logo is put elsewhere, and B-roll is pointed. */
test('a remark is ticked off on the line, and logo and B-roll are placed on the picture', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name === 'phone', 'Every width is looked at here.')
  const officer = await tokenOf('officer')
  const [take, mark] = [await upload(officer, await clip('take')), await upload(officer, await picture('photo'))]
  const projectId = await prepared('Denied once', take, mark)
  const [admin, editor, qa] = [await callAs('admin'), await callAs('editor'), await callAs('qa')]
  const at = { params: { projectId } }
  const { recipe, revision } = await editor(edits.find, at)
  const withLogo = { ...recipe, brand: { ...(recipe as unknown as Recipe).brand, logo: mark } }
  await editor(edits.save, { ...at, body: { revision, recipe: withLogo as never } })
  const wide = await upload(
    await tokenOf('admin'),
    await clip('wide', { seconds: 3, filter: 'scale=1280:720,setsar=1' }),
  )
  const { id: clipId } = await admin(clips.add, {
    body: { assetId: wide, title: `A wide street ${info.retry}`, tags: ['rates'] },
  })
  await sendCut(projectId, await clip('short', { seconds: 2 }))
  await qa(projects.comment, { ...at, body: { atMs: 1000, text: 'The logo hides her hand.', cut: 1 } })
  await qa(projects.deny, {
    ...at,
    body: { denyFeedback: { criteria: [{ id: 'captions', score: 3 }] }, categories: ['captions'] },
  })
  await editor(projects.start, { body: { projectId } })

  const { page, errors } = await openWorkbench(browser, projectId, { viewport, search: '?tab=renders' })
  const saved = () => expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const undo = (name: RegExp) => page.getByRole('button', { name }).click()
  const ruler = page.getByRole('slider', { name: 'Time' })

  // Why the cut was denied stands over the bench and is a point before sending, until it was looked at.
  const why = page.getByRole('status').filter({ hasText: 'Cut 1 was denied. Captions' })
  const check = page.getByRole('region', { name: 'Before you send' })
  await expect(why).toBeVisible()
  await expect(check.getByRole('button', { name: 'Why cut 1 was denied' })).toBeVisible()
  await why.getByRole('button', { name: 'Show why' }).click()
  await expect(page.getByRole('region', { name: 'Feedback on cut 1' })).toContainText('3 of 10')
  await expect(why).toBeHidden()
  await expect(check.getByRole('button', { name: 'Why cut 1 was denied' })).toBeHidden()

  // The remark is a mark on the line, which leads to its moment as R does, and a point of the list, which is ticked off.
  const marker = page.getByRole('button', { name: /: The logo hides her hand\.$/ })
  await expect(marker).toHaveAccessibleName(/^Comment at 0:01: (?!Done)/)
  await ruler.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('r')
  await expect(ruler).toHaveAttribute('aria-valuenow', '1.00')
  await page.keyboard.press('Home')
  await marker.click()
  await expect(ruler).toHaveAttribute('aria-valuenow', '1.00')
  const remarks = page.getByRole('region', { name: 'Remarks about the last cut' })
  await expectGood(page, 'remarks')
  await remarks.getByText('The logo hides her hand.').click()
  await expect(marker).toHaveAccessibleName(/^Comment at 0:01: Done\. /)
  await page.reload()
  await expect(remarks.getByRole('checkbox', { name: /The logo hides her hand\.$/ })).toBeChecked()
  await ruler.focus()
  await page.keyboard.press('r')
  await expect(page.getByText('No remark is left here.')).toBeVisible()

  // The logo: to another corner by keys and by hand, larger by its corner, each one step back.
  await openTab(page, 'Picture')
  await page.getByRole('button', { name: 'Add the logo' }).click()
  const logo = page.getByRole('button', { name: /^Place of Logo/ })
  await expect(logo).toHaveAccessibleName(/: Top right\./)
  await logo.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(logo).toHaveAccessibleName(/: Top left\./)
  await page.keyboard.press('ArrowDown')
  await expect(logo).toHaveAccessibleName(/: Bottom left\./)
  const size = page.getByRole('slider', { name: 'Size of Logo' })
  await size.focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('+')
  await expect(size).toHaveAttribute('aria-valuetext', '24%')
  await expectGood(page, 'the logo in hand')
  await drag(page, logo, { x: 0.8, y: 0.12 })
  await expect(logo).toHaveAccessibleName(/: Top right\./)
  const [frame, shown] = [(await page.locator('.bench-frame').boundingBox())!, (await logo.boundingBox())!]
  expect(shown.x + shown.width / 2).toBeGreaterThan(frame.x + frame.width / 2)
  expect(shown.y + shown.height / 2).toBeLessThan(frame.y + frame.height / 2)
  await undo(/^Undo: Picture place/)
  await expect(logo).toHaveAccessibleName(/: Bottom left\./)
  // It comes and goes: the first frame shows a little of it, a later one all.
  const comes = page.getByRole('button', { name: /Comes and goes/ })
  await comes.click()
  await page.getByRole('option', { name: 'Fades' }).click()
  await expect(comes).toHaveAccessibleName(/Fades/)
  const covers = () =>
    page.locator('.bench-frame span.origin-top-left').evaluate((way) => Number(getComputedStyle(way).opacity))
  await ruler.focus()
  await page.keyboard.press('Home')
  await expect.poll(covers).toBeLessThan(0.5)
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(covers).toBe(1)
  await saved()
  expect((await recipeOf(projectId)).layers).toMatchObject([
    { kind: 'logo', place: 'bottom-left', size: 0.24, motion: 'fade' },
  ])

  // B-roll covers two words, and what stays of its wide picture is chosen by keys and by hand.
  const word = (text: string) => page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: text })
  await word('moved').click()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('b')
  const picker = page.getByRole('dialog', { name: 'Cover with B-roll' })
  await picker.getByRole('searchbox').fill(`wide street ${info.retry}`)
  await expect(picker.getByRole('button', { name: new RegExp(`A wide street ${info.retry}`) })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(picker).toBeHidden()
  const point = page.getByRole('button', { name: /^What stays in the picture of A wide street/ })
  await expect(point).toBeVisible()
  // What of the picture's width lies left of the frame, of all that lies beside it.
  const across = async () => {
    const [seen, whole] = await Promise.all(
      ['.bench-frame', '.bench-frame video.pointer-events-none'].map((one) => page.locator(one).boundingBox()),
    )
    return seen && whole ? (seen.x - whole.x) / (whole.width - seen.width) : null
  }
  await point.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(point).toHaveAccessibleName(/: 45% from the left, 50% from the top\./)
  await expect.poll(across).toBeCloseTo(0.45, 2)
  await drag(page, point, { x: 0.85, y: 0.5 })
  await expect(point).toHaveAccessibleName(/: 8[3-7]% from the left, (49|50|51)% from the top\./)
  await expectGood(page, 'B-roll in hand')
  await undo(/^Undo: .*/)
  await expect.poll(across).toBeCloseTo(0.45, 2)
  await saved()
  await page.reload()
  await expect.poll(across).toBeCloseTo(0.45, 2)
  await admin(clips.change, { params: { clipId }, body: { isRemoved: true } })
  expect(errors).toEqual([])
  await page.context().close()
})

/**
 * axe finds nothing by day and by night, and nothing lies beyond the side edge: at this width, a tablet's and a phone's. In
 * `npm test` axe looks at this width by day and at a phone's by night; `npm run prove -- journeys` has it look at all.
 */
const expectGood = async (page: Page, where: string) => {
  const { width, height } = page.viewportSize()!
  for (const at of [width, 1024, 390]) {
    await page.setViewportSize({ width: at, height })
    const schemes = isEvery ? undefined : at === width ? ['light' as const] : ['dark' as const]
    if (isEvery || at !== 1024) await expectClean(page, `${where} at ${at}`, { schemes })
    await expectNoSidewaysScroll(page, `${where} at ${at}`, at === 390 ? [320] : [])
  }
  await page.setViewportSize({ width, height })
}

/** How light what is seen of it is, 0 to 255: the colours that a browser shows are in no canvas of the page. */
const lightOf = async (seen: Locator): Promise<number> => {
  const { canvas } = await canvasTools()
  const small = canvas(32, 32)
  small.context.drawImage(await loadImage(await seen.screenshot()), 0, 0, 32, 32)
  const { data } = small.context.getImageData(0, 0, 32, 32)
  return data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / (32 * 32 * 3)
}

/** Draws something to a place of the picture, in parts of it. */
const drag = async (page: Page, from: Locator, to: { x: number; y: number }) => {
  // Waits until nothing moves any more.
  await from.hover()
  const frame = (await page.locator('.bench-frame').boundingBox())!
  await page.mouse.down()
  await page.mouse.move(frame.x + frame.width * to.x, frame.y + frame.height * to.y, { steps: 6 })
  await page.mouse.up()
}

const recipeOf = async (projectId: string): Promise<Recipe> =>
  (await (await callAs('editor'))(edits.find, { params: { projectId } })).recipe as unknown as Recipe

/** The approved cut is not what its officer wants yet: what they wrote stands where it is made anew. */
test('a change that an officer asked for stands over the bench, and before sending, until it was looked at', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name === 'phone', 'Every width is looked at here.')
  const projectId = await prepared('Asked for a change')
  const [officer, editor, qa] = [await callAs('officer'), await callAs('editor'), await callAs('qa')]
  const at = { params: { projectId } }
  await sendCut(projectId, await clip('short', { seconds: 2 }))
  await qa(projects.approve, at)
  await officer(projects.review, { ...at, body: { revision: 'Begin with the rate.\nAnd no music.' } })
  await editor(projects.start, { body: { projectId } })
  const { page, errors } = await openWorkbench(browser, projectId, { viewport, search: '?tab=renders' })
  const bar = page.getByRole('status').filter({ hasText: 'A change of cut 1 was asked for. Begin with the rate.' })
  const check = page.getByRole('region', { name: 'Before you send' })
  await expect(bar).toBeVisible()
  await expect(check.getByRole('button', { name: 'What was asked for on cut 1' })).toBeVisible()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page, `what was asked for at ${width}`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: info.outputPath(`asked-${width}-${colorScheme}.png`) })
    }
  }
  await expectClean(page, 'what was asked for over the bench')
  await bar.getByRole('button', { name: 'Show all of it' }).click()
  await expect(page.getByRole('region', { name: 'What was asked for on cut 1' })).toContainText('And no music.')
  await expect(bar).toBeHidden()
  await expect(check.getByRole('button', { name: 'What was asked for on cut 1' })).toBeHidden()
  await page.screenshot({ path: info.outputPath('asked-looked.png') })
  expect(errors).toEqual([])
  await page.context().close()
})
