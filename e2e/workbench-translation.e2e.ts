import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { atOneScreen } from './screens.ts'
import { openWorkbench, prepared } from './workbench.ts'

/** An editor writes the captions in Spanish, shows them in the video, and gives and takes a translator's file. */
test('captions get a second language by hand and from a file, in the video and as a file of its own', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const projectId = await prepared(`In two languages, ${info.project.name}`)
  const { page, errors } = await openWorkbench(browser, projectId, { viewport, search: '?tab=captions' })
  const group = page.getByRole('region', { name: 'Second language' })
  await group.getByRole('button', { name: /Language/ }).click()
  await page.getByRole('option', { name: 'Spanish' }).click()
  await expect(group.getByText('0 of 1 sentence translated')).toBeVisible()
  const line = group.getByRole('textbox', { name: 'Rates moved again this week, and that is good news for you.' })
  const spanish = 'Las tasas volvieron a moverse esta semana: buena noticia para usted.'
  await line.fill(spanish)
  await expect(group.getByText('1 of 1 sentence translated')).toBeVisible()
  await group.getByText('Show Spanish in the video instead of the captions').click()
  if (info.project.name === 'desktop') {
    const track = page.getByRole('group', { name: 'Captions, page by page' })
    await expect(track.getByRole('button', { name: /Las tasas/ }).first()).toBeVisible()
    // Only its parts scroll: a switch far down in one of them moves nothing else.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  }
  await expectClean(page, 'a second language')
  await expectNoSidewaysScroll(page, 'a second language')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  const srt = await downloaded(page, async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Second language, SRT' }).click()
  })
  expect(srt.name).toMatch(/\.es\.srt$/)
  expect(srt.text.replaceAll('\n', ' ')).toContain('Las tasas volvieron')

  // A translator's program writes another language into the same times.
  const given = await downloaded(page, () => group.getByRole('button', { name: 'Save for a translator' }).click())
  expect(given.text).toContain('Rates moved again this week')
  const file = (text: string) => ({ name: 'back.srt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  const read = async (text: string) => {
    const chooser = page.waitForEvent('filechooser')
    await group.getByRole('button', { name: 'Read a translated file' }).click()
    await (await chooser).setFiles(file(text))
  }
  await read('This is no subtitle file.')
  await expect(page.getByText('No sentence of this video is in that file.')).toBeVisible()
  await expect(line).toHaveValue(spanish)
  const other = 'Esta semana se movieron otra vez las tasas.'
  await read(given.text.replace(/Rates moved.*/, other))
  await expect(page.getByText('One sentence was read.')).toBeVisible()
  await expect(line).toHaveValue(other)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(line).toHaveValue(other)
  await expect(group.getByRole('switch', { name: /Show Spanish/ })).toBeChecked()
  await group.getByRole('button', { name: 'Remove this language' }).click()
  await expect(group.getByText(/Captions in another language/)).toBeVisible()
  expect(errors).toEqual([])
})

const downloaded = async (page: Page, act: () => Promise<void>): Promise<{ name: string; text: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}
