import { appendFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import { clips } from '@clear-to-post/contract/clips'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { expectClean } from './axe.ts'
import { corrections, unseenTake } from './corrections.ts'
import { handsOf } from './hands.ts'
import { callAs, claim, clip, picture, product, signIn, submit, tokenOf, tune, upload, url } from './people.ts'
import { isEvery } from './screens.ts'
import { firstCut } from './workbench.ts'

/**
 * A whole small edit without a pointer: the video is opened, put right in twenty places (in nine, unless all are asked for),
 * checked, rendered and sent. With HANDS_REPORT each correction's presses and times are written there (`npm run bench:hands`);
 * HANDS_SEED chooses the take.
 */
test('a video is opened, put right in many places, checked, rendered and sent by keyboard alone', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name === 'phone', 'A phone has no keyboard.')
  const seed = Number(process.env.HANDS_SEED ?? 1)
  const take = await unseenTake(seed, product().dataDir)
  const [officer, admin] = [await tokenOf('officer'), await callAs('admin')]
  const files = [take.file, await tune(), await picture('photo')]
  const [source, song, logo] = await Promise.all(files.map((file) => upload(officer, file)))
  const projectId = await submit(`By keyboard ${seed}`, source!, song!, logo!)
  await claim(projectId)
  const paper = await upload(await tokenOf('admin'), await clip('papers', { seconds: 4, look: 'smptebars' }))
  const { id: clipId } = await admin(clips.add, { body: { assetId: paper, title: 'Papers', tags: ['pay stubs'] } })
  const { recipe: made, revision } = await firstCut(projectId)
  const editor = await callAs('editor')
  const at = { params: { projectId } }
  await editor(edits.save, { ...at, body: { revision, recipe: take.recipe(made, logo!) as never } })

  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const hands = handsOf(page)
  // To the workbench by its link.
  await page.goto(url(`/panel/projects/${projectId}`))
  await tabTo(page, page.getByRole('link', { name: 'Open the workbench' }))
  await hands.press('Enter')
  await expect(page.getByRole('option', { name: /^Hello/ })).toBeVisible()
  const recipe = async () => (await editor(edits.find, at)).recipe as unknown as Recipe
  const isWhole = isEvery || process.env.HANDS_REPORT !== undefined
  // Twenty corrections, and axe after them, took longer than a journey may on a machine with a load of 40.
  if (isWhole) test.setTimeout(1_800_000)
  for (const [n, correction] of corrections.entries()) {
    if (!isWhole && !correction.isShort) continue
    await test.step(`${n + 1}. ${correction.what}`, async () => {
      await page.evaluate(() => document.querySelector<HTMLElement>('.transcript')?.focus())
      const before = await recipe()
      hands.begin()
      await correction.byKeyboard(hands)
      const done = hands.end()
      await expect.poll(async () => correction.isDone(before, await recipe()), { message: correction.what }).toBe(true)
      if (process.env.HANDS_REPORT)
        appendFileSync(process.env.HANDS_REPORT, `${JSON.stringify({ n: n + 1, what: correction.what, ...done })}\n`)
    })
  }
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  // The check before sending leads to its places; then the file is made, watched and sent.
  await hands.command('check before')
  await expect(page.getByRole('region', { name: 'Before you send' })).toBeVisible()
  await expectClean(page, 'an edit made by keyboard')
  await hands.command('render')
  await expect(page.getByRole('button', { name: 'Send to approval' })).toBeEnabled({ timeout: 240_000 })
  await hands.command('watch the')
  await expect(page.getByRole('dialog').locator('video')).toBeVisible()
  await hands.press('Escape')
  await hands.command('send to')
  await expect(page.getByRole('button', { name: /^Render/ })).toHaveCount(0)
  expect((await editor(projects.find, at)).cuts).toBe(1)
  await admin(clips.change, { params: { clipId }, body: { isRemoved: true } })
  expect(errors).toEqual([])
  await page.context().close()
})

/** Presses Tab until it has the focus. */
const tabTo = async (page: Page, target: ReturnType<Page['getByRole']>) => {
  await expect(target).toBeVisible()
  for (let i = 0; i < 60; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there.')
}
