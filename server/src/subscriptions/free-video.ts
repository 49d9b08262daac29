import { createHmac } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'

/** Has the mailbox of this address had its free video, by whichever account? */
export const isMailboxUsed = (tx: Tx, email: string): Promise<boolean> =>
  asService(tx, async () => {
    const mailbox = await hashOf(tx, email)
    return (await tx.first(sql`select from free_video where mailbox = ${mailbox} limit 1`)) !== undefined
  })

/**
 * Keeps that a project is the free video of its officer's mailbox. Throws `project.no-plan` when the mailbox has had one,
 * however many ask at once, and `account.not-confirmed` where nobody has shown that it is theirs. `isAgain`: a canceled one is taken back, and stands beside whatever came meanwhile.
 */
export const useFreeVideo = async (tx: Tx, projectId: string, { isAgain }: { isAgain: boolean }): Promise<void> => {
  const { email, is_confirmed } = (await tx.first(sql<{ email: string; is_confirmed: boolean }>`
    select o.email, o.email_verified_at is not null as is_confirmed
    from project p join person o on o.id = p.user_id where p.id = ${projectId}`))!
  if (!is_confirmed) throw refusal('account.not-confirmed')
  const mailbox = await hashOf(tx, email)
  const isFirst = await tx.count(sql`
    insert into free_video (project_id, mailbox) values (${projectId}, ${mailbox})
    on conflict (mailbox) where not is_again do nothing`)
  if (isFirst === 1) return
  if (!isAgain) throw refusal('project.no-plan')
  await tx.count(sql`insert into free_video (project_id, mailbox, is_again) values (${projectId}, ${mailbox}, true)`)
}

/** A project is not the free video of its mailbox any more. */
export const giveFreeVideoBack = (tx: Tx, projectId: string) =>
  tx.count(sql`delete from free_video where project_id = ${projectId}`)

const hashOf = async (tx: Tx, email: string): Promise<Buffer> => {
  const { value } = (await tx.first(sql<{ value: Buffer }>`
    select value from service_secret where name = 'free-video'`))!
  return createHmac('sha256', value).update(canonicalMailbox(email)).digest()
}
