import { expect, test, type Page } from '@playwright/test'
import { edits } from '@clear-to-post/contract/edits'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs } from './people.ts'
import { atOneScreen } from './screens.ts'
import { openTab, openWorkbench, prepared } from './workbench.ts'

/** An editor adds titles from templates and the logo, writes and places them, and is told what is left to look at. */
test('titles and pictures lie over words on their tracks, and the check before sending leads to places', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const isPhone = info.project.name === 'phone'
  const projectId = await prepared(`Titled, ${info.project.name}`)
  const { page, errors } = await openWorkbench(browser, projectId, { viewport })
  await openTab(page, 'Words')
  const word = (text: string | RegExp) =>
    page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: text })
  // Captions are written on the picture, split and joined there, each in one step back; the transcript goes along.
  await word('moved').click()
  const onPicture = page.getByRole('button', { name: /^Edit the caption: / })
  // Before it is drawn there is no caption to write on.
  await expect(onPicture).toBeVisible()
  if (isPhone) await onPicture.tap()
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
  const comes = page.getByRole('button', { name: /Comes and goes/ })
  await expect(comes).toHaveAccessibleName(/Grows/)
  await comes.click()
  await page.getByRole('option', { name: 'Fades' }).click()
  await expect(comes).toHaveAccessibleName(/Fades/)
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
  const letGo = isPhone ? null : await withoutFonts(page)
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect(bar).toHaveAccessibleName(/^Rates moved again, /)
  if (letGo) {
    // A caption that is asked for before it is drawn opens as soon as it is.
    await word('moved').click()
    await page.keyboard.press('e')
    await expect(page.getByText('The captions are being drawn.')).toBeVisible()
    await expect(caption).toBeHidden()
    letGo()
    await expect(caption).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(caption).toBeHidden()
  }

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

/** Keeps the captions’ fonts from a page until what this answers is called. */
const withoutFonts = async (page: Page) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/figtree-latin-800/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test('a sticker and a sound effect are chosen, moved and trimmed by hand and keys, and taken back', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const isPhone = info.project.name === 'phone'
  const projectId = await prepared(`Stickers, ${info.project.name}`)
  const { page, errors } = await openWorkbench(browser, projectId, { viewport })
  await openTab(page, 'Words')
  await page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: 'moved' }).click()
  if (isPhone) await openTab(page, 'Picture')
  else {
    // The picker by its command.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Add a sticker')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Add a sticker: Arrow' })).toBeFocused()
  }
  await page.getByRole('button', { name: 'Add a sticker: House' }).click()
  const stickers = page.getByRole('group', { name: 'Stickers, where they are seen' })
  const bar = stickers.getByRole('button')
  await expect(bar).toHaveAccessibleName(/^House, /)
  await expect(bar).toHaveAttribute('aria-pressed', 'true')
  const place = page.getByRole('button', { name: /^Place of House/ })
  await expect(place).toHaveAccessibleName(/68% from the left, 30% from the top/)
  await expectClean(page, 'a sticker in hand')
  await expectNoSidewaysScroll(page, 'a sticker in hand')
  const box = (await place.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2 + 30, { steps: 4 })
  await page.mouse.up()
  await expect(place).not.toHaveAccessibleName(/68% from the left/)
  await page.getByRole('button', { name: /^Undo: Sticker on the picture/ }).click()
  await expect(place).toHaveAccessibleName(/68% from the left, 30% from the top/)
  await place.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await expect(place).toHaveAccessibleName(/63% from the left, 29% from the top/)
  const end = stickers.getByRole('slider', { name: 'End of House' })
  await end.focus()
  const before = Number(await end.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowRight')
  await expect(end).toHaveAttribute('aria-valuenow', String(before + 5))

  // Duplicated with a finger or by its key, cut out and pasted at the playhead, each one step back.
  const tools = page.getByRole('toolbar', { name: 'Cut on the timeline' })
  const press = (name: string, keys: string) =>
    isPhone ? tools.getByRole('button', { name }).tap() : page.keyboard.press(keys)
  await press('Duplicate', 'Control+d')
  await expect(bar).toHaveCount(2)
  await expect(bar.last()).toHaveAttribute('aria-pressed', 'true')
  await expectClean(page, 'a duplicate in hand')
  await page.getByRole('button', { name: /^Undo: Duplicate “House”/ }).click()
  await expect(bar).toHaveCount(1)
  await bar.click()
  await press('Copy', 'Control+c')
  await expect(page.getByText('Copied: “House”.')).toBeVisible()
  if (!isPhone) {
    await page.keyboard.press('Control+x')
    await expect(bar).toHaveCount(0)
    await page.keyboard.press('Home')
    await page.keyboard.press('Control+v')
    await expect(bar).toHaveAccessibleName(/^House, 0:00\.00 to /)
    for (let i = 0; i < 2; i++) await page.keyboard.press('Control+z')
  } else {
    // Where the very same lies it goes behind it.
    await press('Paste', '')
    await expect(bar).toHaveCount(2)
    await page.getByRole('button', { name: /^Undo: Paste “House”/ }).click()
  }
  await expect(bar).toHaveAccessibleName(/^House, 0:00\.70/)

  await openTab(page, 'Ending')
  await page.getByRole('button', { name: 'Add a sound effect: Ding' }).click()
  const effects = page.getByRole('group', { name: 'Sound effects, where they are heard' })
  await expect(effects.getByRole('button')).toHaveAccessibleName(/^Ding, /)
  await expectClean(page, 'a sound effect in hand')
  const edge = effects.getByRole('slider', { name: 'End of Ding' })
  await edge.focus()
  const rings = Number(await edge.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(edge).toHaveAttribute('aria-valuenow', String(rings - 5))
  const loudness = page.getByRole('slider', { name: 'Loudness', exact: true })
  await loudness.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(loudness).toHaveAttribute('aria-valuetext', '−7 dB')
  // What plays hears it, and nothing breaks.
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(bar).toHaveAccessibleName(/^House, /)
  await bar.click()
  await openTab(page, 'Picture')
  await page.getByRole('button', { name: 'Remove: House' }).click()
  await expect(bar).toBeHidden()
  await page.getByRole('button', { name: /^Undo: Remove/ }).click()
  await expect(bar).toHaveAccessibleName(/^House, /)
  expect(errors).toEqual([])
  await page.context().close()
})

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
