import { expect, test, type Page } from '@playwright/test'
import { Status } from '@clear-to-post/domain/workflow'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { outboxKey } from '../server/src/outside/kept-key.ts'
import { outboxHeaders, product, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'
import { behindItsBack } from './database.ts'

/** Calls of the API as one person, without a browser. */
const api = async (who: string) => {
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const response = await fetch(url(path), {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
    return (await response.json()) as any
  }
  const email = `${who}@demo.test`
  const password = 'demo-Clear2Post'
  const entered = await ask('POST', '/identity/sign-in/password', { email, password })
  const { idToken } = await ask('POST', '/identity/confirm', { password }, entered.idToken)
  return (method: string, path: string, body?: object) => ask(method, `/api${path}`, body, idToken)
}

/** A cut of the editor's that waits for approval; one that an earlier try has denied waits again. */
const waitingCut = async (qa: Api, editor: Api): Promise<{ id: string }> => {
  const { id: userId } = await editor('GET', '/accounts/user/info')
  const inStatus = async (status: number) => {
    const { items } = await qa('GET', `/projects/list?wheres=status:eq:${status}&perPage=100`)
    return (items as { id: string; editorId?: string }[]).filter(({ editorId }) => editorId === userId)
  }
  const [waiting] = await inStatus(Status.waitingApproval)
  if (waiting) return waiting
  const [denied] = await inStatus(Status.denied)
  await qa('POST', `/projects/${denied!.id}/rollback/`)
  return denied!
}
type Api = Awaited<ReturnType<typeof api>>

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })

