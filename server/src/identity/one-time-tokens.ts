import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../db/tenant.ts'
import { addOneTimeToken, redeemOneTimeToken } from './store.ts'

/** What a single-use token is good for, and for how many minutes. A token of one purpose is worthless for another. */
export const purposes = { 'sign-in': { minutes: 5 } } as const satisfies Record<string, { minutes: number }>
export type Purpose = keyof typeof purposes

/** A new token for this person and purpose. Only its hash is kept. */
export const issueOneTimeToken = async (tx: Tx, purpose: Purpose, personId: string): Promise<string> => {
  const token = newSecret()
  await addOneTimeToken(tx, hashOf(token), purpose, personId, purposes[purpose].minutes)
  return token
}

/** Whose token this is; null when it is none of ours, has ended, was used, or was made for something else. */
export const redeem = async (tx: Tx, purpose: Purpose, token: string): Promise<string | null> =>
  (await redeemOneTimeToken(tx, hashOf(token), purpose))?.person_id ?? null

/** 256 random bits in letters that a cookie and an address may hold. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** How a secret of ours stands in the database: it has 256 bits already, so one plain hash is enough. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
