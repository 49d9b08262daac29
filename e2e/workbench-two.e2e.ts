import { expect, test } from '@playwright/test'
import { signIn, url } from './people.ts'
import { isEvery } from './screens.ts'
import { cut, isOut, prepared, saved, word } from './workbench.ts'

/**
 * One project on two machines, one of them without the network; then, under `npm run prove -- journeys`, two tabs that are
 * closed without it.
 */
test('nothing that was said to be kept is lost by two benches at one edit, a lost network and closed tabs', async ({
  browser,
  viewport,
}, info) => {
  test.skip(info.project.name === 'phone', 'It is the same at every width.')
  const projectId = await prepared('Two at once')
  const bench = url(`/panel/projects/${projectId}/edit`)
  const [here, there] = [await signIn(browser, 'editor', { viewport }), await signIn(browser, 'editor', { viewport })]
  for (const page of [here, there]) {
    await page.goto(bench)
    await expect(word(page, 'again')).toBeVisible()
  }

  // Away, its work is kept; the other saves; back, a person is asked in words, and neither version is lost.
  await here.context().setOffline(true)
  await cut(here, 'again')
  await expect(here.getByText('Offline, kept here')).toBeVisible()
  await cut(there, 'moved')
  await expect(saved(there)).toBeVisible()
  await here.context().setOffline(false)
  const conflict = here.getByRole('alert').filter({ hasText: 'Someone else changed this edit.' })
  await expect(conflict).toContainText('Undo brings yours back')
  await conflict.getByRole('button', { name: 'Load theirs' }).click()
  await expect(isOut(here, 'moved')).toBeVisible()
  await expect(word(here, 'again')).toBeVisible()
  await here.getByRole('button', { name: /^Undo: Load the other version/ }).click()
  await expect(isOut(here, 'again')).toBeVisible()
  await expect(saved(here)).toBeVisible()
  // The other bench has nothing of its own that was not saved: it shows the newest, and says so.
  await expect(there.getByText('Someone else changed this edit. You see the newest.')).toBeVisible()
  await expect(isOut(there, 'again')).toBeVisible()
  await there.context().close()
  if (!isEvery) return here.context().close()

  // Two tabs of one browser, each with work that was said to be kept, are closed before the network is back.
  const second = await here.context().newPage()
  await second.goto(bench)
  await expect(isOut(second, 'again')).toBeVisible()
  await here.context().setOffline(true)
  await cut(here, 'week,')
  await expect(here.getByText('Offline, kept here')).toBeVisible()
  await cut(second, 'this')
  await expect(second.getByText('Offline, kept here')).toBeVisible()
  const next = await here.context().newPage()
  await here.close()
  await second.close()
  await next.context().setOffline(false)
  await next.goto(bench)
  await expect(isOut(next, 'this')).toBeVisible()
  await expect(saved(next)).toBeVisible()
  // What the other tab had kept is next, and is somebody's decision.
  await next.reload()
  const another = next.getByRole('alert').filter({ hasText: 'Someone else changed this edit.' })
  await another.getByRole('button', { name: 'Keep mine' }).click()
  await expect(isOut(next, 'week')).toBeVisible()
  await expect(saved(next)).toBeVisible()
  await next.reload()
  await expect(isOut(next, 'week')).toBeVisible()
  await expect(saved(next)).toBeVisible()
  await next.context().close()
})
