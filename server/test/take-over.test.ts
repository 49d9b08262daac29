import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import { identity } from '@clear-to-post/contract/identity'
import { sql } from '../src/kernel/database.ts'
import { personalData } from '../src/personal-data/rooms.ts'
import { codeFor } from './mails.ts'
import { samplesOf } from './samples.ts'
import { openStage } from './stage.ts'
import { callAs, openService, outcome, type Person, type Service } from './service.ts'

/** What stays in an account that its address's owner took over by a code, by table, and why. */
const stays: Record<string, string> = {
  person: 'the account itself, its profile emptied',
  password: 'the owner’s new one',
  session_family: 'the stranger’s have ended',
  refresh_token: 'of sessions that have ended',
  one_time_token: 'of codes that were used',
  mail: 'what was sent to the address, and so to its owner',
  membership: 'the company that the account is in, which its ADMINs alone set',
}

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const signedIn = async (email: string, password: string): Promise<Person> => {
  const session = await callAs(service, null)(identity.password, { body: { email, password } })
  if (!('idToken' in session)) throw new Error('A second factor was asked for.')
  const row = await service.database.asSystem((tx) =>
    tx.first(sql<{ id: string }>`select id from person where email = ${email}`),
  )
  return { id: row!.id, token: session.idToken, name: 'A stranger', role: 'User', tenantId: null, securityStamp: 1 }
}

const rowsOf = async (personId: string): Promise<string[]> => {
  const found: string[] = []
  for (const [, { tables }] of personalData)
    for (const [table, { of }] of Object.entries(tables)) {
      if (unreadable.includes(table)) continue
      const some = await service.database.asSystem((tx) =>
        tx.first(sql`select from ${sql.table(table)} t where ${of(personId)} limit 1`),
      )
      if (some) found.push(table)
    }
  return found
}
/** Tables that the product itself cannot read. */
const unreadable = ['audit_waiting', 'audit_value', 'audit_entry', 'audit_seal']

test('things that a stranger puts into an account go when the address’s owner takes it over, or say why not', async () => {
  const stage = await openStage(service)
  const [email, password, pass] = ['planted@takeover.test', 'kettle-drum-41', 'copper-lantern-77']
  await callAs(service, null)(accounts.create, {
    body: { email, name: 'A stranger', password, passwordConfirmation: password },
  })
  let stranger = await signedIn(email, password)
  const samples = samplesOf(stage)
  // Everything that they can ask, about themselves where a person is named.
  for (const { name, shape } of everyCall) {
    if (shape.access === 'anyone' || shape.method === 'GET' || name === 'accounts.remove') continue
    const { of: _of, ...input } = (samples as Record<string, () => Record<string, unknown>>)[name]!()
    const own = JSON.parse(JSON.stringify(input).replaceAll(stage.officer.id, stranger.id)) as never
    const asked = await outcome(callAs(service, stranger)(shape, own))
    // Some end their session.
    if (asked.startsWith('session.')) stranger = await signedIn(email, password)
  }
  const planted = await rowsOf(stranger.id)
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  await callAs(service, null)(accounts.changePassword, {
    body: { email, pass, passConfirm: pass, code: await codeFor(service, email) },
  })
  const left = await rowsOf(stranger.id)
  expect(planted).toEqual(expect.arrayContaining(['consent', 'script', 'notification_choice']))
  expect(left.filter((table) => !(table in stays))).toEqual([])
  expect(Object.keys(stays).filter((table) => !left.includes(table))).toEqual([])
})
