import { expect, test } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { browserStores } from '../web/app/browser-stores.ts'
import { expectDeclared, keptBy, storeOf, type Kept } from './browser-stores.ts'
import { openWithCamera } from './camera.ts'
import { callAs, clip, discardFiles, fileField, logOut, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('logging out leaves in the browser what is declared to stay, and nothing else of that person', async ({
  viewport,
}) => {
  atOneScreen('phone')
  await discardFiles()
  const browser = await openWithCamera()
  const page = await signIn(browser, 'officer', { viewport })
  const { id } = await (await callAs('officer'))(accounts.info, {})
  // Nothing reaches the service: whatever is begun stays on its way.
  await page.context().route('**/uploads**', (route) => route.abort())

  await page.goto(url('/panel/new/record'))
  await expect(page.getByText('The light is good.')).toBeVisible()
  await page.getByRole('button', { name: /the script|Add a script/ }).click()
  const sheet = page.getByRole('dialog', { name: 'What you will say' })
  await sheet.getByRole('textbox', { name: /^Script/ }).fill('I am [name], NMLS [number].')
  await sheet.getByLabel('NMLS number').fill('123456')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect.poll(async () => countOf(await keptBy(page), 'takes/takes')).toBe(1)
  await expect.poll(async () => (await keptBy(page)).some(isFilm)).toBe(true)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Use this take' }).click()
  await fileField(page).setInputFiles(await clip('take'))
  await expect.poll(async () => countOf(await keptBy(page), 'uploads/files')).toBe(1)

  // Another tab of the same person, which has the take in hand, too.
  const other = await page.context().newPage()
  await other.goto(url('/panel/new'))
  await expect(other.getByText(/^Take of /)).toBeVisible()

  // What a journey of its own would be needed for, as the source writes it; and all of it once more for somebody else.
  for (const tab of [page, other]) await tab.evaluate(seed, [id, 'somebody-else'])
  const before = await expectDeclared(page, 'a browser that was used')
  const forgotten = browserStores.filter(({ atSignOut }) => atSignOut === 'forgotten').map(nameOf)
  // A browser that has files for takes keeps them in no table.
  expect(forgotten.filter((name) => !before.some((one) => nameOf(storeOf(one)!) === name && one.rows !== 0))).toEqual([
    'indexedDB takes/parts',
  ])

  await page
    .getByRole('button', { name: /^Your account/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Logout', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toContainText('nobody can bring it back')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/login/)
    // Also the note of what is still to be forgotten is gone then.
    const leftOf = async () =>
      (await expectDeclared(tab, 'a browser that was left')).filter(({ name }) => name.includes(id)).map(nameOf)
    await expect.poll(leftOf).toEqual([`localStorage edit:${id}:p:1`])
    const after = await keptBy(tab)
    expect(after.filter(isFilm)).toEqual([])
    for (const table of ['takes/takes', 'takes/parts', 'shared/files']) expect(countOf(after, table), table).toBe(0)
    // Somebody else's, whose session merely ended, wait for them.
    for (const table of ['uploads/files', 'edit-steps/steps']) expect(countOf(after, table), table).toBe(1)
    expect(after.map(nameOf)).toEqual(
      expect.arrayContaining([
        'localStorage draft somebody-else',
        'localStorage blanks somebody-else',
        'localStorage tus::upload|somebody-else||b.mp4|1|1::7',
        'sessionStorage written somebody-else script new',
      ]),
    )
    const ofTheSession = ['code-sent', 'ways-after-reset', 'oauth-flow', 'oauth-return', 'recorder-person']
    expect(after.filter(({ name }) => ofTheSession.includes(name)).map(nameOf)).toEqual([])
  }
  await browser.close()
})

test('things that could not be forgotten when somebody left are forgotten by the next page', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  // A worker would bring the page's files from its own store.
  const page = await signIn(browser, 'officer', { viewport, serviceWorkers: 'block' })
  const { id } = await (await callAs('officer'))(accounts.info, {})
  await page.goto(url('/panel/new'))
  await page.getByLabel('Title').fill('Not sent')
  await expect.poll(async () => (await keptBy(page)).map(nameOf)).toContain(`localStorage draft ${id}`)
  // The page that should forget it is cut off.
  await page.route('**/assets/forget-*.js', (route) => route.abort())
  await logOut(page)
  expect((await keptBy(page)).map(nameOf)).toEqual(
    expect.arrayContaining([`localStorage draft ${id}`, `localStorage forget ${id}`]),
  )
  await page.unroute('**/assets/forget-*.js')
  await page.goto(url('/panel'))
  await expect.poll(async () => (await keptBy(page)).filter(({ name }) => name.includes(id)).map(nameOf)).toEqual([])
  await page.context().close()
})

const nameOf = (one: { in: string; name: string }): string => `${one.in} ${one.name}`
const countOf = (all: readonly Kept[], table: string): number => all.find(({ name }) => name === table)?.rows ?? 0
const isFilm = (one: Kept): boolean => one.in === 'files' && !['takes/probe', 'takes/reserve'].includes(one.name)

/** In the browser: what these people would leave in the stores that this journey does not come by. */
const seed = async ([own, other]: string[]): Promise<void> => {
  const put = (database: string, table: string, rows: [unknown, string?][], options?: IDBObjectStoreParameters) =>
    new Promise<void>((resolve, reject) => {
      const asked = indexedDB.open(database, 1)
      asked.onupgradeneeded = () => asked.result.createObjectStore(table, options)
      asked.onerror = () => reject(asked.error)
      asked.onsuccess = () => {
        const writes = asked.result.transaction(table, 'readwrite')
        for (const [row, key] of rows) writes.objectStore(table).put(row, key)
        writes.oncomplete = () => {
          asked.result.close()
          resolve()
        }
      }
    })
  const people = [own!, other!]
  await put(
    'edit-steps',
    'steps',
    people.map((person) => [{ at: Date.now() }, `${person}:p:1`]),
  )
  await put('uploads', 'files', [[{ key: 'of-other', userId: other, file: new File(['1'], 'b.mp4') }]], {
    keyPath: 'key',
  })
  await put('shared', 'files', [[{ key: 'shared', file: new File(['1'], 'c.mp4') }]], { keyPath: 'key' })
  for (const person of people) {
    localStorage.setItem(`draft ${person}`, localStorage.getItem(`draft ${own}`) ?? '{}')
    localStorage.setItem(`draft ${person} for somebody`, '{}')
    localStorage.setItem(`blanks ${person}`, '{}')
    localStorage.setItem(`tus::upload|${person}||b.mp4|1|1::7`, '{}')
    localStorage.setItem(`edit:${person}:p:1`, '{}')
    sessionStorage.setItem(`written ${person} script new`, '{}')
  }
  localStorage.setItem('session-asking', 'x')
  localStorage.setItem('brand', '{}')
  for (const key of ['code-sent', 'ways-after-reset', 'oauth-flow', 'oauth-return']) sessionStorage.setItem(key, '{}')
}
