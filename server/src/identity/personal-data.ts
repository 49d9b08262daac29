import type { RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { forgetCredentials, forgetTriesOf } from './actions.ts'
import { dropCodesTo } from './store.ts'

const own = (personId: string) => sql`t.person_id = ${personId}`

export const identityData: RoomData = {
  words: [{ text: 'Your password, passkeys, connected accounts and sessions.' }],
  tables: {
    password: {
      of: own,
      readBy: 'service',
      erased: 'person_id hash changed_at',
      given: 'changed_at',
      withheld: { secret: 'hash', inner: 'person_id' },
    },
    session_family: {
      of: own,
      readBy: 'service',
      erased: 'id person_id created_at ends_at must_end_at revoked_at is_carried carried_from',
      given: 'created_at ends_at must_end_at revoked_at is_carried',
      withheld: { inner: 'id person_id carried_from' },
    },
    refresh_token: {
      of: (personId) => sql`t.family_id in (select id from session_family where person_id = ${personId})`,
      erased: 'hash family_id created_at rotated_at salt asked_by asked_before',
      given: '',
      withheld: { secret: 'hash salt asked_by asked_before', inner: 'family_id created_at rotated_at' },
    },
    one_time_token: {
      of: own,
      readBy: 'service',
      erased:
        'id hash purpose person_id email created_at ends_at tries_left redeemed_at session_ends_at carried_from asked_by guesses',
      given: 'purpose email created_at ends_at redeemed_at',
      withheld: { secret: 'hash', inner: 'id person_id tries_left session_ends_at carried_from asked_by guesses' },
    },
    sign_in_try: {
      of: () => sql`false`,
      erased: 'account tries since ends_at',
      given: '',
      withheld: { inner: 'account tries since ends_at' },
    },
    connected_account: {
      of: own,
      readBy: 'service',
      erased: 'issuer subject person_id provider email connected_at',
      given: 'issuer subject provider email connected_at',
      withheld: { inner: 'person_id' },
    },
    totp: {
      of: own,
      readBy: 'service',
      erased: 'person_id secret last_step created_at confirmed_at',
      given: 'created_at confirmed_at',
      withheld: { secret: 'secret last_step', inner: 'person_id' },
    },
    passkey: {
      of: own,
      readBy: 'service',
      erased: 'id person_id credential public_key counter transports name created_at last_used_at',
      given: 'name transports created_at last_used_at',
      withheld: { secret: 'credential public_key counter', inner: 'id person_id' },
    },
    recovery_code: {
      of: own,
      readBy: 'service',
      erased: 'person_id hash used_at',
      given: 'used_at',
      withheld: { secret: 'hash', inner: 'person_id' },
    },
  },
  erase: async (tx, leaving) => {
    await forgetCredentials(tx, leaving.id)
    await forgetTriesOf(tx, leaving)
    await dropCodesTo(tx, leaving)
  },
}
