import { expect, test, type Locator, type Page } from '@playwright/test'
import { projects } from '@clear-to-post/contract/projects'
import { Status } from '@clear-to-post/domain/workflow'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('a form opens under the button that opens it, with its first field in sight', async ({ browser, viewport }) => {
  const page = await signIn(browser, 'officer', { viewport: { ...viewport!, height: 700 } })
  await page.goto(url(`/panel/projects/${(await finished(() => true)).id}`))
  // What else the page tells may be taller than the screen.
  await expect(page.getByRole('heading', { name: 'How is the finished video?' })).toBeVisible()
  await page.getByRole('button', { name: 'Request a revision' }).click()
  const form = page.getByRole('region', { name: 'Request a revision' })
  await expect(form.getByRole('textbox').first()).toBeFocused()
  await expect(form.getByRole('textbox').first()).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await page.context().close()
})

test('on a phone a finished video is downloaded without scrolling', async ({ browser, viewport }) => {
  atOneScreen('phone')
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url(`/panel/projects/${(await finished(({ publishAt }) => publishAt !== undefined)).id}`))
  const download = page.getByRole('link', { name: 'Download' }).first()
  await expect(download).toBeVisible()
  await expect.poll(() => endOf(download)).toBeLessThan(await barTop(page))
  await page.context().close()
})

test('an officer’s own videos show how long they are', async ({ browser, viewport }) => {
  atOneScreen('desktop')
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel'))
  const { title } = await finished(({ duration }) => duration !== undefined)
  await expect(page.getByRole('link').filter({ hasText: title }).first()).toContainText(/\d:\d\d/)
  await page.context().close()
})

type Project = Awaited<ReturnType<typeof listed>>[number]

const listed = async () => {
  const officer = await callAs('officer')
  const wheres = `status:in:${Status.completed},${Status.scheduled}`
  return (await officer(projects.list, { query: { wheres, perPage: 100 } })).items
}

/** A video of the officer’s that is theirs to use. */
const finished = async (fits: (project: Project) => boolean): Promise<Project> =>
  (await listed()).find((project) => project.actions.includes('review') && fits(project))!

/** Where something ends, from the top of the screen. */
const endOf = async (of: Locator): Promise<number> => {
  const { y, height } = (await of.boundingBox())!
  return y + height
}

/** Where the bar at the foot of a phone begins. */
const barTop = async (page: Page): Promise<number> => (await page.locator('[data-nav-bar]').boundingBox())!.y
