import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Tx } from '../kernel/database.ts'
import {
  addOneTimeToken,
  liveHandOver,
  liveOneTimeToken,
  oneTimeSecret,
  redeemOneTimeToken,
  replaceHandOver,
  type HandOverRow,
  type Origin,
} from './store.ts'

/** What a single-use token is good for, and for how many minutes. A token of one purpose is worthless for another. */
export const purposes = {
  'sign-in': { minutes: 5 },
  /** Signs in as well; its owner may look at it again while it is good. */
  'hand-over': { minutes: 5 },
  /** The password was right; a second factor is left to show, or to set up. */
  'second-factor': { minutes: 10 },
  'set-up': { minutes: 15 },
} as const satisfies Record<string, { minutes: number }>
export type Purpose = keyof typeof purposes

/** A new token for this person and purpose. Only its hash is kept. */
export const issueOneTimeToken = async (tx: Tx, purpose: Purpose, personId: string): Promise<string> => {
  const token = newSecret()
  await addOneTimeToken(tx, hashOf(token), purpose, personId, purposes[purpose].minutes)
  return token
}

/** Whose token this is, what for, and where a carried one came from; null when it is none of ours, has ended, was used, or was made for something else. */
export const redeem = async (
  tx: Tx,
  purposes: readonly Purpose[],
  token: string,
): Promise<{ personId: string; purpose: Purpose; origin: Origin } | null> => {
  const row = await redeemOneTimeToken(tx, hashOf(token), purposes)
  if (!row) return null
  return {
    personId: row.person_id,
    purpose: row.purpose as Purpose,
    origin: { familyId: row.carried_from, mustEndAt: row.session_ends_at ?? new Date() },
  }
}

/** Whose token this is, without using it up; null as above. */
export const ownerOf = async (tx: Tx, purpose: Purpose, token: string): Promise<string | null> =>
  (await liveOneTimeToken(tx, hashOf(token), purpose))?.person_id ?? null

/** A token that carries a sign-in to another device, and when it ends. */
export type HandOver = { token: string; endsAt: Date }

/**
 * A new hand-over token of this person's, whose session ends with its origin at the latest; the one before is no good any
 * more. The person is locked (`holdSession`). Runs as the service.
 */
export const issueHandOver = async (tx: Tx, personId: string, origin: Origin): Promise<HandOver> => {
  const secret = await oneTimeSecret(tx)
  const id = randomUUID()
  const { minutes } = purposes['hand-over']
  const row = await replaceHandOver(tx, { id, hash: hashOf(tokenOf(secret, id)), personId, minutes, origin })
  return handOverOf(secret, row)
}

/** The hand-over token that is still good and gives no longer session than that; null when there is none. Runs as the service. */
export const findHandOver = async (tx: Tx, personId: string, { mustEndAt }: Origin): Promise<HandOver | null> => {
  const row = await liveHandOver(tx, personId, mustEndAt)
  return row ? handOverOf(await oneTimeSecret(tx), row) : null
}

/** 256 random bits in letters that a cookie and an address may hold. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The token of a link that is written when its mail goes out, and is the same each time; `what` says which. As the service. */
export const linkToken = async (tx: Tx, what: string): Promise<string> =>
  createHmac('sha256', await oneTimeSecret(tx))
    .update(what)
    .digest('base64url')

/** How a secret of ours stands in the database: it has 256 bits already, so one plain hash is enough. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const handOverOf = (secret: Buffer, { id, ends_at }: HandOverRow): HandOver => ({
  token: tokenOf(secret, id),
  endsAt: ends_at,
})

const tokenOf = (secret: Buffer, id: string): string =>
  createHmac('sha256', secret).update(`hand-over ${id}`).digest('base64url')
