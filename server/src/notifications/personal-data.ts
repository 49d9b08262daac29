import { patternsOf, tiesTo, wordsNaming, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { isInReach } from '../kernel/notice-reach.ts'

const own = (personId: string) => sql`t.user_id = ${personId}`

export const notificationsData: RoomData = {
  words: [{ text: 'Your notifications, and those of others that name you or your videos.' }],
  tables: {
    notification: {
      of: (personId) => sql`t.id in (
        select n.id from notification n where n.user_id = ${personId} and ${isInReach})`,
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
    // Whom a trigger could not tell.
    trigger_run: {
      of: (personId) => sql`exists (select from unnest(t.error_list) as words where words like ${`${personId}: %`})`,
      readBy: 'service',
      erased: 'error_list',
      stays: {
        record:
          'id trigger_id due_at fired_at time_zone content try_at status total success error done_to failures began_at ended_at',
      },
      withheld: {
        inner:
          'id trigger_id due_at fired_at time_zone content try_at status total success error error_list done_to failures began_at ended_at',
      },
    },
  },
  erase: async (tx, leaving, traces) => {
    const { id } = leaving
    const { projectIds, mailIds } = traces
    const own = await tx.rows(sql<{ cause: string }>`
      delete from notification where user_id = ${id} returning cause`)
    traces.causes = [...(traces.causes ?? []), ...own.map(({ cause }) => cause)]
    await tx.count(sql`delete from notification_choice where user_id = ${id}`)
    await tx.count(sql`delete from notification_quiet where user_id = ${id}`)
    // Runs of before had the name itself, and nothing else to tell whose it is.
    const theirs = patternsOf([`${id}: `, `${leaving.name}: `]).map((pattern) => pattern.slice(1))
    await tx.count(sql`
      update trigger_run set error_list = array(
        select case when words like any(${theirs}) then 'Somebody who was removed could not be told.' else words end
        from unnest(error_list) with ordinality as every (words, at) order by at)
      where exists (select from unnest(error_list) as words where words like any(${theirs}))`)
    // What was said from now on names the projects as they are called now.
    const named = await tx.rows(sql<{ id: string; user_id: string; cause: string; digest: string | null }>`
      delete from notification n
      where (concat_ws(' ', n.title, n.body, n.cta, n.metadata) ilike any(${wordsNaming(leaving)})
          and (concat_ws(' ', n.cause, n.about, n.cta, n.metadata) like any(${tiesTo(leaving, traces)})
            -- What an ADMIN wrote to the person and a few others; what goes to many is about nobody.
            or (n.cause = any(${traces.causes}) and n.cause like 'push:%'
              and (select count(*) from notification other where other.cause = n.cause) < 50)))
        or (n.about = any(${projectIds}::uuid[])
          and not exists (select from project p where p.id = n.about and position(p.title in n.body) > 0))
      returning n.id, n.user_id, n.cause, n.digest`)
    // To others the same words are still on their way.
    await tx.count(sql`
      delete from push_delivery x using unnest(${named.map((one) => one.user_id)}::uuid[],
          ${named.map(({ cause }) => `notice:${cause}`)}::text[]) as gone (person_id, key)
      where x.person_id = gone.person_id and x.key = gone.key`)
    await tx.count(sql`
      delete from push m where not exists (select from push_delivery x where x.push_id = m.id)`)
    // A digest that has not left says what is left of it when it goes; one that has left is forgotten as a whole.
    const mails = await tx.rows(sql<{ id: string }>`
      delete from mail where key = any(${named.map((one) => `notice:${one.id}`)})
        or (state <> 'waiting' and key = any(${named.flatMap(({ digest }) => (digest ? [`digest:${digest}`] : []))}))
      returning id`)
    mailIds.push(...mails.map((row) => row.id))
  },
}