test('a denial is counted at the editor’s bell live, withdrawn live when rolled back, and leads to the video', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const [qa, editor] = [await api('qa'), await api('editor')]
  const project = await waitingCut(qa, editor)
  const deny = () =>
    qa('POST', `/projects/${project.id}/deny/`, {
      denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] },
      categories: ['cut'],
    })
  await editor('PUT', '/notifications/read/')

  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  await page.goto(url('/panel'))
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  const began = Date.now()
  await deny()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  info.annotations.push({ type: 'from the denial to the bell', description: `${Date.now() - began} ms` })
  await qa('POST', `/projects/${project.id}/rollback/`)
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await deny()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(page).press('Enter')
  await page.getByRole('link', { name: /Unread.*Back to you/ }).press('Enter')
  await expect(page).toHaveURL(new RegExp(project.id))
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  const newest = async () =>
    (await editor('GET', '/notifications/list/')).items[0] as { title: string; openedAt?: string }
  await expect.poll(async () => (await newest()).openedAt).toBeTruthy()
  await qa('POST', `/projects/${project.id}/rollback/`)
  // A notification about the video on screen counts as read.
  await expect.poll(async () => (await newest()).title).toBe('A step was undone')
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await bell(page).click()
  await page.getByRole('link', { name: 'All notifications' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible()
  await expect(page.getByRole('main').getByText('A step was undone').first()).toBeVisible()
  await page.getByRole('tab', { name: 'Unread' }).click()
  await expect(page).toHaveURL(/show=unread/)
  await expect(page.getByText('You have read everything.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByRole('main').getByText('A step was undone').first()).toBeVisible()
  await expectClean(page, 'notifications')
  await expectNoSidewaysScroll(page, 'notifications')
  await page.context().close()
})

test('a notification that arrives while the panel loads is counted at the bell', async ({ browser, viewport }) => {
  atOneScreen('phone')
  const [qa, editor] = [await api('qa'), await api('editor')]
  const project = await waitingCut(qa, editor)
  await editor('PUT', '/notifications/read/')

  const page = await signIn(browser, 'editor', { viewport, reducedMotion: 'reduce' })
  // The first count is read by the service before the denial and reaches the page after the stream is open.
  const answers = Promise.withResolvers<void>()
  const counted = Promise.withResolvers<void>()
  let isFirst = true
  await page.route('**/api/notifications/**', async (route) => {
    const answer = await route.fetch()
    if (isFirst) {
      isFirst = false
      counted.resolve()
      await answers.promise
    }
    await route.fulfill({ response: answer })
  })
  // Nor is the stream open before it.
  const told = Promise.withResolvers<void>()
  await page.route('**/api/events*', async (route) => {
    await told.promise
    await route.continue()
  })
  await page.goto(url('/panel'))
  await counted.promise
  const before = (await editor('GET', '/notifications/list/')).items[0]?.id
  await qa('POST', `/projects/${project.id}/deny/`, {
    denyFeedback: { criteria: [{ id: 'pacing', label: 'Pacing', score: 3 }] },
    categories: ['cut'],
  })
  await expect.poll(async () => (await editor('GET', '/notifications/list/')).items[0]?.id).not.toBe(before)
  const opened = page.waitForResponse('**/api/events*')
  told.resolve()
  await opened
  await page.waitForTimeout(500)
  answers.resolve()
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await qa('POST', `/projects/${project.id}/rollback/`)
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await page.context().close()
})

test('e-mails can be switched off by their own link without a sign-in, and on again in the profile', async ({
  browser,
  viewport,
}, info) => {
  test.skip(viewport!.width > 600, 'mails are read on phones; pages.e2e.ts looks at desks')
  const [admin, officer] = [await api('admin'), await api('officer')]
  const { id: userId } = await officer('GET', '/accounts/user/info')
  await officer('PUT', '/notifications/choices/', { kinds: [{ kind: 'news', email: 'at-once' }], quiet: null })
  const title = `A word of ours, ${info.project.name} ${Date.now().toString(36)}`
  await admin('POST', '/notifications/push/', { userIds: [userId], title, body: 'Film one this week.' })
  const find = async () => {
    const headers = await outboxHeaders()
    const { items } = (await (await fetch(url('/dev/outbox?to=officer@demo.test'), { headers })).json()) as {
      items: { id: string; subject: string; unsubscribe: string }[]
    }
    return items.find(({ subject }) => subject === title)
  }
  await expect.poll(find).toBeTruthy()
  const mail = (await find())!

  const stranger = await (await browser.newContext({ viewport })).newPage()
  await stranger.goto(url(`/dev/outbox/${mail.id}?key=${await outboxKey(product().dataDir)}`))
  await expect(stranger.getByRole('heading', { name: title })).toBeVisible()
  await stranger.goto(mail.unsubscribe)
  await expectClean(stranger, 'the way out')
  await stranger.getByRole('button', { name: 'Stop these e-mails' }).click()
  await expect(stranger.getByRole('heading', { name: 'Done' })).toBeVisible()
  await stranger.context().close()

  const page = await signIn(browser, 'officer', { viewport, reducedMotion: 'reduce' })
  await page.goto(url('/panel/profile#notifications'))
  const choice = page.getByRole('button', { name: /E-mails about “News from us”/ })
  await expect(choice).toHaveText(/No e-mail/)
  // While the first choice is on its way, the next ones wait for it: none overtakes another.
  const sent: string[] = []
  let arrive = () => {}
  const line = new Promise<void>((resolve) => (arrive = resolve))
  await page.route('**/api/notifications/choices/', async (route) => {
    const method = route.request().method()
    if (method === 'GET') return route.continue()
    sent.push(method)
    await line
    await route.continue()
  })
  await choice.press('Enter')
  await page.getByRole('option', { name: 'E-mail every morning' }).press('Enter')
  await page.getByText('Quiet hours', { exact: true }).click()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('21:00')
  // A page that looks again meanwhile reads what was before, and shows what was chosen all the same.
  const read = page.waitForResponse(
    (response) => response.url().endsWith('/notifications/choices/') && response.request().method() === 'GET',
  )
  // News in a shape of a newer release: its pages look again.
  await behindItsBack(
    `insert into news (told) values (json_build_object('type', 'notification', 'userId', $1::text, 'isNew', true))`,
    [userId],
  )
  await read
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('21:00')
  await page.getByLabel('Until', { exact: true }).fill('06:30')
  await expect.poll(() => sent).toEqual(['PUT'])
  arrive()
  await expect
    .poll(async () => {
      const { kinds, quiet } = await officer('GET', '/notifications/choices/')
      return [kinds.find(({ kind }: { kind: string }) => kind === 'news').email, quiet]
    })
    .toEqual(['daily', { from: '21:00', until: '06:30' }])
  await expectClean(page, 'choices')
  await officer('PUT', '/notifications/choices/', { kinds: [{ kind: 'news', email: 'at-once' }], quiet: null })
  await page.context().close()
})
