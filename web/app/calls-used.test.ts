import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyCall } from '@clear-to-post/contract/api'
import { expect, test } from 'vitest'

/** Calls that no page makes by their name in the contract, and why. */
const unused: Record<string, string> = {
  'accounts.bound': 'the profile reads what is connected with the other ways to sign in',
  'accounts.login': 'the sign-in page asks the identity service; this is the door of other programs',
  'accounts.validateCode': 'each form sends its code with what it is for',
  'assets.note': 'the spool sends without the panel: web/app/spool/send-take.ts asks it by its path',
  'identity.keys': 'for services that check our tokens',
  'notifications.push': 'triggers tell people; no page writes to some of them at once yet',
  'projects.history': 'the board and the lists filter by officer',
  'subscriptions.publicProduct': 'the public page shows all of them',
  'tracking.contact': 'the public page is no app: web/app/site/home.ts sends it',
  'tracking.send': 'nothing is tracked unless it is set up',
  'tracking.version': 'for programs on a phone',
}

test('every call is used by the panel or the public pages, or it is said why not', () => {
  const code = globSync(join(import.meta.dirname, '**/*.{ts,tsx}'), { exclude: (path) => path.endsWith('.test.ts') })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const isUsed = (name: string) => new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(code)
  expect(everyCall.map(({ name }) => name).filter((name) => !isUsed(name) && unused[name] === undefined)).toEqual([])
  expect(Object.keys(unused).filter((name) => isUsed(name) || !everyCall.some((one) => one.name === name))).toEqual([])
})
