import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { calendar } from '@clear-to-post/contract/calendar'
import { addressOf } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { createPerson } from '../src/accounts/actions.ts'
import { sql } from '../src/kernel/database.ts'
import { codeFor } from './mails.ts'
import { isLong } from './random.ts'
import { callAs, confirmed, openService, outcome, type Person, type Service } from './service.ts'

/**
 * Whatever ends a person's sessions ends also what is being given out at that very moment: a thief who keeps asking for
 * sessions, tokens and links has none that lives when it is over.
 */
let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

const password = 'kettle-drum-41'
type Thief = { person: Person; email: string }

/** What gives out a session, or something that becomes one or outlives it. */
const issuers: Record<string, (thief: Thief) => Promise<unknown>> = {
  'a token for another device': async ({ person }) => callAs(service, person)(accounts.createToken, {}),
  'a calendar link': async ({ person }) => callAs(service, person)(calendar.renew, {}),
  'a key for programs': async ({ person }) =>
    callAs(service, person)(apiKeys.create, { body: { name: 'A key', scopes: ['videos.read'], days: 7 } }),
  'a sign-in by password': async ({ email }) => callAs(service, null)(identity.password, { body: { email, password } }),
  'a sign-in at the officers’ door': async ({ email }) =>
    callAs(service, null)(accounts.login, { body: { system: 'APP', email, password } }),
  'a renewed session': async ({ person }) => callAs(service, person)(identity.refresh, {}),
}

/** What ends sessions. Whoever still has the password may of course sign in again after a sign-out. */
const enders: Record<string, { by: (thief: Thief) => Promise<() => Promise<unknown>>; besides: string[] }> = {
  'a new password by code': {
    by: async ({ email }) => {
      await callAs(service, null)(accounts.sendCode, { query: { email } })
      const code = await codeFor(service, email)
      const pass = 'other-Kettle-42'
      return () => callAs(service, null)(accounts.changePassword, { body: { email, pass, passConfirm: pass, code } })
    },
    besides: Object.keys(issuers),
  },
  'signing out everywhere': {
    by:
      async ({ person }) =>
      () =>
        callAs(service, person)(identity.signOut, { body: { everywhere: true } }),
    besides: ['a token for another device', 'a calendar link', 'a key for programs', 'a renewed session'],
  },
}

for (const [ender, { by, besides }] of Object.entries(enders))
  for (const issuer of besides)
    test(`${ender} leaves nothing alive of ${issuer} that is asked for at the same moment`, async () => {
      for (let round = 0; round < (isLong ? 20 : 2); round++) {
        const thief = await robbed()
        const end = await by(thief)
        let isOver = false
        const answers = new Map<string, number>()
        const asking = Array.from({ length: 3 }, async () => {
          while (!isOver) {
            const answer = await outcome(issuers[issuer]!(thief))
            answers.set(answer, (answers.get(answer) ?? 0) + 1)
          }
        })
        while (answers.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
        await end()
        isOver = true
        await Promise.all(asking)
        expect(await alive(thief.person.id), JSON.stringify([...answers])).toEqual([])
        expect([...answers.keys()].filter((code) => code.startsWith('service.'))).toEqual([])
      }
    })

/** What outlives its session without giving one out: whose the account is, and which phone rings. */
const changes: Record<string, (thief: Thief) => Promise<() => Promise<unknown>>> = {
  'a change of the address': async ({ person, email }) => {
    const body = { email: `mine-${email}`, code: await codeTo(`mine-${email}`) }
    return () => callAs(service, person)(accounts.changeEmail, { body })
  },
  'a confirmation of the address': async ({ person, email }) => {
    const body = { code: await codeTo(email) }
    return () => callAs(service, person)(accounts.verifyEmail, { body })
  },
  'a phone that rings from now on': async ({ person }) => {
    return () => callAs(service, person)(accounts.update, { body: { fcmToken: 'phone-of-a-thief' } })
  },
}

for (const [change, prepared] of Object.entries(changes))
  test(`${change} that began before the sessions ended is refused`, async () => {
    const thief = await robbed()
    const begin = await prepared(thief)
    const before = await profile(thief.person.id)
    const ending = new pg.Client({ connectionString: service.urls.superuserUrl })
    await ending.connect()
    await ending.query('begin')
    await ending.query('select from person where id = $1 for update', [thief.person.id])
    const answer = outcome(begin())
    await expect.poll(() => waitingForTheRow()).toBeGreaterThan(0)
    await ending.query('update person set security_stamp = security_stamp + 1 where id = $1', [thief.person.id])
    await ending.query('commit')
    await ending.end()
    expect(await answer).toBe('session.ended')
    expect(await profile(thief.person.id)).toEqual(before)
  })

const codeTo = async (email: string): Promise<string> => {
  await callAs(service, null)(accounts.sendCode, { query: { email } })
  return codeFor(service, email)
}

const profile = (id: string) =>
  service.database.asSystem((tx) =>
    tx.first(sql<object>`select email, email_verified_at, fcm_token from person where id = ${id}`),
  )

const waitingForTheRow = async (): Promise<number> => {
  const look = new pg.Client({ connectionString: service.urls.superuserUrl })
  await look.connect()
  const { rows } = await look.query<{ n: number }>(
    `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await look.end()
  return rows[0]!.n
}

let people = 0
/** Somebody whose refresh cookie, fresh ID token and password a thief has, too. */
const robbed = async (): Promise<Thief> => {
  const email = `robbed${++people}@ended.test`
  const { id } = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'A Person', role: 'User', password }),
  )
  const response = await service.app.inject({
    method: 'POST',
    url: addressOf(identity.password),
    payload: { email, password },
  })
  const refreshToken = response.cookies.find(({ name }) => name === 'ctp_refresh')!.value
  const caller = { id, role: 'User' as const, tenantId: null, securityStamp: 1, name: 'A Person', token: '' }
  return { email, person: { ...(await confirmed(service, caller)), refreshToken } }
}

/** Sessions, tokens and links of a person that are good now. */
const alive = async (id: string): Promise<string[]> => {
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ what: string }>`
      select 'session' as what from session_family where person_id = ${id} and revoked_at is null and ends_at > now()
      union all
      select purpose from one_time_token where person_id = ${id} and redeemed_at is null and ends_at > now()
      union all
      select 'calendar link' from calendar_link where person_id = ${id}
      union all
      select 'key' from api_key k join person p on p.id = k.person_id
      where p.id = ${id} and k.security_stamp = p.security_stamp and k.revoked_at is null`),
  )
  return rows.map(({ what }) => what)
}
