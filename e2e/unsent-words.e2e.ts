import { expect, test, type Page, type Route } from '@playwright/test'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { support } from '@clear-to-post/contract/support'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import {
  callAs,
  claim,
  clip,
  discardFiles,
  fileField,
  logOut,
  sendCut,
  signIn,
  submit,
  tokenOf,
  upload,
  url,
} from './people.ts'
import { isEvery } from './screens.ts'

/** Words that were written and not sent (decisions 1175 to 1177, 1197, 1198 and 1226): they wait for their person, go once, and as nobody else’s. */

/** A video of its own whose cut waits for approval. */
const waiting = async (): Promise<Project> => {
  const take = await clip('short', { seconds: 2 })
  const projectId = await submit(`Words, ${Date.now().toString(36)}`, await upload(await tokenOf('officer'), take))
  await claim(projectId)
  await sendCut(projectId, take)
  return (await callAs('admin'))(projects.find, { params: { projectId } })
}
const commentsOf = async ({ id }: Project) =>
  (await (await callAs('admin'))(projects.comments, { params: { projectId: id } })).items
/** Other journeys meet what it leaves. */
const end = async ({ id: projectId }: Project) => {
  await (
    await callAs('admin')
  )(projects.cancel, { params: { projectId }, query: {} })
}
const box = (page: Page) => page.getByRole('textbox', { name: /^Comment on this moment/ })
const post = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
const unsent = (page: Page, text: string) => page.locator('[data-unsent]').filter({ hasText: text })
const comments = (project: Project) => url(`/panel/projects/${project.id}?tab=comments`)
const isPost = (route: Route) => route.request().method() === 'POST'
const cutOff = (page: Page) =>
  page
    .context()
    .route('**/comments/', (route) => (isPost(route) ? route.abort('internetdisconnected') : route.continue()))
const signInHere = async (page: Page, who: string) => {
  await page
    .getByLabel(/e-?mail/i)
    .first()
    .fill(`${who}@demo.test`)
  await page
    .getByLabel(/password/i)
    .first()
    .fill('demo-Clear2Post')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/panel/)
}

