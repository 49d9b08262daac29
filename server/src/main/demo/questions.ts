import { sql, type Tx } from '../../kernel/database.ts'
import { demoPeople, type DemoPerson } from './people.ts'

type Said = { by: DemoPerson | null; hoursAgo: number; body: string }
type Question = { by: DemoPerson | null; guest?: string; subject: string; state: 'waiting' | 'answered'; said: Said[] }

/** Questions to support as they come: one that waits, one that was answered, a letter of the contact form. Nobody is told. */
export const addDemoQuestions = async (tx: Tx, now: Date): Promise<void> => {
  for (const { by, guest, subject, state, said } of questions) {
    const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * 3_600_000)
    const person = by && (await personOf(tx, by))
    const thread = (await tx.first(sql<{ id: string }>`
      insert into support_thread (person_id, tenant_id, guest_email, subject, state, since, created_at)
      values (${person?.id ?? null}, ${person?.tenant_id ?? null}, ${guest ?? null}, ${subject}, ${state},
        ${at(said.at(-1)!.hoursAgo)}, ${at(said[0]!.hoursAgo)})
      returning id`))!
    for (const one of said) {
      const author = one.by && (await personOf(tx, one.by))
      await tx.count(sql`
        insert into support_message (thread_id, person_id, tenant_id, author_id, by_staff, kind, body, created_at)
        values (${thread.id}, ${person?.id ?? null}, ${person?.tenant_id ?? null}, ${author?.id ?? null}, ${one.by !== by},
          'message', ${one.body}, ${at(one.hoursAgo)})`)
    }
  }
}

const personOf = async (tx: Tx, who: DemoPerson) =>
  (await tx.first(sql<{ id: string; tenant_id: string | null }>`
    select id, tenant_id from person where email = ${demoPeople[who].email}`))!

const questions: readonly Question[] = [
  {
    by: 'officer',
    subject: 'Can captions be in Spanish?',
    state: 'waiting',
    said: [
      {
        by: 'officer',
        hoursAgo: 20,
        body: 'Half of my clients read Spanish first. Can a video have English sound and Spanish captions?',
      },
    ],
  },
  {
    by: 'officer',
    subject: 'Where do I find my receipts?',
    state: 'answered',
    said: [
      { by: 'officer', hoursAgo: 70, body: 'Our bookkeeper asks for the receipt of October.' },
      {
        by: 'admin',
        hoursAgo: 66,
        body: 'Your company pays for your videos, so its administrator finds them: Company, Plan, then Payments. I have sent October’s along.',
      },
    ],
  },
  {
    by: null,
    guest: 'branch.lead@lakeside.test',
    subject: 'From the page',
    state: 'waiting',
    said: [
      { by: null, hoursAgo: 5, body: 'We are nine officers in two branches. What would that cost, and who edits?' },
    ],
  },
]
