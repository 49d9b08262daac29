import { patternsOf, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'

const own = (personId: string) => sql`t.user_id = ${personId}`

export const notificationsData: RoomData = {
  words: [{ text: 'Your notifications, and those of others that name you or your videos.' }],
  tables: {
    notification: {
      of: own,
      erased:
        'id user_id trigger_id title body status delivered_at opened_at deleted_at cta metadata error cause kind about digest',
      given: 'kind title body cta status delivered_at opened_at deleted_at',
      withheld: { inner: 'id user_id trigger_id metadata error cause about digest' },
    },
    notification_choice: {
      of: own,
      erased: 'user_id kind email push modified_at',
      given: 'kind email push modified_at',
      withheld: { inner: 'user_id' },
    },
    notification_quiet: {
      of: own,
      erased: 'user_id from_time until_time',
      given: 'from_time until_time',
      withheld: { inner: 'user_id' },
    },
    notification_waiting: {
      of: own,
      erased: 'notification_id channel user_id due_at',
      given: '',
      withheld: { inner: 'notification_id channel user_id due_at' },
    },
  },
  erase: async (tx, { id }, { words, projectIds, mailIds }) => {
    await tx.count(sql`delete from notification where user_id = ${id}`)
    await tx.count(sql`delete from notification_choice where user_id = ${id}`)
    await tx.count(sql`delete from notification_quiet where user_id = ${id}`)
    // What was said from now on names the projects as they are called now.
    const named = await tx.rows(sql<{ id: string; cause: string; digest: string | null }>`
      delete from notification n
      where concat_ws(' ', n.title, n.body, n.cta, n.metadata) ilike any(${patternsOf(words)})
        or (n.about = any(${projectIds}::uuid[])
          and not exists (select from project p where p.id = n.about and position(p.title in n.body) > 0))
      returning n.id, n.cause, n.digest`)
    await tx.count(sql`
      delete from push m where exists (
        select from push_delivery x where x.push_id = m.id
          and x.key = any(${named.map(({ cause }) => `notice:${cause}`)}))`)
    // A digest that has not left says what is left of it when it goes; one that has left is forgotten as a whole.
    const mails = await tx.rows(sql<{ id: string }>`
      delete from mail where key = any(${named.map((one) => `notice:${one.id}`)})
        or (state <> 'waiting' and key = any(${named.flatMap(({ digest }) => (digest ? [`digest:${digest}`] : []))}))
      returning id`)
    mailIds.push(...mails.map((row) => row.id))
  },
}
