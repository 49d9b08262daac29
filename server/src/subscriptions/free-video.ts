import { createHmac } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { freeVideosOfDomain } from '@clear-to-post/domain/plans'
import { sql, type Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { ownMailDomain } from './mail-domain.ts'

/** Has the mailbox of this address had its free video, by whichever account, or its domain all that it has for now? */
export const isFreeVideoUsed = (tx: Tx, email: string, now: Date): Promise<boolean> =>
  asService(tx, async () => {
    const { mailbox, domain } = await hashesOf(tx, email)
    const used = await tx.first(sql`select from free_video where mailbox = ${mailbox} limit 1`)
    return used !== undefined || (await isDomainUsed(tx, domain, now))
  })

/**
 * Keeps that a project is the free video of its officer's mailbox. Throws `project.no-plan` when the mailbox has had one, or
 * its domain all that it has for now, however many ask at once, and `account.not-confirmed` where nobody has shown that it is
 * theirs. `isAgain`: a canceled one is taken back, and stands beside whatever came meanwhile.
 */
export const useFreeVideo = async (
  tx: Tx,
  projectId: string,
  { isAgain, now }: { isAgain: boolean; now: Date },
): Promise<void> => {
  const { email, is_confirmed } = (await tx.first(sql<{ email: string; is_confirmed: boolean }>`
    select o.email, o.email_verified_at is not null as is_confirmed
    from project p join person o on o.id = p.user_id where p.id = ${projectId}`))!
  if (!is_confirmed) throw refusal('account.not-confirmed')
  const { mailbox, domain } = await hashesOf(tx, email)
  if (domain && !isAgain) {
    // Whoever asks for the same domain waits here until it is known whether this one counts.
    await tx.rows(
      sql`select pg_advisory_xact_lock(hashtextextended('free videos of ' || ${domain.toString('hex')}, 0))`,
    )
    if (await isDomainUsed(tx, domain, now)) throw refusal('project.no-plan')
  }
  const isFirst = await tx.count(sql`
    insert into free_video (project_id, mailbox, domain, used_at) values (${projectId}, ${mailbox}, ${domain}, ${now})
    on conflict (mailbox) where not is_again do nothing`)
  if (isFirst === 1) return
  if (!isAgain) throw refusal('project.no-plan')
  await tx.count(sql`
    insert into free_video (project_id, mailbox, domain, used_at, is_again)
    values (${projectId}, ${mailbox}, ${domain}, ${now}, true)`)
}

/** A project is not the free video of its mailbox any more. */
export const giveFreeVideoBack = (tx: Tx, projectId: string) =>
  tx.count(sql`delete from free_video where project_id = ${projectId}`)

const isDomainUsed = async (tx: Tx, domain: Buffer | null, now: Date): Promise<boolean> => {
  if (!domain) return false
  const { used } = (await tx.first(sql<{ used: number }>`
    select count(*)::integer as used from free_video
    where domain = ${domain} and used_at > ${now}::timestamptz - make_interval(days => ${freeVideosOfDomain.days})`))!
  return used >= freeVideosOfDomain.most
}

/** What is kept of an address: its mailbox, and its domain if somebody registered it for themselves. */
const hashesOf = async (tx: Tx, email: string): Promise<{ mailbox: Buffer; domain: Buffer | null }> => {
  const { value } = (await tx.first(sql<{ value: Buffer }>`
    select value from service_secret where name = 'free-video'`))!
  const hashOf = (text: string) => createHmac('sha256', value).update(text).digest()
  const domain = ownMailDomain(email)
  return { mailbox: hashOf(canonicalMailbox(email)), domain: domain === null ? null : hashOf(`@${domain}`) }
}
