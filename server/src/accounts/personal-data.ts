import { assetsData } from '../assets/personal-data.ts'
import { calendarData } from '../calendar/personal-data.ts'
import { patternsOf, type RoomData } from '../db/personal-data.ts'
import { sql } from '../db/tenant.ts'
import { editsData } from '../edits/personal-data.ts'
import { goalsData } from '../goals/personal-data.ts'
import { identityData } from '../identity/personal-data.ts'
import { jobsData } from '../jobs/personal-data.ts'
import { mailData } from '../mail/personal-data.ts'
import { notesData } from '../notes/personal-data.ts'
import { notificationsData } from '../notifications/personal-data.ts'
import { storage } from '../outside/storage.ts'
import { projectsData } from '../projects/personal-data.ts'
import { promptsData } from '../prompts/personal-data.ts'
import { pushData } from '../push/personal-data.ts'
import { subscriptionsData } from '../subscriptions/personal-data.ts'
import { exportFolder } from './exports-store.ts'
import { blankPerson, unbindOfficersOf } from './store.ts'

const accountsData: RoomData = {
  words: [
    { text: 'Your name, e-mail address, photo, profession, brand kit and settings, and downloads of your data.' },
  ],
  tables: {
    person: {
      of: (personId) => sql`t.id = ${personId}`,
      erased:
        'email name editor_id profession photo_url preferences time_zone fcm_token experience_id email_verified_at',
      stays: {
        number: 'id customer_id tenant_id',
        record: 'role role_version is_disabled free_projects created_at modified_at removed_at',
      },
      given:
        'id email name role tenant_id profession photo_url preferences time_zone experience_id created_at email_verified_at',
      withheld: {
        secret: 'fcm_token',
        staff: 'editor_id',
        inner: 'role_version is_disabled customer_id free_projects modified_at removed_at',
      },
    },
    answered_request: {
      of: (personId) => sql`t.actor_id = ${personId}`,
      erased: 'actor_id request_id digest status answer at',
      given: '',
      withheld: { inner: 'actor_id request_id digest status answer at' },
    },
    removal: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'work',
      stays: {
        number: 'id number person_id tenant_id',
        record: 'by_role removed_at finished_at erased stays',
      },
      given: '',
      withheld: { inner: 'id number person_id tenant_id by_role removed_at finished_at erased stays work' },
    },
    data_export: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id person_id state asked_at ready_at ends_at bytes attempt',
      given: 'asked_at',
      withheld: { inner: 'id person_id state ready_at ends_at bytes attempt' },
    },
  },
  erase: async (tx, { id }, traces) => {
    await blankPerson(tx, id)
    await unbindOfficersOf(tx, id)
    await tx.count(sql`delete from answered_request where actor_id = ${id}`)
    // A repeat is refused for as long as the answer would have been kept: it must neither do the work again nor name them.
    await tx.count(sql`
      update answered_request set status = null, answer = null
      where answer::text ilike any(${patternsOf([...traces.words, id])})`)
    const exports = await tx.rows(sql<{ id: string }>`delete from data_export where person_id = ${id} returning id`)
    traces.exportIds.push(...exports.map((row) => row.id))
  },
  eraseOutside: async ({ exportIds }) => {
    for (const id of exportIds) await storage().dropWork(exportFolder(id))
  },
}

/**
 * What each room holds about people; the person's own row first, so that nobody can sign in while the rest is erased, and
 * whoever names projects after the projects. server/test/personal-data.test.ts holds the list against the database.
 */
export const personalData: readonly [room: string, data: RoomData][] = [
  ['accounts', accountsData],
  ['identity', identityData],
  ['assets', assetsData],
  ['projects', projectsData],
  ['edits', editsData],
  ['goals', goalsData],
  ['prompts', promptsData],
  ['notes', notesData],
  ['subscriptions', subscriptionsData],
  ['calendar', calendarData],
  ['push', pushData],
  ['notifications', notificationsData],
  ['mail', mailData],
  ['jobs', jobsData],
]

/** Tables in which nobody stands, by what they hold. */
export const nobodysTables: Record<string, readonly string[]> = {
  'what is sold': ['product', 'plan', 'coupon'],
  'a company, written by its own admins': ['tenant', 'prompt', 'prompt_category'],
  'what admins say to many': ['notification_trigger', 'trigger_run'],
  'how work is scored': ['feedback_criteria'],
  'secrets of the service': ['signing_key', 'service_secret', 'push_key'],
  'what the service remembers of itself': [
    'seeded',
    'schema_migration',
    'payment_round',
    'payment_event',
    'sandbox_event',
  ],
  'events of pages without a session, tied to nobody': ['tracked_event'],
  'a way to a provider on which nobody is known yet, for an hour': ['provider_walk'],
}
