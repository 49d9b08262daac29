import { expect, test, type Page } from '@playwright/test'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { signIn, url } from './people.ts'
import { openWorkbench, prepared } from './workbench.ts'

/** An editor splits, trims and rolls passages: by keys alone, with a pointer, and on a tablet with a finger. */
test('passages are cut on the timeline by keys, by pointer and by touch', async ({ browser, viewport }, info) => {
  test.skip(info.project.name === 'phone', 'A phone fixes words; passages are cut where there is room for them.')
  const projectId = await prepared('Cut on the timeline')
  const { page, errors } = await openWorkbench(browser, projectId, { viewport })
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

  // Played in another order, by keys in hand or in the transcript, each one step back.
  await bars.last().click()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(bars.first()).toHaveAccessibleName(/^Passage 1: moved again/)
  await expect(bars.first()).toHaveAttribute('aria-pressed', 'true')
  await expectClean(page, 'a passage in another place')
  await page.keyboard.press('.')
  await expect(bars.last()).toHaveAccessibleName(/^Passage 2: moved again/)
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByText('Nothing is played after it.')).toBeVisible()
  for (let i = 0; i < 2; i++) await undo()
  await page.keyboard.press('Escape')
  const firstWord = page.getByRole('listbox', { name: 'Transcript' }).getByRole('option').first()
  await word('again').click()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(firstWord).toHaveText('again')
  await expect(bars).toHaveCount(4)
  await undo()
  await expect(firstWord).toHaveText('Rates')
  // Another part of the recording in the same place: by keys, and with Shift by hand.
  await bars.first().click()
  await expect(track.getByRole('slider', { name: /^End of/ })).toHaveAttribute('aria-valuenow', '21')
  await page.keyboard.press('Alt+.')
  await expect(track.getByRole('slider', { name: /^End of/ })).toHaveAttribute('aria-valuenow', '22')
  await expect(track.getByRole('slider', { name: /^Start of/ })).toHaveAttribute('aria-valuenow', '1')
  await undo()
  const slipped = (await bars.first().boundingBox())!
  await page.mouse.move(slipped.x + slipped.width / 2, slipped.y + 10)
  await page.keyboard.down('Shift')
  await page.mouse.down()
  await page.mouse.move(slipped.x + slipped.width / 2 - 25, slipped.y + 10, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect(bars.first()).toHaveAttribute('aria-pressed', 'true')
  await expect(track.getByRole('slider', { name: /^Start of/ })).not.toHaveAttribute('aria-valuenow', '0')
  await page.getByRole('button', { name: /^Undo: Slip a passage/ }).click()
  await expect(track.getByRole('slider', { name: /^Start of/ })).toHaveAttribute('aria-valuenow', '0')
  // By hand: it goes along, and is there once it is let go.
  await bars.first().click()
  const [drawn, beyond] = [(await bars.first().boundingBox())!, (await bars.last().boundingBox())!]
  await page.mouse.move(drawn.x + drawn.width / 2, drawn.y + 10)
  await page.mouse.down()
  await page.mouse.move(beyond.x + beyond.width - 20, drawn.y + 10, { steps: 6 })
  await expect(page.locator('.line[data-guided]')).toBeVisible()
  await page.mouse.up()
  await expect(bars.last()).toHaveAccessibleName(/^Passage 2: Rates/)
  await expect(bars.last()).toHaveAttribute('aria-pressed', 'true')
  await expect(firstWord).toHaveText('moved')
  await page.getByRole('button', { name: /^Undo: Move a passage/ }).click()
  await expect(firstWord).toHaveText('Rates')

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
  // The whole line stands below it: by keys and by hand another part of it is seen, and the playhead stays.
  const map = page.getByRole('scrollbar', { name: 'The whole timeline' })
  const left = () => line.evaluate((element) => element.scrollLeft)
  const room = await line.evaluate((element) => element.scrollWidth - element.clientWidth)
  await map.focus()
  await page.keyboard.press('End')
  await expect.poll(left).toBeGreaterThan(room - 2)
  await expect(map).toHaveAttribute('aria-valuenow', '100')
  await page.keyboard.press('Home')
  await expect.poll(left).toBe(0)
  await page.keyboard.press('ArrowRight')
  await expect.poll(left).toBeGreaterThan(0)
  const strip = (await map.boundingBox())!
  await page.mouse.move(strip.x + strip.width * 0.9, strip.y + 10)
  await page.mouse.down()
  await expect.poll(left).toBeGreaterThan(room * 0.6)
  await page.mouse.move(strip.x + 2, strip.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect.poll(left).toBe(0)
  await expect(page.getByRole('slider', { name: 'Time' })).toHaveAttribute('aria-valuenow', '0.72')
  // A passage that is drawn to the edge takes the line along, and is played where it is let go.
  await bars.first().click()
  const [grip, sight] = [(await bars.first().boundingBox())!, (await line.boundingBox())!]
  await page.mouse.move(grip.x + 40, grip.y + 10)
  await page.mouse.down()
  await page.mouse.move(sight.x + sight.width - 4, grip.y + 10, { steps: 6 })
  await expect.poll(left).toBeGreaterThan(room - 2)
  await page.mouse.up()
  await expect(bars.last()).toHaveAccessibleName(/^Passage 2: Rates/)
  await page.getByRole('button', { name: /^Undo: Move a passage/ }).click()
  await expect(bars.first()).toHaveAccessibleName(/^Passage 1: Rates/)
  await page.keyboard.press('Escape')
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
  // And in another order: by its tool, and drawn back with the finger.
  await touched.getByRole('button').last().tap()
  await tablet
    .getByRole('toolbar', { name: 'Cut on the timeline' })
    .getByRole('button', { name: 'Play it earlier' })
    .tap()
  await expect(touched.getByRole('button').first()).toHaveAccessibleName(/^Passage 1: moved/)
  const bar = (await touched.getByRole('button').first().boundingBox())!
  await drawFinger(tablet, { x: bar.x + bar.width / 2, y: bar.y + 10 }, bar.width)
  await expect(touched.getByRole('button').last()).toHaveAccessibleName(/^Passage 2: moved/)
  await expectClean(tablet, 'the workbench on a tablet')
  await expectNoSidewaysScroll(tablet, 'the workbench on a tablet')
  expect(errors).toEqual([])
  await tablet.context().close()
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
