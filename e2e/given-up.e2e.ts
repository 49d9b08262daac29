import { expect, test } from '@playwright/test'
import { expectClean, expectNoSidewaysScroll } from './axe.ts'
import { behindItsBack } from './database.ts'
import { expectFocusKept } from './focus.ts'
import { signIn, url } from './people.ts'

/** A job that used up its tries, as the queue leaves it. Its kind has no work to do for what it names. */
const giveUp = (why: string) =>
  behindItsBack(
    `insert into pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count, source_output)
     select 'dead', json_build_object('tenantId', t.id), 'seats', gen_random_uuid(), now() - interval '1 hour', 13,
       json_build_object('message', $1::text)
     from (select id from tenant order by created_at limit 1) t`,
    [why],
  )

test('the service’s ADMIN sends a job that was given up again by keyboard and lets another one rest', async ({
  browser,
  viewport,
}, info) => {
  const mark = `${info.project.name} ${Date.now().toString(36)}`
  await giveUp(`first of ${mark}: 502 from https://pay.example/v1/items?key=secret`)
  await giveUp(`second of ${mark}`)
  const admin = await signIn(browser, 'admin', { viewport })
  // Wherever they are, the navigation says that something waits for them.
  await admin.goto(url('/panel/board'))
  if (viewport!.width > 700)
    await expect(admin.getByRole('link', { name: /^Audit log.*\d+ jobs were given up$/ })).toBeVisible()
  else {
    await admin.getByRole('button', { name: 'More', exact: true }).press('Enter')
    await expect(admin.getByRole('menuitem', { name: /^Audit log \(\d+ given up\)$/ })).toBeVisible()
    await admin.keyboard.press('Escape')
  }
  await admin.goto(url('/panel/audit'))
  await admin.getByRole('link', { name: /^Jobs given up \(\d+\)$/ }).press('Enter')
  await expect(admin.getByRole('heading', { name: 'Jobs given up' })).toBeVisible()
  // A table on a desktop, cards on a phone.
  const row = (words: string) =>
    viewport!.width > 700
      ? admin.getByRole('row').filter({ hasText: words })
      : admin.getByRole('listitem').filter({ hasText: words })
  await expect(row(`first of ${mark}`)).toContainText('502 from https://pay.example/…')
  await expect(row(`first of ${mark}`)).toContainText('Payment for seats')
  await expect(row(`first of ${mark}`)).toContainText('14')
  await expectClean(admin, 'jobs given up')
  await expectNoSidewaysScroll(admin, 'jobs given up')
  await admin.screenshot({ path: info.outputPath('given-up.png') })

  await row(`first of ${mark}`)
    .getByRole('button', { name: /^Actions for “Payment for seats”/ })
    .press('Enter')
  await admin.getByRole('menuitem', { name: 'Send again' }).press('Enter')
  await expect(admin.getByText('Sent again').first()).toBeVisible()
  await expect(row(`first of ${mark}`)).toHaveCount(0)
  await expectFocusKept(admin, 'a job that was sent again')

  await row(`second of ${mark}`)
    .getByRole('button', { name: /^Actions for “Payment for seats”/ })
    .press('Enter')
  await admin.getByRole('menuitem', { name: 'Let it rest' }).press('Enter')
  await expectClean(admin, 'the question before a job rests')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Let it rest' }).press('Enter')
  await expect(row(`second of ${mark}`)).toHaveCount(0)

  await admin.goto(url('/panel/audit?kind=job'))
  for (const act of ['let rest', 'sent again'])
    await expect(admin.getByText(act).filter({ visible: true }).first()).toBeVisible()
  await admin.screenshot({ path: info.outputPath('audit.png') })
  await admin.context().close()
})
