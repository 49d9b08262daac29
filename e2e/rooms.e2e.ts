import { expect, test, type Browser, type Page } from '@playwright/test'
import { expectClean } from './axe.ts'
import { expectFocusKept } from './focus.ts'
import { codeFor, fileField, picture, signIn, signInAs, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** Each role through the rooms around the videos: profile, people, tenants, scripts, notes, goals. */

test('an officer accepts an invitation, fills the brand kit, changes password and address, and removes the account', async ({
  browser,
  viewport,
}, info) => {
  test.skip(viewport!.width > 600, 'officers live on their phones; pages.e2e.ts looks at desks')
  const tag = `${info.project.name}-${Date.now().toString(36)}`
  const [first, second] = [`nora-${tag}@new.test`, `nora.${tag}@other.test`]
  const passwords = ['first-Harbor-9', 'second-Harbor-9', 'third-Harbor-9'] as const

  const admin = await signIn(browser, 'admin', { viewport, permissions })
  await admin.goto(url('/panel/tenants'))
  const invitation = await copied(admin, /Copy the invitation link of Harbor Point/)
  await admin.context().close()

  const page = await (await browser.newContext({ viewport, permissions })).newPage()
  await page.goto(invitation)
  await expect(page.getByText('Harbor Point Lending')).toBeVisible()
  await expectClean(page, 'the invitation')
  await page.getByLabel('Your name').fill('Nora Vale')
  await page.getByLabel('E-mail').fill(first)
  await page.getByLabel('Password', { exact: true }).fill(passwords[0])
  await page.getByLabel('Password, once more').fill(passwords[0])
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page).toHaveURL(/\/panel/)

  // The address is verified: one small step.
  await page.getByRole('button', { name: 'Confirm now' }).click()
  await expect(page.getByRole('dialog').getByLabel('Code from the e-mail')).toBeFocused()
  await expectClean(page, 'the question whose the address is')
  await page.getByLabel('Code from the e-mail').fill(await codeFor(page.request, first))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Your e-mail address is confirmed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm now' })).toHaveCount(0)

  // Who I am and how my videos look.
  await page.goto(url('/panel/profile'))
  await page.getByLabel('Profession').fill('Mortgage advisor')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  // A list closes when the page moves under it, as when a card above has loaded.
  await expect(async () => {
    await zone.fill('')
    await zone.fill('Pacific')
    await expect(page.getByRole('option').first()).toHaveText(/Pacific Time/, { timeout: 5000 })
  }).toPass()
  // By key: a list that opens upwards would still be finding its place under a pointer.
  await zone.press('ArrowDown')
  await zone.press('Enter')
  await expect(zone).toHaveValue(/Pacific Time/)
  await page.getByRole('form', { name: 'You' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const photo = page.getByRole('group', { name: 'Photo' })
  await fileField(photo).setInputFiles(await picture('photo'))
  await expect(photo.getByRole('button', { name: 'Change' })).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => loaded(photo.locator('img'))).toBe(true)
  const kit = page.getByRole('form', { name: 'Brand kit' })
  await fileField(kit.getByRole('group', { name: 'Logo' })).setInputFiles(await picture('logo'))
  await expect(kit.getByRole('group', { name: 'Logo' }).getByRole('button', { name: 'Change' })).toBeVisible({
    timeout: 60_000,
  })
  await kit.getByRole('textbox', { name: /^First color/ }).fill('#797979')
  await expect(kit.getByText(/No letters read well on this color/)).toBeVisible()
  await kit.getByRole('textbox', { name: /^First color/ }).fill('#ffc400')
  await expect(kit.getByText(/Reads well in captions/)).toBeVisible()
  await kit.getByLabel('Instagram profile').fill('instagram.com/nora')
  await kit.getByText('Ask me about finished videos').click()
  await kit.getByRole('button', { name: 'Save' }).click()
  await expect(kit.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Profession')).toHaveValue('Mortgage advisor')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue(/Pacific Time/)
  await expect(kit.getByRole('textbox', { name: /^First color/ })).toHaveValue('#ffc400')
  await expect(kit.getByLabel('Instagram profile')).toHaveValue('https://instagram.com/nora')
  await expect(kit.getByRole('switch', { name: /Ask me/ })).not.toBeChecked()
  await expect.poll(() => loaded(photo.locator('img'))).toBe(true)
  // Pictures are not listed as unsubmitted videos.
  const waiting = page.waitForResponse(/\/assets\/unused\/list/)
  await page.goto(url('/panel/new'))
  await (await waiting).finished()
  await expect(page.getByRole('button', { name: 'Submit', exact: true })).toBeVisible()
  await expect(page.getByText('photo.jpg')).toHaveCount(0)

  // Another device.
  await page.goto(url('/panel/profile'))
  await page.getByRole('button', { name: 'Show the code' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expectClean(page, 'the hand-over')
  const link = await copied(page, 'Copy as a link')
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await phone.goto(link)
  await phone.getByRole('button', { name: 'Sign in on this device' }).click()
  await expect(phone).toHaveURL(/\/panel\/new$/)
  await expect(page.getByText('The other device is signed in, until you log out here.')).toBeVisible()
  const late = await (await browser.newContext()).newPage()
  await late.goto(link)
  await late.getByRole('button', { name: 'Sign in on this device' }).click()
  await expect(late.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await late.context().close()
  // A handed-over session is no fresh sign-in: a secret asks for the password in place, then continues.
  await phone.goto(url('/panel/profile'))
  await phone.getByRole('button', { name: 'Make a calendar link' }).click()
  const isItYou = phone.getByRole('dialog', { name: 'Is it you?' })
  await expect(isItYou.getByLabel('Password', { exact: true })).toBeFocused()
  await expectClean(phone, 'the question whether it is still they')
  await phone.keyboard.type('not-the-password')
  await phone.keyboard.press('Enter')
  await expect(isItYou.getByText('This password is not right.')).toBeVisible()
  await phone.getByRole('button', { name: 'Cancel' }).click()
  await expect(isItYou).toHaveCount(0)
  await phone.getByRole('button', { name: 'Make a calendar link' }).click()
  await isItYou.getByLabel('Password', { exact: true }).fill(passwords[0])
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('button', { name: 'Copy the link' })).toBeVisible()
  await expect(isItYou).toHaveCount(0)
  // The link is shown once; afterwards a new one is made, without the password while it is fresh.
  await phone.reload()
  await expect(phone.getByText('You have a link. It was shown when you made it.')).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Copy the link' })).toHaveCount(0)
  await expectClean(phone, 'a calendar link that is shown no more')
  await phone.getByRole('button', { name: 'Make a new link' }).click()
  await phone.getByRole('alertdialog').getByRole('button', { name: 'Make a new link' }).click()
  await isItYou.getByLabel('Password', { exact: true }).fill(passwords[0])
  await phone.keyboard.press('Enter')
  await expect(phone.getByRole('button', { name: 'Copy the link' })).toBeVisible()

  // A script of one's own, and into a video with it.
  await page.goto(url('/panel/scripts'))
  await page.getByRole('button', { name: 'Write a script' }).click()
  await expectClean(page, 'a script to write')
  await page.getByLabel('Title').fill('Points in plain words')
  await page.getByLabel('What you say').fill('A point is one percent of the loan. I am [name].')
  await page.getByLabel('Tags').first().fill('points,')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('searchbox', { name: 'Search scripts' }).fill('one percent')
  await page.getByRole('link', { name: 'Points in plain words' }).click()
  await expect(page.getByRole('heading', { name: 'Points in plain words' })).toBeVisible()
  await page.getByRole('button', { name: 'Use this script' }).locator('visible=true').click()
  await expect(page.getByLabel('Title')).toHaveValue('Points in plain words')
  await expect(page.getByLabel('Script, or words')).toHaveValue(/one percent of the loan/)

  // A new password, which ends the phone's session and keeps this one.
  await page.goto(url('/panel/profile'))
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send the code' }).click()
  await page.getByLabel('Code from the e-mail').fill(await codeFor(page.request, first))
  await page.getByLabel('New password').fill(passwords[1])
  await page.getByLabel('Password, once more').fill(passwords[1])
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password is changed')).toBeVisible()
  await expect(page.getByText('Your calendar link has ended.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make a calendar link' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Profile and brand kit' })).toBeVisible()
  await phone.reload()
  await expect(phone).toHaveURL(/\/login/)
  await phone.context().close()

  // A new address.
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await page.getByLabel('New e-mail address').fill(second)
  await page.getByRole('dialog').getByRole('button', { name: 'Send the code' }).click()
  await page.getByLabel('Code from the e-mail').fill('000000')
  await page.getByRole('dialog').getByRole('button', { name: 'Change e-mail' }).click()
  await expect(page.getByText(/The code is wrong/)).toBeVisible()
  await page.getByLabel('Code from the e-mail').fill(await codeFor(page.request, second))
  await page.getByRole('dialog').getByRole('button', { name: 'Change e-mail' }).click()
  await expect(page.getByText(second).first()).toBeVisible()

  // Out everywhere, and a forgotten password.
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail').fill(second)
  await page.getByRole('button', { name: 'Send the code' }).click()
  // Reading the mail can reload the page.
  await expect(page.getByLabel('Code from the e-mail')).toBeVisible()
  await page.reload()
  await page.getByLabel('Code from the e-mail').fill(await codeFor(page.request, second))
  await page.getByLabel('New password').fill(passwords[2])
  await page.getByLabel('Password, once more').fill(passwords[2])
  await page.getByRole('button', { name: 'Set the new password' }).click()
  await expect(page).toHaveURL(/\/panel/)

  // Gone for good.
  await page.goto(url('/panel/profile'))
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Delete my account' })
  await expect(sure).toBeDisabled()
  await page.getByLabel('Your e-mail address').fill(second)
  await sure.click()
  await expect(page.getByText(/^Receipt R-\w{8}/)).toBeVisible()
  await expectClean(page, 'the receipt of a deleted account')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('E-mail').fill(second)
  await page.getByLabel('Password', { exact: true }).fill(passwords[2])
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Invalid Email or Password')).toBeVisible()
  await page.context().close()
})

test('staff write notes about an officer, who never sees them', async ({ browser, viewport }) => {
  test.skip(viewport!.width > 600, 'the same at every width')
  const title = `Likes fast cuts, ${Date.now().toString(36)}`
  const qa = await signIn(browser, 'qa', { viewport })
  const project = await anyProject(qa)
  await qa.goto(url(`${project}?tab=notes`))
  await qa.getByRole('button', { name: 'Write a note' }).click()
  await qa.getByLabel('Title').fill(title)
  await qa.getByRole('textbox', { name: /^Note/ }).fill('Never cut the last smile.')
  await expectClean(qa, 'a note to write')
  await qa.getByRole('button', { name: 'Save' }).click()
  await expect(qa.getByRole('heading', { name: title })).toBeVisible()

  await qa.getByRole('button', { name: `Actions for ${title}` }).click()
  await qa.getByRole('menuitem', { name: 'Change' }).click()
  await qa.getByRole('textbox', { name: /^Note/ }).fill('Never cut the last smile. Says NMLS as letters.')
  await qa.getByRole('button', { name: 'Save' }).click()
  await expect(qa.getByText('Says NMLS as letters.')).toBeVisible()
  await qa.getByText('History: 2 entries').click()
  await expect(qa.getByText('Written', { exact: true })).toBeVisible()
  await expectClean(qa, 'notes with their history')

  const admin = await signIn(browser, 'admin', { viewport })
  await admin.goto(url(`${project}?tab=notes`))
  await expect(admin.getByRole('heading', { name: title })).toBeVisible()
  const officer = await signIn(browser, 'officer', { viewport })
  await officer.goto(url(`${project}?tab=notes`))
  await expect(officer.getByRole('tab', { name: 'Brief' })).toBeVisible()
  await expect(officer.getByRole('tab', { name: 'Notes' })).toHaveCount(0)
  await expect(officer.getByText(title)).toHaveCount(0)

  await admin.getByRole('button', { name: `Actions for ${title}` }).click()
  await admin.getByRole('menuitem', { name: 'Delete' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByRole('heading', { name: title })).toHaveCount(0)
  await admin.getByText('Deleted notes').click()
  await expect(admin.getByRole('heading', { name: title })).toBeVisible()
  await expectClean(admin, 'notes that were deleted')
  for (const page of [qa, admin, officer]) await page.context().close()
})

test('QA and editors read people and scripts, and have a profile without a brand kit', async ({
  browser,
  viewport,
}) => {
  test.skip(viewport!.width > 600, 'the same at every width')
  const qa = await signIn(browser, 'qa', { viewport })
  await qa.goto(url('/panel/people'))
  await qa.getByRole('searchbox', { name: 'Name or e-mail' }).fill('Olivia')
  await expect(qa).toHaveURL(/q=Olivia/)
  await expect(qa.getByText('officer@demo.test').locator('visible=true')).toBeVisible()
  await expect(qa.getByText('editor@demo.test').locator('visible=true')).toHaveCount(0)
  await expect(qa.getByRole('button', { name: /^Change / })).toHaveCount(0)
  await qa.context().close()

  const editor = await signIn(browser, 'editor', { viewport })
  await editor.goto(url('/panel/scripts'))
  await editor.getByRole('link', { name: 'Prequalified or preapproved?' }).click()
  await expect(editor.getByText('Two words that sound the same')).toBeVisible()
  await expect(editor.getByRole('button', { name: 'Use this script' })).toHaveCount(0)
  await editor.goto(url('/panel/profile'))
  await expect(editor.getByRole('heading', { name: 'Profile', exact: true })).toBeVisible()
  await expect(editor.getByRole('form', { name: 'Brand kit' })).toHaveCount(0)
  await editor.context().close()
})

test('an officer who signed up without a company joins one by its code in the profile', async ({
  browser,
  viewport,
}, info) => {
  atOneScreen('phone')
  const tag = `${info.project.name}-${Date.now().toString(36)}`
  const admin = await signIn(browser, 'admin', { viewport, permissions })
  await admin.goto(url('/panel/tenants'))
  const invitation = await copied(admin, /Copy the invitation link of Harbor Point/)
  await admin.context().close()
  const email = `late-${tag}@new.test`
  const page = await signUp(browser, viewport!, url('/login?mode=sign-up'), email)
  await page.getByRole('button', { name: 'Confirm now' }).click()
  await page.getByLabel('Code from the e-mail').fill(await codeFor(page.request, email))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Your e-mail address is confirmed')).toBeVisible()

  await page.goto(url('/panel/profile'))
  const card = page.getByRole('region', { name: 'Your company' })
  await card.getByRole('button', { name: 'Join' }).click()
  await expect(card.getByText('Write the code that your company sent you.')).toBeVisible()
  await card.getByLabel('Invitation code').fill('NOBODY99')
  await expect(card.getByText('This invitation code is not known.')).toBeVisible()
  await expectClean(page, 'a profile with an unknown code')
  await card.getByLabel('Invitation code').fill(invitation.split(/[/=]/).at(-1)!)
  await expect(card.getByText('Harbor Point Lending')).toBeVisible()
  await expectClean(page, 'a profile with a company’s code')
  await card.getByRole('button', { name: 'Join' }).click()
  await expect(page.getByText('You are in.')).toBeVisible()
  await expect(card).toHaveCount(0)
  await page.context().close()
})

test('an ADMIN sets up a company with colours, people and scripts, and the editors’ goals', async ({
  browser,
  viewport,
}, info) => {
  test.skip(viewport!.width < 600, 'whoever runs a company’s account sits at a desk; pages.e2e.ts looks at phones')
  const tag = `${info.project.name}-${Date.now().toString(36)}`
  const admin = await signIn(browser, 'admin', { viewport, permissions })

  // A company.
  await admin.goto(url('/panel/tenants'))
  await admin.getByRole('link', { name: 'New company' }).click()
  await admin.getByRole('button', { name: 'Create company' }).click()
  await expect(admin.getByText('Write the company’s name.')).toBeVisible()
  await expect(admin.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await admin.getByLabel('Name').fill(`Cedar Mutual ${tag}`)
  await admin.getByRole('textbox', { name: 'Seats' }).fill('1')
  await admin.getByRole('textbox', { name: /^First color/ }).fill('#ffd000')
  await expect(admin.getByText(/Made \d+% darker here/)).toBeVisible()
  await admin.getByRole('button', { name: 'Create company' }).click()
  await expect(admin).toHaveURL(/\/panel\/tenants\/[\da-f-]{36}/)
  const logo = admin.getByRole('group', { name: 'Logo' })
  await fileField(logo).setInputFiles(await picture('logo'))
  await expect(logo.getByRole('button', { name: 'Change' })).toBeVisible({ timeout: 60_000 })
  const guidelines = admin.getByRole('textbox', { name: 'Brand guidelines' })
  await guidelines.fill('nowhere')
  await admin.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(guidelines).toBeFocused()
  await guidelines.fill('https://cedar.test/brand')
  await admin.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(admin.getByRole('button', { name: 'Save', exact: true })).toBeHidden()
  await expectFocusKept(admin, 'a saved company')
  const invitation = await copied(admin, 'Copy invitation link')

  // Its only seat, in its colours and under its logo.
  const email = `cedar-${tag}@new.test`
  const officer = await signUp(browser, viewport!, invitation, email)
  await expect(
    officer.getByRole('link', { name: `Clear to Post for Cedar Mutual ${tag}, home` }).locator('img'),
  ).toBeVisible()
  const primary = () =>
    officer.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand-primary-day'))
  await expect.poll(primary).toContain('#ffd000')
  await officer.reload()
  await expect.poll(primary).toContain('#ffd000')
  // It is taken when the address is confirmed.
  await officer.getByRole('button', { name: 'Confirm now' }).click()
  await officer.getByLabel('Code from the e-mail').fill(await codeFor(officer.request, email))
  await officer.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(officer.getByText('Your e-mail address is confirmed')).toBeVisible()
  const stranger = await (await browser.newContext({ viewport })).newPage()
  await stranger.goto(invitation)
  await expect(stranger.getByText('No seat is left.')).toBeVisible()
  await stranger.context().close()

  // Live: the officer's panel follows a change.
  await admin.getByRole('textbox', { name: /^First color/ }).fill('#0a6b4f')
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Saved', { exact: true })).toBeVisible()
  await officer.reload()
  await expect.poll(primary).toContain('#0a6b4f')

  // The person: bound, disabled, enabled, deleted.
  await admin.goto(url(`/panel/people?q=${encodeURIComponent(email)}`))
  const change = () => admin.getByRole('button', { name: 'Change Cleo Park' }).locator('visible=true')
  await change().click()
  await expectClean(admin, 'a person')
  await choose(admin, 'Preferred editor', 'Eli Brandt')
  // Opened again before the service is heard, it says what was saved.
  await admin.route('**/accounts/people/*/', (route) => route.abort())
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await change().click()
  await expect(admin.getByRole('dialog').getByRole('button', { name: /Preferred editor/ })).toContainText('Eli Brandt')
  await admin.unroute('**/accounts/people/*/')
  await admin.getByRole('button', { name: 'Disable', exact: true }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
  await expect(admin.getByText('Disabled', { exact: true }).locator('visible=true').first()).toBeVisible()
  await officer.reload()
  await expect(officer).toHaveURL(/\/login/)
  await change().click()
  await admin.getByRole('button', { name: 'Enable', exact: true }).click()
  await expect(admin.getByText('Cleo Park is enabled')).toBeVisible()
  await officer.close()
  const back = await signInAs(browser, email, password, { viewport })
  await back.goto(url('/panel'))
  await expect(back.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await back.context().close()
  await change().click()
  await admin.getByRole('button', { name: 'Delete', exact: true }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByText('Nobody matches')).toBeVisible()
  await admin.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(admin.getByText('qa@demo.test').locator('visible=true')).toBeVisible()

  // The library.
  await admin.goto(url('/panel/scripts'))
  await admin.getByRole('button', { name: 'Add a category' }).click()
  await expectClean(admin, 'a category')
  await admin.getByLabel('Name').fill(`Spring ${tag}`)
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByRole('button', { name: `Add a script to Spring ${tag}` }).click()
  await admin.getByLabel('Title').fill(`Open house ${tag}`)
  await admin.getByLabel('What you say').fill('Come and see it on Sunday.')
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByRole('link', { name: `Open house ${tag}` }).click()
  await admin.getByRole('button', { name: 'Actions' }).click()
  await admin.getByRole('menuitem', { name: 'Delete' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(admin.getByText('The script is deleted')).toBeVisible()
  await admin.getByRole('button', { name: `Edit the category Spring ${tag}` }).click()
  await admin.getByText('Shown to officers').click()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('Hidden', { exact: true }).first()).toBeVisible()

  // Goals of a week in which nobody works.
  const week = info.project.name === 'phone' ? 30 : 40
  await admin.goto(url(`/panel/goals?week=2030-W${week}`))
  const target = admin.getByRole('textbox', { name: 'Target of Eli Brandt' })
  await target.fill('12')
  await target.press('Enter')
  await expect(admin.getByText('0 of 12', { exact: true })).toBeVisible()
  await expect(admin.getByLabel('Eli Brandt: 12 this week')).toBeVisible()
  await expect(admin.getByText('usual')).toHaveCount(0)
  await admin.reload()
  await expect(target).toHaveValue('12')
  await admin.getByRole('button', { name: 'The week before' }).click()
  await expect(admin).toHaveURL(new RegExp(`week=2030-W${week - 1}`))
  await admin.context().close()
})

const permissions = ['clipboard-read', 'clipboard-write']
const password = 'cedar-Harbor-2026'

/** What this button writes into the clipboard, some moments after the press; what was in it before is gone. */
const copied = async (page: Page, button: string | RegExp): Promise<string> => {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByRole('button', { name: button }).click()
  const text = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(text).not.toBe('')
  return text()
}

const loaded = (image: ReturnType<Page['locator']>): Promise<boolean> =>
  image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0).catch(() => false)

const signUp = async (
  browser: Browser,
  viewport: { width: number; height: number },
  invitation: string,
  email: string,
) => {
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(invitation)
  await page.getByLabel('Your name').fill('Cleo Park')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password, once more').fill(password)
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page).toHaveURL(/\/panel/)
  return page
}

const choose = async (page: Page, label: string, option: string) => {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(label) })
    .click()
  await page.getByRole('option', { name: option }).click()
}

/** Some project of Olivia Hart's that QA sees. */
const anyProject = async (page: Page): Promise<string> => {
  await page.goto(url('/panel/review'))
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Olivia Hart' }).first()
  const href = await row.locator('a[href*="/panel/projects/"]').first().getAttribute('href')
  return href!.split('?')[0]!
}
