import { expect, test, type Page } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { sentencesHeard } from '@clear-to-post/edit/translation'
import { longKit } from '../server/test/recipes.ts'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { connect } from './networks.ts'
import { callAs, claim, clip, sendCut, signIn, submit, tokenOf, upload, url } from './people.ts'
import { atOneScreen } from './screens.ts'

const english = 'Rates fell & nobody told <b>you</b> about it'
const spanish = 'Bajaron las tasas'

/** What a render leaves: captions that are not in the picture, in two languages. */
const renderedBehindItsBack = async (projectId: string) => {
  const { recipe } = longKit(english.split(' ').length)
  const begun = JSON.parse(recipe) as Recipe
  const words = begun.words.map((word, i) => ({ ...word, text: english.split(' ')[i]! }))
  const said = { ...begun, words, captions: { ...begun.captions, on: false } }
  const lines = Object.fromEntries(sentencesHeard(said).map(({ id, text }) => [id, { text: spanish, of: text }]))
  await behindItsBack(
    `insert into render (project_id, tenant_id, revision, recipe, state, asset_id, asked_by)
     select p.id, p.tenant_id, 1, $2::jsonb, 'done', p.final_video_id, p.editor_id from project p where p.id = $1`,
    [projectId, JSON.stringify({ ...said, translation: { language: 'es', inPicture: false, lines } })],
  )
}

test('QA and the officer read the captions that go with a cut, on its page, on the video and before they are chosen', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  const title = `Words beside it, ${Date.now().toString(36)}`
  const projectId = await submit(title, await upload(await tokenOf('officer'), await clip('short', { seconds: 2 })))
  await claim(projectId)
  await sendCut(projectId, await clip('short', { seconds: 2 }))
  await renderedBehindItsBack(projectId)

  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url(`/panel/projects/${projectId}`))
  await reads(qa)

  // By its key the captions are shown on the video, language by language, and off again.
  const shown = () =>
    qa.evaluate(() =>
      [...document.querySelector('video')!.textTracks]
        .filter(({ mode }) => mode === 'showing')
        .map(({ language, cues }) => [language, [...cues!].map((cue) => (cue as VTTCue).getCueAsHTML().textContent)]),
    )
  const button = qa.getByRole('button', { name: /^Captions: / })
  await expect(button).toHaveAccessibleName('Captions: off')
  await qa.getByRole('heading', { level: 1 }).focus()
  await qa.keyboard.press('v')
  await expect(button).toHaveAccessibleName('Captions: English')
  await expect.poll(shown).toEqual([['en', [english.replace('told <b>', 'told\n<b>')]]])
  await qa.locator('video').evaluate((video: HTMLVideoElement) => (video.currentTime = 0.3))
  await shoot(qa, 'on-the-video')
  await button.click()
  await expect(button).toHaveAccessibleName('Captions: Spanish')
  await expect.poll(shown).toEqual([['es', [spanish]]])
  await button.press('Enter')
  await expect(button).toHaveAccessibleName('Captions: off')
  expect(await shown()).toEqual([])
  await (
    await callAs('qa')
  )(projects.approve, { params: { projectId } })

  const page = await signIn(browser, 'officer', { viewport })
  await connect(page, 'YouTube', 'sam.words')
  await page.goto(url(`/panel/projects/${projectId}`))
  await reads(page)
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'YouTube: sam.words', exact: true }).press('Space')
  await dialog.getByRole('button', { name: /Captions as a file/ }).click()
  await page.getByRole('option', { name: 'Spanish' }).click()
  const summary = dialog.getByText('Captions that go with it: Spanish · read')
  await summary.click()
  await expect(dialog.getByRole('list', { name: 'Words of the captions: Spanish' })).toContainText(spanish)
  await summary.scrollIntoViewIfNeeded()
  await expectClean(page, 'captions in the schedule dialog', { schemes: ['light', 'dark'] })
  await shoot(page, 'schedule')
  // The next first cut of this officer would look like it.
  await behindItsBack('delete from render where project_id = $1', [projectId])
})

/** Opens the words of each language on the project's page. */
const reads = async (page: Page) => {
  const captions = page.getByRole('region', { name: 'Captions of Cut 1' })
  for (const [language, words] of [
    ['English', english],
    ['Spanish', spanish],
  ] as const) {
    await captions.getByText(`Captions that go with it: ${language} · read`).press('Enter')
    await expect(captions.getByRole('list', { name: `Words of the captions: ${language}` })).toContainText(words)
  }
  await expectClean(page, 'the captions of a cut', { schemes: ['light', 'dark'] })
  const { width, height } = page.viewportSize()!
  for (const wide of [320, 390, 1440]) {
    await page.setViewportSize({ width: wide, height: 900 })
    await expectNoSidewaysScroll(page, `the captions of a cut at ${wide}`)
    await captions.scrollIntoViewIfNeeded()
    await shoot(page, `read-${wide}`)
  }
  await page.setViewportSize({ width, height })
}

const shoot = async (page: Page, name: string) => {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: test.info().outputPath(`${name}-${colorScheme}.png`) })
  }
}
