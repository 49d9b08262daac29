import { forgetAnswersAbout, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { blankPerson, unbindOfficersOf } from './store.ts'

export const accountsData: RoomData = {
  words: [
    {
      text: 'Your name, e-mail address, photo, profession, licenses, hours, days off, brand kit and settings, and downloads of your data.',
    },
  ],
  tables: {
    person: {
      of: (personId) => sql`t.id = ${personId}`,
      erased:
        'email name editor_id profession photo_url preferences time_zone fcm_token fcm_family_id experience_id email_verified_at nmls_number licence_states work_week time_off',
      stays: {
        number: 'id customer_id tenant_id',
        record:
          'role security_stamp is_disabled is_company free_projects created_at modified_at removed_at email_since',
      },
      given:
        'id email name role tenant_id profession photo_url preferences time_zone experience_id created_at email_verified_at email_since nmls_number licence_states work_week time_off',
      withheld: {
        secret: 'fcm_token',
        staff: 'editor_id',
        inner: 'fcm_family_id security_stamp is_disabled is_company customer_id free_projects modified_at removed_at',
      },
    },
    consent: {
      of: (personId) => sql`t.person_id = ${personId}`,
      stays: { record: 'person_id document version given_at' },
      given: 'document version given_at',
      withheld: { inner: 'person_id' },
    },
    answered_request: {
      of: (personId) => sql`t.actor_id = ${personId}`,
      erased: 'actor_id request_id digest status answer at',
      given: '',
      withheld: { inner: 'actor_id request_id digest status answer at' },
    },
  },
  erase: async (tx, { id }, traces) => {
    await blankPerson(tx, id)
    await unbindOfficersOf(tx, id)
    await tx.count(sql`delete from answered_request where actor_id = ${id}`)
    await forgetAnswersAbout(tx, [id, ...traces.projectIds])
  },
}
