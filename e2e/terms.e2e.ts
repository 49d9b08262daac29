import { expect, test } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { client } from '@clear-to-post/contract/client'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { signInAs, url } from './people.ts'
import { atOneScreen } from './screens.ts'

test('a new day of the terms is asked about once, by keyboard, before anything else of the panel', async ({
  browser,
  viewport,
}) => {
  atOneScreen('phone')
  const [email, password] = [`terms-${Date.now().toString(36)}@new.test`, 'kettle-drum-41']
  await client({ origin: url('') })(accounts.create, {
    body: { email, name: 'An officer', password, passwordConfirmation: password },
  })
  const page = await signInAs(browser, email, password, { viewport })
  // Whoever opened an account has agreed to the words of that day.
  await page.goto(url('/panel'))
  await expect(page.getByRole('heading', { name: 'Before you go on' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  const older = `update consent set version = '2020-01-01' where document = 'terms'
    and person_id = (select id from person where email = $1)`
  expect(await behindItsBack(older, [email])).toBe(1)
  await page.goto(url('/panel/scripts'))
  await expect(page.getByRole('heading', { name: 'Before you go on' })).toBeFocused()
  await expect(page.getByRole('link', { name: /^Privacy notice/ })).toHaveCount(0)
  await expectClean(page, 'new terms')
  await expectNoSidewaysScroll(page, 'new terms')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: /^Terms of use/ })).toBeFocused()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Enter')
  const terms = await opened
  await expect(terms.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible()
  await terms.close()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // It goes on where it was held up, and is not asked again.
  await expect(page.getByRole('heading', { name: 'Scripts', level: 1 })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Scripts', level: 1 })).toBeVisible()
  await page.context().close()
})
