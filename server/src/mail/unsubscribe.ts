import { createHmac, timingSafeEqual } from 'node:crypto'
import { kindNames, kinds, type Kind } from '@clear-to-post/domain/audiences'
import { sql, type Tx } from '../kernel/database.ts'

/** Whose e-mails of which kinds a link ends. */
export type Unsubscription = { userId: string; kinds: Kind[] }

/**
 * The path of a link that ends e-mails of some kinds for one person, without a sign-in (RFC 8058). Signed, so that nobody
 * makes one for somebody else; it works for as long as the mail is kept. The token is a query, which no log keeps.
 */
export const unsubscribePath = async (tx: Tx, { userId, kinds }: Unsubscription): Promise<string> => {
  const said = `${userId}.${kinds.join('-')}`
  return `/unsubscribe?token=${said}.${signature(await secret(tx), said)}`
}

/** What a link ends; null when it is not ours, or its person is gone. */
export const readUnsubscription = async (tx: Tx, token: string): Promise<Unsubscription | null> => {
  const [, userId, names, signed] = /^([0-9a-f-]{36})\.([a-z-]{1,100})\.([\w-]{22})$/.exec(token) ?? []
  if (!userId || !names || !signed) return null
  const right = Buffer.from(signature(await secret(tx), `${userId}.${names}`))
  if (!timingSafeEqual(right, Buffer.from(signed))) return null
  const found = await tx.first(sql`select 1 from person where id = ${userId} and removed_at is null`)
  const named = kindNames.filter((kind) => names.split('-').includes(kind))
  return found && named.length > 0 ? { userId, kinds: named } : null
}

/** Ends e-mails of these kinds for a person; how else they are told stays as it is. Safe to repeat. */
export const unsubscribe = async (tx: Tx, { userId, kinds: ended }: Unsubscription, now: Date): Promise<void> => {
  for (const kind of ended)
    await tx.count(sql`
      insert into notification_choice (user_id, kind, email, push, modified_at)
      values (${userId}, ${kind}, 'never', ${kinds[kind].push}, ${now})
      on conflict (user_id, kind) do update set email = 'never', modified_at = excluded.modified_at`)
}

const secret = async (tx: Tx): Promise<Buffer> =>
  (await tx.first(sql<{ value: Buffer }>`select value from service_secret where name = 'unsubscribe'`))!.value

const signature = (key: Buffer, said: string): string =>
  createHmac('sha256', key).update(said).digest('base64url').slice(0, 22)
