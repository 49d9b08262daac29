import { tiesTo, wordsNaming, type RoomData } from '../kernel/personal-data.ts'
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
    const { id, email, isConfirmed = true } = leaving
    const isTheirs = sql`(${isConfirmed} or m.created_at >= (select created_at from person where id = ${id}))`
    // Whoever moved to this address was written to at the one before.
    const gone = await tx.rows(sql<{ id: string }>`
      delete from mail m where not m.is_forgotten and (
        (m.recipient = ${email} and ${isTheirs})
        or (${isConfirmed} and m.recipient in (
          select o.recipient from mail o where o.template = 'addressChanged' and o.data->>'newAddress' = ${email}))
        -- A letter of theirs by the contact form, once it has left.
        or (m.state <> 'waiting' and m.data->>'replyTo' = ${email} and ${isTheirs})
        or (concat_ws(' ', m.key, m.data::text) ilike any(${wordsNaming(leaving)})
          and concat_ws(' ', m.key, m.data::text) like any(${tiesTo(leaving, traces)})))
      returning m.id`)
    traces.mailIds.push(...gone.map((row) => row.id))
  },
  eraseOutside: ({ mailIds }) => mailer().forget(mailIds),
}
