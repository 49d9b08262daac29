import { writeFileSync } from 'node:fs'
import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test'
import { edits } from '@clear-to-post/contract/edits'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { callAs, claim, clip, signIn, submit, tokenOf, upload, url } from './people.ts'

/** A project of the officer's with uploaded files, else a take, in the editor's hand and with words; answers its id. */
export const prepared = async (title: string, ...files: string[]): Promise<string> => {
  const [first, ...others] = files.length > 0 ? files : [await sendTake()]
  const projectId = await submit(title, first!, ...others)
  await claim(projectId)
  await prepare(projectId)
  return projectId
}

export const sendTake = async () => upload(await tokenOf('officer'), await clip('take'))

/** The edit of a project once its first cut is made; throws where it failed. */
export const firstCut = async (projectId: string) => {
  const editor = await callAs('editor')
  const find = () => editor(edits.find, { params: { projectId } })
  await expect
    .poll(async () => (await find()).state, { timeout: 120_000, intervals: [200] })
    .not.toMatch(/none|waiting|preparing/)
  const edit = await find()
  if (edit.state !== 'ready') throw new Error('There is no first cut.')
  return { revision: edit.revision, recipe: edit.recipe as unknown as Recipe }
}

/** Waits for the finished file of a revision and puts it there. */
export const finishedFile = async (projectId: string, revision: number, file: string): Promise<string> => {
  const editor = await callAs('editor')
  const find = async () =>
    (await editor(edits.renders, { params: { projectId } })).items.find((render) => render.revision === revision)
  await expect.poll(async () => (await find())?.state, { timeout: 1_800_000 }).toMatch(/done|failed/)
  const { asset: made, reason } = (await find())!
  expect(made, reason).toBeTruthy()
  // It is checked as every file is before it has an address.
  await expect.poll(async () => (await find())?.asset?.assetUrl).toBeTruthy()
  const { asset } = (await find())!
  writeFileSync(file, Buffer.from(await (await fetch(new URL(asset!.assetUrl, url('/')))).arrayBuffer()))
  return file
}

/** Waits for the first cut and puts words into it, which a clip of noise cannot have. */
export const prepare = async (projectId: string) => {
  const { recipe, revision } = await firstCut(projectId)
  const texts = 'Rates um moved again this week, and that is good news for you.'.split(' ')
  const words = texts.map((text, i) => ({
    id: `w${i}`,
    source: recipe.sources[0]!.id,
    start: 300 + i * 400,
    end: 600 + i * 400,
    text,
    confidence: text === 'news' ? 0.2 : 0.95,
    origin: 'script' as const,
    ...(text === 'um' ? { mark: 'filler' as const } : {}),
    ...(text === 'good' ? { estimated: true as const } : {}),
  }))
  const [, um] = words
  const spoken: Recipe = {
    ...recipe,
    words,
    removed: [
      {
        id: 'r1',
        source: um!.source,
        start: um!.start,
        end: um!.end,
        reason: 'filler',
        by: 'rule',
        why: 'Filler: “um”.',
        on: true,
      },
    ],
    unsaid: [{ id: 'u1', source: um!.source, at: 5600, text: `Call me. ${link}` }],
    moves: [],
    output: { ...recipe.output, shortSide: 180 },
  }
  const editor = await callAs('editor')
  await editor(edits.save, { params: { projectId }, body: { revision, recipe: spoken as never } })
}

/** The editor's page at the workbench of a project, its `search` included; `errors` is what its scripts throw from now on. */
export const openWorkbench = async (
  browser: Browser,
  projectId: string,
  { search = '', ...options }: BrowserContextOptions & { search?: string },
): Promise<{ page: Page; errors: string[] }> => {
  const page = await signIn(browser, 'editor', { reducedMotion: 'reduce', ...options })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(url(`/panel/projects/${projectId}/edit${search}`))
  return { page, errors }
}

/** What the workbench says once everything is saved. */
export const saved = (page: Page): Locator => page.getByText('Saved', { exact: true })

/** A word of the transcript: its whole text, or what a pattern finds. */
export const word = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('listbox', { name: 'Transcript' }).getByRole('option', { name: text, exact: true })

/** The same word while it is taken out. */
export const isOut = (page: Page, text: string): Locator => word(page, new RegExp(`^${text},+ taken out`))

/** Takes a word out by its key. */
export const cut = async (page: Page, text: string): Promise<void> => {
  await word(page, text).click()
  await page.keyboard.press('Delete')
  await expect(isOut(page, text.replace(',', ''))).toBeVisible()
}

/** Opens a tab of the settings; on a wide screen the transcript is beside the video, without a tab. */
export const openTab = async (page: Page, name: string) => {
  await expect(page.getByRole('tab', { name: 'Captions' })).toBeVisible()
  const tab = page.getByRole('tab', { name, exact: true })
  if ((await tab.count()) > 0) await tab.click()
}

/** No line of a phone holds it. */
const link = 'https://www.harbor-lending.example.com/apply/first-time-buyers/start?officer=ada.ray'
