import { tiesTo, wordsNaming, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { isInReach } from '../kernel/notice-reach.ts'
import { dropPushesTo } from './store.ts'

export const pushData: RoomData = {
  words: [{ text: 'The browsers and phones that show your notifications.' }],
  tables: {
    push_device: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id person_id family_id endpoint p256dh auth name created_at reached_at',
      given: 'name created_at reached_at',
      withheld: { secret: 'endpoint p256dh auth', inner: 'id person_id family_id' },
    },
    push: {
      of: (personId) => sql`t.id in (
        select x.push_id from push_delivery x where x.person_id = ${personId} and not exists (
          select from notification n
          where n.user_id = x.person_id and x.key = 'notice:' || n.cause and not ${isInReach}))`,
      readBy: 'service',
      erased: 'id title body url useless_at created_at',
      given: 'title body url created_at',
      withheld: { inner: 'id useless_at' },
    },
    push_delivery: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id push_id key person_id device_id state attempts due_at error settled_at',
      given: '',
      withheld: { inner: 'id push_id key person_id device_id state attempts due_at error settled_at' },
    },
  },
  erase: async (tx, leaving, traces) => {
    await dropPushesTo(tx, leaving.id)
    // What others were shown about the person or their videos; what waits is not shown any more either.
    await tx.count(sql`
      delete from push m
      where m.title || ' ' || m.body ilike any(${wordsNaming(leaving)})
        and (m.url like any(${tiesTo(leaving, traces)}) or exists (
          select from push_delivery x where x.push_id = m.id and x.key like any(${tiesTo(leaving, traces)})))`)
  },
}