test('comments that could not be sent wait as “Not sent yet”, also after a reload, and trying again posts each once', async ({
  browser,
  viewport,
}, info) => {
  const project = await waiting()
  const [first, second, third] = ['one', 'two', 'three'].map(
    (n) => `Not sent ${n} ${info.project.name} ${Date.now()}`,
  ) as [string, string, string]
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(comments(project))
  await cutOff(page)
  for (const text of [first, second]) {
    await box(page).fill(text)
    await post(page).click()
    await expect(unsent(page, text)).toBeVisible()
  }
  await expect(unsent(page, first)).toContainText('Sending…')
  // What stands in the box is nobody else's.
  await box(page).fill(third)
  await page.getByRole('tab', { name: /^Brief/ }).click()
  await page.getByRole('tab', { name: /^Comments/ }).click()
  for (const text of [first, second])
    await expect(unsent(page, text)).toContainText('Not sent yet', { timeout: 30_000 })
  await expect(box(page)).toHaveValue(third)
  await page.reload()
  for (const text of [first, second]) await expect(unsent(page, text)).toContainText('Not sent yet')
  await expect(box(page)).toHaveValue(third)
  // The narrowest phone that is common.
  if (info.project.name === 'phone') await page.setViewportSize({ width: 360, height: 780 })
  await unsent(page, first).scrollIntoViewIfNeeded()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: info.outputPath(`not-sent-${colorScheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await expectClean(page, 'comments that were not sent')
  await expectNoSidewaysScroll(page, 'comments that were not sent')

  // The service has it, and the answer is lost.
  await page.context().unroute('**/comments/')
  const ids: string[] = []
  await page.context().route('**/comments/', async (route) => {
    if (!isPost(route)) return route.continue()
    ids.push(route.request().headers()['x-request-id']!)
    if (ids.length > 2) return route.continue()
    await route.fetch()
    return route.abort('connectionreset')
  })
  await unsent(page, first).getByRole('button', { name: 'Try again' }).click()
  await expect(unsent(page, first)).toHaveCount(0, { timeout: 30_000 })
  expect(new Set(ids).size).toBe(1)
  expect((await commentsOf(project)).filter(({ text }) => text === first)).toHaveLength(1)
  await expect(page.getByRole('listitem').filter({ hasText: first })).toBeVisible()

  // Taken back beside words in the box, it can be brought back by the message; the box is left alone.
  await unsent(page, second).getByRole('button', { name: 'Take back' }).click()
  await expect(unsent(page, second)).toHaveCount(0)
  await expect(box(page)).toHaveValue(third)
  await box(page).fill('')
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: second })).toBeVisible()
  await expect.poll(async () => (await commentsOf(project)).filter(({ text }) => text === second).length).toBe(1)
  await end(project)
  await page.context().close()
})

test('a comment whose session ended waits for its person, and is neither shown to nor sent as somebody else', async ({
  browser,
  viewport,
}, info) => {
  test.skip(!isEvery && info.project.name !== 'desktop', 'in npm test at the desktop alone')
  const project = await waiting()
  const text = `Written by QA ${Date.now()}`
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(comments(project))
  const senders: string[] = []
  let isDown = true
  await page.context().route('**/comments/', async (route) => {
    if (!isPost(route)) return route.continue()
    const claims = route.request().headers()['authorization']!.split('.')[1]!
    senders.push((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string }).sub)
    return isDown ? route.abort('connectionreset') : route.continue()
  })
  await box(page).fill(text)
  await post(page).click()
  await expect.poll(() => senders.length).toBe(1)
  // Somebody else signs in in another tab while it is repeated.
  const other = await page.context().newPage()
  const data = { email: 'admin@demo.test', password: 'demo-Clear2Post' }
  expect((await other.context().request.post(url('/identity/sign-in/password'), { data })).ok()).toBe(true)
  await other.goto(comments(project))
  await expect(other.getByRole('button', { name: /^Your account/ }).first()).toBeVisible()
  isDown = false
  await expect(page.getByText(text)).toHaveCount(0)
  // Longer than every repeat.
  await page.waitForTimeout(9_000)
  expect(new Set(senders).size).toBe(1)
  expect((await commentsOf(project)).filter((one) => one.text === text)).toEqual([])
  // Its own person finds it in the tab that they wrote it in.
  await page.context().request.post(url('/identity/sign-in/password'), { data: { ...data, email: 'qa@demo.test' } })
  await page.goto(comments(project))
  await unsent(page, text).getByRole('button', { name: 'Try again' }).click()
  await expect(unsent(page, text)).toHaveCount(0)
  expect((await commentsOf(project)).filter((one) => one.text === text).map(({ authorId }) => authorId)).toEqual([
    senders[0],
  ])
  await end(project)
  await page.context().close()
})

test('a comment that was not sent is forgotten when its person logs out, and a next person finds nothing of it', async ({
  browser,
  viewport,
}, info) => {
  test.skip(!isEvery && info.project.name !== 'desktop', 'in npm test at the desktop alone')
  const project = await waiting()
  const text = `Left by QA ${Date.now()}`
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(comments(project))
  await cutOff(page)
  await box(page).fill(text)
  await post(page).click()
  await expect(unsent(page, text)).toContainText('Not sent yet', { timeout: 30_000 })
  await logOut(page)
  await signInHere(page, 'qa')
  await page.goto(comments(project))
  await expect(box(page)).toBeVisible()
  await expect(unsent(page, text)).toHaveCount(0)
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes(' posting ')))).toEqual([])
  await end(project)
  await page.context().close()
})

test('a question of several lines outlives a press beside its sheet, Escape and a reload', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel/support'))
  const ask = page.getByRole('button', { name: 'Ask a question' })
  const dialog = page.getByRole('dialog')
  await ask.click()
  // Nothing is written yet: a press beside it closes it.
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)
  await ask.click()
  await dialog.getByLabel('Subject').fill('About my intro')
  await dialog.getByLabel('Your question').fill('It took me a while\nto write this.')
  await page.mouse.click(5, 5)
  await page.mouse.click(5, 5)
  await expect(dialog.getByLabel('Subject')).toHaveValue('About my intro')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.reload()
  await ask.click()
  await expect(dialog.getByLabel('Subject')).toHaveValue('About my intro')
  await expect(dialog.getByLabel('Your question')).toHaveValue('It took me a while\nto write this.')
  await page.context().close()
})

test('an answer to a comment and its correction outlive Escape, and are gone once they are sent', async ({
  browser,
  viewport,
}, info) => {
  test.skip(!isEvery && info.project.name !== 'desktop', 'in npm test at the desktop alone')
  const project = await waiting()
  const text = `To be answered ${Date.now()}`
  const qa = await callAs('qa')
  const body = { atMs: 200, text, cut: project.currentCut!, isInternal: project.remarksAreInternal === true }
  await qa(projects.comment, { params: { projectId: project.id }, body })
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(comments(project))
  const row = page.getByRole('listitem').filter({ hasText: text })
  const open = async (name: string) => {
    await row
      .getByRole('button', { name: /^Actions for the comment/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await open('Answer')
  await row.getByRole('textbox').fill('A careful answer')
  await page.keyboard.press('Escape')
  await expect(row.getByRole('textbox')).toHaveCount(0)
  await page.reload()
  await open('Answer')
  await expect(row.getByRole('textbox')).toHaveValue('A careful answer')
  await row.getByRole('button', { name: 'Answer', exact: true }).click()
  await expect(row.getByRole('textbox')).toHaveCount(0)
  await open('Answer')
  await expect(row.getByRole('textbox')).toHaveValue('')
  await end(project)
  await page.context().close()
})

test('words written while a message is on its way stay, and those that went are gone', async ({
  browser,
  viewport,
}) => {
  const officer = await callAs('officer')
  const asked = await officer(support.ask, { body: { subject: 'My intro', body: 'Which one is used?' } })
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url(`/panel/support/${asked.id}`))
  const line = Promise.withResolvers<void>()
  await page.context().route('**/support/**', async (route) => {
    if (isPost(route)) await line.promise
    await route.continue()
  })
  const message = page.getByRole('textbox', { name: /^Write/ })
  await message.fill('First sentence.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await message.press('ControlOrMeta+End')
  await message.pressSequentially(' And do not post before Friday.')
  line.resolve()
  await expect(message).toHaveValue('And do not post before Friday.')
  await page.reload()
  await expect(message).toHaveValue('And do not post before Friday.')
  const { messages } = await officer(support.find, { params: { threadId: asked.id } })
  expect(messages.filter(({ kind }) => kind === 'message').map(({ body }) => body)).toEqual([
    'Which one is used?',
    'First sentence.',
  ])
  // What is sent next goes whole.
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(message).toHaveValue('')
  await page.context().close()
})

test('a denial waits for comments on their way, and is not sent while one of them is not', async ({
  browser,
  viewport,
}) => {
  const project = await waiting()
  const [lost, late] = ['not sent', 'late'].map((what) => `Licence number, ${what} ${Date.now()}`) as [string, string]
  const page = await signIn(browser, 'qa', { viewport })
  await page.goto(comments(project))
  await cutOff(page)
  await box(page).fill(lost)
  await post(page).click()
  await expect(unsent(page, lost)).toContainText('Not sent yet', { timeout: 30_000 })
  // Approve has no form, and asks.
  await page.getByRole('button', { name: 'Approve cut 1', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve cut 1?' })
  await expect(dialog.getByRole('alert')).toContainText('It goes first')
  await expectClean(page, 'comments before a step')
  await expectNoSidewaysScroll(page, 'comments before a step')
  await dialog.getByRole('button', { name: 'Not now' }).click()

  await page.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  const form = page.getByRole('region', { name: 'Deny cut 1' })
  await expect(form.locator('[data-unsent]')).toContainText(lost)
  await form.getByText('Captions', { exact: true }).last().click()
  const deny = form.getByRole('button', { name: 'Deny cut 1', exact: true })
  await deny.click()
  await expect(form.getByRole('alert')).toContainText('It goes first')
  await form.getByRole('button', { name: 'Take back' }).click()
  await page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' }).click()

  await expect(form.locator('[data-unsent]')).toContainText('Not sent yet', { timeout: 30_000 })

  // It is on its way again, and late: the denial goes after it.
  await page.context().unroute('**/comments/')
  const line = Promise.withResolvers<void>()
  await page.context().route('**/comments/', async (route) => {
    if (isPost(route)) await line.promise
    await route.continue()
  })
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.locator('[data-unsent=sending]')).toBeVisible()
  await deny.click()
  await form.getByLabel('In a sentence').fill(late)
  const denials: string[] = []
  page.on('request', (request) => void (/\/deny\/?$/.test(request.url()) && denials.push(request.url())))
  expect((await commentsOf(project)).map(({ text }) => text)).not.toContain(lost)
  expect(denials).toEqual([])
  line.resolve()
  await expect(form).toHaveCount(0)
  expect(denials).toHaveLength(1)
  expect((await commentsOf(project)).map(({ text }) => text)).toContain(lost)
  await end(project)
  await page.context().close()
})

test('a denial, an approval and a revision request that wait for comments say so when left, and are not sent', async ({
  browser,
  viewport,
}) => {
  const project = await waiting()
  const params = { projectId: project.id }
  const steps: string[] = []
  const as = async (who: string): Promise<Page> => {
    const page = await signIn(browser, who, { viewport })
    page.on('request', (request) => {
      const [, verb] = /\/(deny|approve|review)\/?$/.exec(new URL(request.url()).pathname) ?? []
      if (verb !== undefined && request.method() === 'POST') steps.push(verb)
    })
    await page.goto(comments(project))
    return page
  }
  /** A comment that stays on its way until the answer is called. */
  const lateComment = async (page: Page, text: string): Promise<() => Promise<void>> => {
    const line = Promise.withResolvers<void>()
    const hold = async (route: Route) => {
      if (isPost(route)) await line.promise
      await route.continue()
    }
    await page.context().route('**/comments/', hold)
    await box(page).fill(text)
    await post(page).click()
    await expect(unsent(page, text)).toContainText('Sending…')
    return async () => {
      line.resolve()
      await expect.poll(async () => (await commentsOf(project)).map((one) => one.text)).toContain(text)
      await page.context().unroute('**/comments/', hold)
    }
  }
  const asks = (page: Page) => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
  const told = (page: Page, what: string) =>
    page.locator('[data-sonner-toast]').filter({ hasText: `Your ${what} “${project.title}” was not sent` })

  const qa = await as('qa')
  let arrive = await lateComment(qa, 'Late for a denial')
  await qa.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  const denial = qa.getByRole('region', { name: 'Deny cut 1' })
  await denial.getByText('Captions', { exact: true }).last().click()
  await denial.getByLabel('In a sentence').fill('See my comments.')
  expect(await asks(qa)).toBe(false)
  await denial.getByRole('button', { name: 'Deny cut 1', exact: true }).click()
  await expect.poll(() => asks(qa)).toBe(true)
  await qa.getByRole('link', { name: 'Back to the list' }).click()
  await expect(told(qa, 'denial of')).toBeVisible()
  expect(await asks(qa)).toBe(false)
  await arrive()
  await told(qa, 'denial of').getByRole('button', { name: 'Open the video' }).click()
  await expect(denial.getByLabel('In a sentence')).toHaveValue('See my comments.')
  await denial.getByRole('button', { name: 'Not now' }).last().click()

  await qa.goto(comments(project))
  arrive = await lateComment(qa, 'Late for an approval')
  await qa.getByRole('button', { name: 'Approve cut 1', exact: true }).click()
  await expect.poll(() => asks(qa)).toBe(true)
  await qa.getByRole('dialog', { name: 'Approve cut 1?' }).getByRole('button', { name: 'Not now' }).click()
  await expect(told(qa, 'approval of')).toBeVisible()
  await arrive()
  expect(steps).toEqual([])
  // Not left, it goes, and nothing is told.
  arrive = await lateComment(qa, 'In time for an approval')
  await qa.getByRole('button', { name: 'Approve cut 1', exact: true }).click()
  await expect.poll(() => asks(qa)).toBe(true)
  await arrive()
  await expect.poll(() => steps).toEqual(['approve'])
  await expect(qa.locator('[data-sonner-toast]').filter({ hasText: 'was not sent' })).toHaveCount(0)
  await qa.context().close()

  const officer = await as('officer')
  arrive = await lateComment(officer, 'Late for a request')
  await officer.getByRole('button', { name: 'Request a revision' }).click()
  const request = officer.getByRole('region', { name: 'Request a revision' })
  const words = request.getByRole('textbox')
  await words.fill('See my comments.')
  await words.press('ControlOrMeta+Enter')
  await expect.poll(() => asks(officer)).toBe(true)
  await officer.getByRole('link', { name: 'Back to the list' }).click()
  await expect(told(officer, 'revision request for')).toBeVisible()
  await arrive()
  await told(officer, 'revision request for').getByRole('button', { name: 'Open the video' }).click()
  await expect(words).toHaveValue('See my comments.')
  expect(steps).toEqual(['approve'])
  const admin = await callAs('admin')
  await admin(projects.rollback, { params, body: {} })
  await end(project)
  await officer.context().close()
})

test('New video in two tabs is one form, and neither takes away the words of the other', async ({
  browser,
  viewport,
}) => {
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel/new'))
  const other = await page.context().newPage()
  await other.goto(url('/panel/new'))
  const instructions = (one: Page) => one.getByLabel('Instructions')
  await expect(instructions(other)).toBeVisible()
  await instructions(page).fill('Ten minutes of instructions.')
  await expect(instructions(other)).toHaveValue('Ten minutes of instructions.')
  await other.getByLabel('Title', { exact: true }).fill('Rates in May')
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Rates in May')
  await page.reload()
  await expect(instructions(page)).toHaveValue('Ten minutes of instructions.')
  await page.evaluate(() => localStorage.clear())
  await page.context().close()
})

/** Keeps the files of a page on their way until they are let go. */
const holdUploads = async (page: Page) => {
  const held: Route[] = []
  let holds = true
  await page.route('**/uploads/**', (route) =>
    holds && route.request().method() === 'PATCH' ? void held.push(route) : route.fallback(),
  )
  return {
    areHeld: () => expect.poll(() => held.length).toBeGreaterThan(0),
    hold: () => void (holds = true),
    letGo: async () => {
      holds = false
      for (const route of held.splice(0)) await route.fallback()
    },
  }
}

test('a video that waits for its file is sent with its own words and file, whatever another tab writes meanwhile', async ({
  browser,
  viewport,
}) => {
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  const uploads = await holdUploads(page)
  const title = (one: Page) => one.getByLabel('Title', { exact: true })
  const instructions = (one: Page) => one.getByLabel('Instructions')
  const mine = `Video one, ${Date.now().toString(36)}`
  await page.goto(url('/panel/new'))
  await title(page).fill(mine)
  await instructions(page).fill('Words of video one')
  await fileField(page).setInputFiles(await clip('short', { seconds: 2 }))
  await uploads.areHeld()
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByText(/^Submits by itself/)).toBeVisible()

  const other = await page.context().newPage()
  await other.goto(url('/panel/new'))
  await title(other).fill('Video two')
  await instructions(other).fill('Words of video two')
  const listed = page.waitForResponse(
    async (answer) =>
      answer.url().includes('/assets/unused/') && (await answer.text()).includes('next.mp4') && answer.ok(),
  )
  await fileField(other).setInputFiles(await clip('next', { seconds: 2 }))
  await listed
  // By now this tab knows of both.
  await expect(title(page)).toHaveValue(mine)
  await expect(page.getByText('next.mp4')).toHaveCount(0)

  const sent = page.waitForRequest((request) => request.url().includes('/projects/create'))
  await uploads.letGo()
  const body = (await sent).postDataJSON() as { assets: string[] }
  expect(body).toMatchObject({ title: mine, instructions: 'Words of video one' })
  expect(body.assets).toHaveLength(1)
  await expect(page.getByRole('heading', { name: mine })).toBeVisible()
  await expect(title(other)).toHaveValue('Video two')
  await expect(instructions(other)).toHaveValue('Words of video two')
  await expect(other.getByText('next.mp4')).toBeVisible()
  const [, id] = /projects\/([\w-]+)/.exec(page.url())!
  await end({ id } as Project)
  await discardFiles()
  await page.evaluate(() => localStorage.clear())
  await page.context().close()
})

test('a video that was submitted in another tab than the one that sends its file goes by itself once it is there', async ({
  browser,
  viewport,
}) => {
  await discardFiles()
  const page = await signIn(browser, 'officer', { viewport })
  const uploads = await holdUploads(page)
  await page.goto(url('/panel/new'))
  await fileField(page).setInputFiles(await clip('short', { seconds: 2 }))
  await uploads.areHeld()

  const other = await page.context().newPage()
  await other.goto(url('/panel/new'))
  const mine = `Sent by another tab, ${Date.now().toString(36)}`
  await expect(other.getByText('short.mp4')).toBeVisible()
  await other.getByLabel('Title', { exact: true }).fill(mine)
  await other.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(other.getByText(/^Submits by itself/)).toBeVisible()
  await uploads.letGo()
  await expect(other.getByRole('heading', { name: mine })).toBeVisible()
  const [, id] = /projects\/([\w-]+)/.exec(other.url())!
  await end({ id } as Project)

  // The other way to end: the file is thrown away while it is waited for.
  await page.goto(url('/panel/new'))
  uploads.hold()
  await fileField(page).setInputFiles(await clip('short', { seconds: 2 }))
  await page.getByLabel('Title', { exact: true }).fill(mine)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByText(/^Submits by itself/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove short.mp4' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText(/^Not submitted: the file/)).toBeVisible()
  await discardFiles()
  await page.evaluate(() => localStorage.clear())
  await page.context().close()
})
