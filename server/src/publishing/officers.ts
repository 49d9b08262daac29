import { refusal } from '@clear-to-post/contract/errors'
import type { Caller, Reader, Tx } from '../kernel/database.ts'
import {
  endPosting,
  heldConnection,
  heldConnections,
  letPost,
  officersOf,
  personOf,
  type ConnectionRow,
} from './connection-store.ts'
import { withdrawFor } from './move.ts'
import { openPostsOf, recallPostsOf } from './store.ts'

/** Officers of a company that are shown beside an account at once; more are found by name or address. */
const mostShown = 100

/** The officers of a company, and which of them post with this account of its. Throws connection.not-found. */
export const officersShown = async (tx: Reader, caller: Caller, connectionId: string, search: string) => {
  if (!(await heldConnections(tx, caller)).some(({ id, tenant_id: of }) => id === connectionId && of !== null))
    throw refusal('connection.not-found')
  const rows = await officersOf(tx, caller, connectionId, search, mostShown)
  return rows.map(({ id, name, email, may_post: posts }) => ({ id, name, email, posts }))
}

/** Lets an officer of the company post with its account. Throws connection.not-found, account.not-found. */
export const letOfficerPost = async (tx: Tx, caller: Caller, connectionId: string, officerId: string, now: Date) => {
  await requireCompanys(tx, caller, connectionId)
  const officer = await personOf(tx, caller, officerId)
  if (!officer?.is_officer) throw refusal('account.not-found')
  await letPost(tx, caller, connectionId, officer.id, now)
  return { id: officer.id, name: officer.name, email: officer.email, posts: true }
}

/**
 * Ends it, at once: what was to be posted there by this officer is withdrawn, and what may be out is not sent again. Throws
 * connection.not-found, account.not-found.
 */
export const stopOfficer = async (tx: Tx, caller: Caller, connectionId: string, officerId: string, now: Date) => {
  const account = await requireCompanys(tx, caller, connectionId)
  const officer = await personOf(tx, caller, officerId)
  if (!officer) throw refusal('account.not-found')
  // Gone before the posts are locked: a run that has one waits for this, or was first and is found armed.
  await endPosting(tx, caller, connectionId, officerId)
  for (const post of await openPostsOf(tx, caller, connectionId, officerId))
    await withdrawFor(
      tx,
      caller,
      post,
      {
        why: 'its company ended the use of the account',
        account: account.name,
        reason: 'your company’s admin lets you post there no more.',
        wayOn:
          'Ask them about it; once they let you again, press “Schedule again” on the video’s page. Or unschedule the video and schedule it with another account.',
      },
      now,
    )
  await recallPostsOf(tx, connectionId, now, officerId)
  return { id: officer.id, name: officer.name, email: officer.email, posts: false }
}

const requireCompanys = async (tx: Tx, caller: Caller, connectionId: string): Promise<ConnectionRow> => {
  const row = await heldConnection(tx, caller, connectionId)
  if (row?.tenant_id == null) throw refusal('connection.not-found')
  return row
}
