import type { RawBuilder } from 'kysely'
import { addressesOf, confirmedOf, isTo, tiesTo, wordsNaming, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { mailer } from '../outside/mail.ts'

export const mailData: RoomData = {
  words: [{ text: 'Mails to you that we still keep, and mails that name you.' }],
  tables: {
    mail: {
      // Whoever had the address before was written to, too.
      of: (personId) => sql`exists (
        select from person p where p.id = ${personId} and p.email = t.recipient and p.email_verified_at is not null
          and t.created_at >= p.email_since)`,
      readBy: 'service',
      erased: 'id key recipient template data useless_at state error created_at settled_at is_forgotten',
      given: 'recipient template data state created_at settled_at',
      withheld: { inner: 'id key useless_at error is_forgotten' },
    },
  },
  erase: async (tx, leaving, traces) => {
    const since = sql`(select created_at from person where id = ${leaving.id})`
    // To an address of theirs, or by the contact form from one; whoever had it before them, or has it since, keeps theirs.
    const isTheirs = (address: RawBuilder<unknown>) => sql`(
      ${isTo(confirmedOf(leaving), address, sql`m.created_at`)}
      or (m.created_at >= ${since} and ${isTo(addressesOf(leaving), address, sql`m.created_at`)}))`
    const gone = await tx.rows(sql<{ id: string }>`
      delete from mail m where not m.is_forgotten and (
        ${isTheirs(sql`m.recipient`)}
        -- A letter that has left.
        or (m.state <> 'waiting' and ${isTheirs(sql`m.data->>'replyTo'`)})
        or (concat_ws(' ', m.key, m.data::text) ilike any(${wordsNaming(leaving)})
          and concat_ws(' ', m.key, m.data::text) like any(${tiesTo(leaving, traces)})))
      returning m.id`)
    traces.mailIds.push(...gone.map((row) => row.id))
  },
  eraseOutside: ({ mailIds }) => mailer().forget(mailIds),
}
