import { forgetAnswersAbout, servedBy, type RoomData } from '../kernel/personal-data.ts'
import { sql } from '../kernel/database.ts'
import { duties } from '@clear-to-post/domain/roles'
import { leaveQuestionsOf } from './actions.ts'
import { dropThreadsOf } from './store.ts'

export const supportData: RoomData = {
  words: [
    { text: 'Your questions to us and to your company, with every answer, and your letters by the contact form.' },
    { text: 'That a question was given to you.', for: duties.administer },
  ],
  tables: {
    support_thread: {
      of: (personId) => sql`t.person_id = ${personId}`,
      erased: 'id person_id tenant_id guest_email from_net project_id subject state assignee_id since place created_at',
      given: 'subject state since created_at',
      withheld: { others: 'assignee_id', inner: 'id person_id tenant_id guest_email from_net project_id place' },
    },
    support_message: {
      of: (personId) => sql`(t.person_id = ${personId}
        or (t.author_id = ${personId} and ${servedBy(personId, sql`t.tenant_id`)}))`,
      erased: 'id thread_id person_id tenant_id author_id by_staff kind body about_id created_at',
      given: 'by_staff kind body created_at',
      withheld: { others: 'author_id about_id', inner: 'id thread_id person_id tenant_id' },
    },
  },
  erase: async (tx, leaving) => {
    const dropped = await dropThreadsOf(tx, leaving)
    // Staff's requests are answered with all that was said.
    await forgetAnswersAbout(
      tx,
      dropped.map((thread) => thread.id),
    )
    await leaveQuestionsOf(tx, leaving.id)
  },
}
