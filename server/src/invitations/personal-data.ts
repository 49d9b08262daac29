import { sql } from '../kernel/database.ts'
import type { RoomData } from '../kernel/personal-data.ts'
import { dropOf } from './store.ts'

export const invitationsData: RoomData = {
  words: [{ text: 'Invitations that you were sent, and that you sent.' }],
  tables: {
    invitation: {
      of: (personId) => sql`
        (t.accepted_by = ${personId} or t.invited_by = ${personId}
          or t.email = (select p.email from person p where p.id = ${personId} and p.email_verified_at is not null))`,
      readBy: 'service',
      erased:
        'id email mailbox role tenant_id invited_by token_hash mail_id sent_at mailed_at ends_at accepted_at accepted_by withdrawn_at created_at',
      given: 'role tenant_id sent_at ends_at accepted_at withdrawn_at created_at',
      withheld: {
        secret: 'token_hash',
        others: 'email mailbox',
        inner: 'id invited_by mail_id mailed_at accepted_by',
      },
    },
  },
  erase: async (tx, leaving, traces) => {
    const gone = await dropOf(tx, leaving)
    // What was mailed names who invites.
    const mails = await tx.rows(sql<{ id: string }>`
      delete from mail where key = any(${gone.map(({ mail_id }) => `invitation:${mail_id}`)}) returning id`)
    traces.mailIds.push(...mails.map(({ id }) => id))
  },
}
