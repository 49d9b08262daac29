import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, type Locator } from '@playwright/test'
import { edits } from '@clear-to-post/contract/edits'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeClip, type DrawnPerson } from '../media/src/make-clip.ts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, claim, product, signIn, submit, tokenOf, upload, url } from './people.ts'
import { atOneScreen, isEvery } from './screens.ts'
import { firstCut, openTab, openWorkbench } from './workbench.ts'

/** Where the first cut is not sure, the bench asks first of all where the person is; one tap answers for the whole take. */
test('the bench asks where the person is, and one tap on the picture answers for the whole take', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const title = `Two before the camera, ${info.project.name}`
  const projectId = await submit(
    title,
    await upload(await tokenOf('officer'), await wide('two', [{ x: 0.2 }, { x: 0.75, seed: 4 }])),
  )
  await claim(projectId)
  await firstCut(projectId)
  const { page, errors } = await openWorkbench(browser, projectId, { viewport })
  const saved = () => expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const frame = page.locator('.bench-frame')
  const asked = page.getByText('Where is the person? The frame cuts off')
  await expect(asked).toBeVisible()
  await expectClean(page, 'the question where the person is')
  await expectNoSidewaysScroll(page, 'the question where the person is')
  await openTab(page, 'Finished file')
  const check = page.getByRole('region', { name: 'Before you send' })
  await expect(check.getByRole('listitem').first()).toContainText('Where is the person?')

  // The whole picture is shown, and tapped at the head of the one on the right.
  await page.getByRole('button', { name: 'Show it on the picture' }).click()
  const picture = page.getByRole('button', { name: /^The person’s head:/ })
  await expect(picture).toBeFocused()
  await expect.poll(() => partSeen(frame)).toEqual({ from: 0, part: 1 })
  await expectClean(page, 'the whole picture, to be tapped')
  const box = (await picture.boundingBox())!
  // As the recording's shape, within the upright frame.
  expect(box.width / box.height).toBeCloseTo(16 / 9, 1)
  await picture.click({ position: { x: 0.75 * box.width, y: 0.39 * box.height } })
  await expect(picture).toBeHidden()
  await expect(asked).toBeHidden()
  await expect(check.getByText('Where is the person?')).toHaveCount(0)
  await saved()
  // An upright frame shows 0.316 of a wide picture, half of it left of the head.
  await expect.poll(() => partSeen(frame)).toEqual({ from: 0.59, part: 0.32 })
  const kept = async () => {
    const { recipe } = (await (await callAs('editor'))(edits.find, { params: { projectId } })) as { recipe: unknown }
    return (recipe as Recipe).focus?.findLast(({ by }) => by === 'person')
  }
  expect(await kept()).toMatchObject({ start: 0, on: true, why: 'Set by hand.' })

  // It stands in the list with a switch, is moved by keys, and taken back.
  await openTab(page, 'Picture')
  const own = page.getByRole('switch', { name: /^Frame where you put it/ })
  await expect(own).toBeChecked()
  if (info.project.name === 'desktop') {
    const before = (await kept())!.at.x
    await page.keyboard.press('Shift+P')
    await expect(picture).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(picture).toBeHidden()
    await saved()
    expect((await kept())!.at.x).toBeCloseTo(before + 0.02, 2)
  }
  await page.getByRole('button', { name: /^Undo: Person on the picture/ }).click()
  if (info.project.name === 'desktop') await page.getByRole('button', { name: /^Undo: Person on the picture/ }).click()
  await expect(asked).toBeVisible()
  await page.getByRole('button', { name: 'It is right so' }).click()
  await expect(asked).toBeHidden()
  expect(errors).toEqual([])
})

test('a wide take of one person is framed without a question, and a frame of its own shape shows all of it', async ({
  browser,
  viewport,
}, info) => {
  test.skip(
    !isEvery,
    'In npm test server/src/edits/takes.test.ts has the frame, and media/src/person.test.ts the place.',
  )
  const take = await wide('beside', [{ x: 0.8 }])
  const projectId = await submit(`Off the middle, ${info.project.name}`, await upload(await tokenOf('officer'), take))
  await claim(projectId)
  await firstCut(projectId)
  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  await page.goto(url(`/panel/projects/${projectId}/edit?tab=picture`))
  const frame = page.locator('.bench-frame')
  const found = page.getByRole('switch', { name: /^Frame on the person/ })
  await expect(found).toBeChecked()
  await expect(page.getByText('Where is the person? The frame cuts off')).toHaveCount(0)
  await expect.poll(async () => (await partSeen(frame)).from).toBeGreaterThan(0.61)
  await found.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => partSeen(frame)).toEqual({ from: 0.34, part: 0.32 })
  await page.keyboard.press('Space')
  await page.getByRole('radio', { name: 'Wide: YouTube, websites' }).check({ force: true })
  await expect.poll(() => partSeen(frame)).toEqual({ from: 0, part: 1 })
  await expectClean(page, 'where the person is')
})

/** Which part of the recording in front is seen across: where it begins and how wide it is, as parts of the recording. */
const partSeen = (frame: Locator): Promise<{ from: number; part: number }> =>
  frame.evaluate((element) => {
    const [within, whole] = [
      element.getBoundingClientRect(),
      element.querySelector('video:not([aria-hidden="true"])')!.getBoundingClientRect(),
    ]
    const rounded = (value: number) => Math.abs(Math.round(100 * value)) / 100
    return { from: rounded((within.left - whole.left) / whole.width), part: rounded(within.width / whole.width) }
  })

/** A wide take of people who stand there. */
const wide = async (name: string, people: DrawnPerson[]): Promise<string> => {
  const file = join(dirname(product().dataDir), `${name}.mp4`)
  if (existsSync(file)) return file
  const unfinished = join(product().dataDir, `${name}.mp4`)
  await makeClip({ out: unfinished, seconds: 4, width: 640, height: 360, hue: 210, seed: 3, people })
  await rename(unfinished, file)
  return file
}
