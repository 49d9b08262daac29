import { expect, test, type APIRequestContext } from '@playwright/test'
import { tenants } from '@clear-to-post/contract/tenants'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { callAs, fileField, outboxHeaders, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** The link of the newest invitation that was mailed to an address. */
const linkTo = async (request: APIRequestContext, email: string): Promise<string> => {
  let path: string | undefined
  await expect
    .poll(async () => {
      const answer = await request.get(url(`/dev/outbox?to=${encodeURIComponent(email)}`), {
        headers: await outboxHeaders(),
      })
      const { items } = (await answer.json()) as { items: { text: string }[] }
      path = items.map(({ text }) => /\/login\?mode=invited#invited=[\w-]+/.exec(text)?.[0]).find(Boolean)
      return path
    })
    .toBeDefined()
  return url(path!)
}

test('an ADMIN invites several people at once, takes one back, and another comes by the link', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('desktop')
  const tag = `${info.project.name}-${Date.now().toString(36)}`
  const [comes, stays] = [`robin-${tag}@new.test`, `sky-${tag}@new.test`]
  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url('/panel/people'))
  await admin.getByRole('button', { name: 'Invite people' }).click()
  const dialog = admin.getByRole('dialog')
  await fileField(dialog).setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Name,E-mail\r\n"Vale, Robin",${comes}\r\nBo,no-address\r\nSky,${stays}\r\n`),
  })
  await expect(dialog.getByLabel('E-mail addresses')).toHaveValue(`${comes}\n${stays}`)
  await expect(dialog.getByText('1 line left out: no-address')).toBeVisible()
  await dialog.getByLabel('E-mail addresses').fill(`${comes}\nno address\n${stays}`)
  await dialog.getByRole('button', { name: /Role/ }).click()
  await admin.getByRole('option', { name: 'QA' }).click()
  await dialog.getByRole('button', { name: 'Send 3 invitations' }).click()
  await expect(dialog.getByText('One was not sent')).toBeVisible()
  await expect(dialog.getByText('This is no e-mail address.')).toBeVisible()
  await expect(dialog.getByLabel('E-mail addresses')).toHaveValue('no address')
  await expectClean(admin, 'a line that was not sent')
  await dialog.getByRole('link', { name: 'See who is invited' }).click()

  // The list: what is open, one taken back.
  await expect(admin).toHaveURL(/\/panel\/people\/invitations/)
  // The rows of before are dimmed until what was searched is there: their colours are not the page's.
  const searched = admin.waitForResponse((answer) => decodeURIComponent(answer.url()).includes(tag))
  await admin.getByRole('searchbox').fill(tag)
  await searched
  await expect(admin.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(admin.getByText(comes).locator('visible=true')).toBeVisible()
  await expectNoSidewaysScroll(admin, 'invitations')
  await expectClean(admin, 'invitations')
  const actions = admin.getByRole('button', { name: `Actions for ${stays}` }).locator('visible=true')
  await actions.click()
  await admin.getByRole('menuitem', { name: 'Take back' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).click()
  await expect(admin.getByText(`The invitation of ${stays} is taken back`)).toBeVisible()
  await expect(admin.getByText(stays, { exact: true }).locator('visible=true')).toHaveCount(0)

  // Who is invited: name and password, and they are in, as a reviewer.
  const page = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
  await page.goto(await linkTo(page.request, comes))
  await expect(page.getByRole('heading', { name: 'Join Clear to Post' })).toBeVisible()
  expect(page.url()).not.toContain('invited=')
  await expectNoSidewaysScroll(page, 'an invitation')
  await expectClean(page, 'an invitation')
  await page.getByLabel('Your name').fill('Robin Vale')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByLabel('Password, once more').fill('short')
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page.getByText(/Choose a password of at least/)).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('Quiet-harbor-29x')
  await page.getByLabel('Password, once more').fill('Quiet-harbor-29x')
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page).toHaveURL(/\/panel/)
  await page.goto(url('/panel/review'))
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  await page.context().close()

  // A link that was taken back leads nowhere, and says what to do.
  const late = await (await browser.newContext({ viewport })).newPage()
  await late.goto(await linkTo(late.request, stays))
  await expect(late.getByText('This invitation is no longer good.', { exact: false })).toBeVisible()
  await late.context().close()
  await admin.getByRole('button', { name: /Show/ }).first().click()
  await admin.getByRole('option', { name: 'All' }).click()
  await expect(admin.getByText('Accepted', { exact: true }).locator('visible=true')).toBeVisible()
  await admin.context().close()
})

test('a line that was refused for one company waits there with its reason, and not in the form of another', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const { items } = await (await callAs('admin'))(tenants.list, { query: {} })
  const [first, other] = items as [(typeof items)[0], (typeof items)[0]]
  const admin = await signIn(browser, 'admin', { viewport })
  const dialog = admin.getByRole('dialog')
  const addresses = dialog.getByLabel('E-mail addresses')
  const open = async ({ id, name }: { id: string; name: string }) => {
    await admin.goto(url('/panel'))
    await admin.goto(url(`/panel/people/invitations#invite-${id}`))
    await expect(dialog.getByRole('button', { name: /Company/ })).toContainText(name)
  }
  await open(first)
  await addresses.fill('no address')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await expect(dialog.getByText('One was not sent')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await open(other)
  await expect(addresses).toHaveValue('')
  await expect(dialog.getByText('One was not sent')).toHaveCount(0)
  await open(first)
  await expect(addresses).toHaveValue('no address')
  await expect(dialog.getByText('This is no e-mail address.')).toBeVisible()
})
