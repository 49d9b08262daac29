import { expect, test, type Page } from '@playwright/test'
import { feedback } from '@clear-to-post/contract/feedback'
import { publishing } from '@clear-to-post/contract/publishing'
import { expectClean } from './axe.ts'
import { callAs, signIn, url } from './people.ts'
import { atOneScreen } from './screens.ts'

/** Presses the way back of the message that says so. */
const undo = (page: Page, words: string) =>
  page.locator('[data-sonner-toast]').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click()

test('saved criteria, company settings and slots are taken back by the message that says they were saved', async ({
  browser,
  viewport,
}) => {
  atOneScreen('desktop')
  const admin = await signIn(browser, 'admin', { viewport })
  const api = await callAs('admin')
  const labels = async () => (await api(feedback.criteria, {})).criteria.map(({ label }) => label)
  const before = await labels()
  await admin.goto(url('/panel/criteria'))
  await admin.getByRole('textbox', { name: 'Name of criterion 1' }).fill('Tempo')
  await admin.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect.poll(labels).toEqual(['Tempo', ...before.slice(1)])
  await expectClean(admin, 'criteria that were saved')
  await undo(admin, 'Saved. QA scores by these criteria from now on')
  await expect.poll(labels).toEqual(before)
  await expect(admin.getByRole('textbox', { name: 'Name of criterion 1' })).toHaveValue(before[0]!)

  await admin.goto(url('/panel/tenants'))
  await admin.getByRole('link', { name: 'Juniper Home Loans (demo)' }).click()
  const link = admin.getByRole('textbox', { name: 'Brand guidelines' })
  await link.fill('https://juniper.test/brand')
  await admin.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await undo(admin, 'Saved')
  await expect(link).toHaveValue('')
  await admin.context().close()

  const officer = await callAs('officer')
  const slots = async () => (await officer(publishing.slots, {})).items
  await officer(publishing.setSlots, { body: { items: [{ weekday: 3, time: '10:00' }] } })
  const page = await signIn(browser, 'officer', { viewport })
  await page.goto(url('/panel/calendar'))
  await page.getByRole('button', { name: 'Slots' }).click()
  await page.getByRole('dialog').getByLabel('Time of slot 1').fill('11:00')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter')
  await expect.poll(slots).toEqual([{ weekday: 3, time: '11:00' }])
  await undo(page, 'Slots saved')
  await expect.poll(slots).toEqual([{ weekday: 3, time: '10:00' }])
  await officer(publishing.setSlots, { body: { items: [] } })
  await page.context().close()
})
