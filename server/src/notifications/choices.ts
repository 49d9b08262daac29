import type { z } from 'zod'
import type { CallRequest } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import type { Choices, notifications } from '@clear-to-post/contract/notifications'
import { isUrgent, kinds, kindsOf, type Kind } from '@clear-to-post/domain/audiences'
import type { Rhythm } from '@clear-to-post/domain/delivery'
import { sql, type Caller, type Reader, type Tx } from '../kernel/database.ts'

/** How the caller hears of what their role may hear of, chosen or not. */
export const choicesOf = async (tx: Reader, caller: Caller): Promise<z.input<typeof Choices>> => {
  const [person, chosen] = await Promise.all([
    tx.first(sql<{ time_zone: string; from_time: string | null; until_time: string | null }>`
      select p.time_zone, q.from_time, q.until_time from person p
      left join notification_quiet q on (/* wall */ q.user_id = ${caller.id}) and q.user_id = p.id where p.id = ${caller.id}`),
    tx.rows(sql<{ kind: Kind; email: Rhythm; push: boolean }>`
      select kind, email, push from notification_choice where (/* wall */ user_id = ${caller.id})`),
  ])
  const { time_zone, from_time, until_time } = person!
  return {
    kinds: kindsOf(caller.role).map((kind) => {
      const { label, text, email, push } = { ...kinds[kind], ...chosen.find((one) => one.kind === kind) }
      return { kind, label, text, email, push, isUrgent: isUrgent(kind) }
    }),
    quiet: from_time === null || until_time === null ? null : { from: from_time, until: until_time },
    timezone: time_zone,
  }
}

/** Keeps what was named. Throws `request.invalid` for a kind that the caller's role never hears of. */
export const choose = async (
  tx: Tx,
  caller: Caller,
  { kinds: named = [], quiet }: CallRequest<typeof notifications.choose>['body'],
  now: Date,
): Promise<void> => {
  for (const { kind, email, push } of named) {
    if (!kindsOf(caller.role).includes(kind))
      throw refusal('request.invalid', `You are never told of “${kinds[kind].label}”.`)
    await tx.count(sql`
      insert into notification_choice (user_id, kind, email, push, modified_at)
      values (${caller.id}, ${kind}, ${email ?? kinds[kind].email}, ${push ?? kinds[kind].push}, ${now})
      on conflict (user_id, kind) do update set modified_at = excluded.modified_at,
        email = coalesce(${email ?? null}, notification_choice.email), push = coalesce(${push ?? null}, notification_choice.push)`)
  }
  if (quiet === null) await tx.count(sql`delete from notification_quiet where (/* wall */ user_id = ${caller.id})`)
  else if (quiet)
    await tx.count(sql`
      insert into notification_quiet (user_id, from_time, until_time) values (${caller.id}, ${quiet.from}, ${quiet.until})
      on conflict (user_id) do update set from_time = excluded.from_time, until_time = excluded.until_time`)
}
