import { sql, type Tx } from '../kernel/database.ts'
import { isInReach } from '../kernel/notice-reach.ts'
import type { MailedNotice } from './templates.ts'

export type MailRow = {
  id: string
  recipient: string
  template: string
  data: unknown
  state: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown' | 'dropped'
  is_useless: boolean
  is_forgotten: boolean
}

/** False when a mail of this key was written before. */
export const addMail = async (
  tx: Tx,
  m: {
    id: string
    key: string
    to: string
    template: string
    data: unknown
    uselessAt: Date | null
    isForgotten: boolean
  },
): Promise<boolean> =>
  (await tx.count(sql`
    insert into mail (id, key, recipient, template, data, useless_at, is_forgotten)
    values (${m.id}, ${m.key}, ${m.to}, ${m.template}, ${JSON.stringify(m.data)}, ${m.uselessAt}, ${m.isForgotten})
    on conflict (key) do nothing`)) === 1

/** The ids of those mails that were not written before. */
export const addMails = async (
  tx: Tx,
  mails: readonly { id: string; key: string; to: string; template: string; data: unknown }[],
): Promise<string[]> => {
  const added = await tx.rows(sql<{ id: string }>`
    insert into mail (id, key, recipient, template, data)
    select m.id, m.key, m.recipient, m.template, m.data
    from unnest(${mails.map(({ id }) => id)}::uuid[], ${mails.map(({ key }) => key)}::text[],
      ${mails.map(({ to }) => to)}::text[], ${mails.map(({ template }) => template)}::text[],
      ${mails.map(({ data }) => JSON.stringify(data))}::jsonb[]) as m (id, key, recipient, template, data)
    on conflict (key) do nothing returning id`)
  return added.map(({ id }) => id)
}

/** How many mails were written to an address within a day whose key begins so, with a kind or a kind and a doer (`countedOf`). */
export const mailedLately = (tx: Tx, asked: readonly { counted: string; to: string }[]) =>
  tx.rows(sql<{ counted: string; to: string; n: number }>`
    select a.counted, a.recipient as "to", count(*)::integer as n
    from (select distinct * from unnest(${asked.map(({ counted }) => counted)}::text[], ${asked.map(({ to }) => to)}::text[]) u (counted, recipient)) a
      join mail m on m.recipient = a.recipient and m.created_at > now() - interval '1 day'
        and a.counted in (substring(m.key from '^[^: ]+'), substring(m.key from '^[^: ]+:[^: ]+'))
    group by 1, 2`)

export const findMail = (tx: Tx, id: string) =>
  tx.first(sql<MailRow>`
    select id, recipient, template, data, state, coalesce(useless_at < clock_timestamp(), false) as is_useless, is_forgotten
    from mail where id = ${id}`)

/** Of what somebody was told, that which was neither read nor withdrawn nor unsubscribed from since, oldest first. */
export const unreadNotices = (tx: Tx, ids: readonly string[]) =>
  tx.rows(sql<MailedNotice>`
    select n.kind, n.title, n.body, n.cta from notification n
    where n.id = any(${ids as string[]}::uuid[]) and n.opened_at is null and n.status <> 'deleted' and ${isInReach}
      and not exists (
        select from notification_choice c where c.user_id = n.user_id and c.kind = n.kind and c.email = 'never')
    order by n.delivered_at, n.id`)

/** Says of what a mail told that this mail never came; in the panel it stands as before. */
export const markUndelivered = (tx: Tx, ids: readonly string[]) =>
  tx.count(sql`
    update notification set status = 'failed', error = 'The e-mail could not be delivered.'
    where id = any(${ids as string[]}::uuid[]) and status = 'delivered'`)

/** One statement, so that of two who hold the same mail one may end it. */
export const claimMail = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.count(sql`update mail set state = 'sending' where id = ${id} and state = 'waiting'`)) === 1

/** What became of a mail that stood in one of these states; a run that did not claim it says nothing about who did. */
export const settleMail = (
  tx: Tx,
  id: string,
  from: readonly MailRow['state'][],
  state: MailRow['state'],
  error: string | null = null,
) =>
  tx.count(sql`
    update mail set state = ${state}, error = ${error}, settled_at = case when ${state} = 'waiting' then null else now() end
    where id = ${id} and state = any(${from})`)

/** A mail that another run believed sent, and that was not taken, waits again; what was held back for a reason does not. */
export const takeBackMail = async (tx: Tx, id: string, error: string): Promise<boolean> =>
  (await tx.count(sql`
    update mail set state = 'waiting', error = ${error}, settled_at = null
    where id = ${id} and state = 'unknown' and error is null`)) === 1

/** A settled mail that was to leave no address behind. */
export const dropForgotten = (tx: Tx, id: string) =>
  tx.count(sql`delete from mail where id = ${id} and is_forgotten and state not in ('waiting', 'sending')`)

export const dropOldMails = (tx: Tx, before: Date) =>
  tx.count(sql`
    delete from mail where created_at < ${before} or (is_forgotten and coalesce(useless_at, created_at) < now() - interval '1 day')`)
