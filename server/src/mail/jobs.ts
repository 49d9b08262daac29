import { kindNames, kinds } from '@clear-to-post/domain/audiences'
import type { Database, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import type { PeriodicTask } from '../kernel/scheduler.ts'
import type { Job } from '../kernel/work.ts'
import { MailDelayed, MailRefused, mailer } from '../outside/mail.ts'
import { brandingOf, withLogo } from './branding.ts'
import {
  claimMail,
  dropForgotten,
  dropOldMails,
  findMail,
  markUndelivered,
  settleMail,
  takeBackMail,
  unreadNotices,
  type MailRow,
} from './store.ts'
import {
  addressChangedWords,
  codeWords,
  invitationWords,
  messageWords,
  removedWords,
  noticesWords,
  passwordChangedWords,
  render,
  type InvitationToSend,
  type Templates,
  type Words,
} from './templates.ts'
import { unsubscribePath } from './unsubscribe.ts'

/** What a mail says that is read only when it leaves, from rooms that this one does not know; null: it is of no use any more. */
export type MailSource = {
  codeToSend: (
    tx: Tx,
    codeId: string,
  ) => Promise<{ code: string; purpose: 'password' | 'address'; isVerified: boolean; minutes: number } | null>
  invitationToSend: (tx: Tx, mailId: string) => Promise<InvitationToSend | null>
}

/**
 * Sends one mail. It is claimed at the last moment at which nobody has it: before that a rerun begins anew, after that it
 * is not sent again unless the mail server said that it did not take it.
 */
export const mailJob = (source: MailSource): Job<'mail'> => ({
  name: 'mail',
  atOnce: 4,
  run: async ({ mailId }, { database, log, lastAttempt }) => {
    const { row, words } = await database.asSystem(async (tx) => {
      const row = await findMail(tx, mailId)
      return { row, words: row?.state === 'waiting' && !row.is_useless ? await wordsOf(tx, row, source) : null }
    })
    if (!row) return
    const settle = (from: readonly MailRow['state'][], state: MailRow['state'], error?: string) =>
      database.asSystem(async (tx) => {
        const settled = await settleMail(tx, mailId, from, state, error)
        if (row.is_forgotten) await dropForgotten(tx, mailId)
        return settled
      })
    if (row.state === 'sending') {
      // A run before this one died in the middle of the last word.
      await settle(['sending'], 'unknown')
      log.warn({ mailId, template: row.template }, 'a mail may or may not have arrived; it is not sent again')
      return
    }
    if (row.state !== 'waiting') return
    if (!words) return void (await settle(['waiting'], 'dropped'))

    let claimed = false
    const claim = async () => {
      if (!(await database.asSystem((tx) => claimMail(tx, mailId)))) throw new SuppressedDeliveries()
      claimed = true
    }
    try {
      const isForgotten = row.is_forgotten || undefined
      const { branding, ...said } = words
      const worn = branding ? { ...said, branding: await withLogo(branding) } : said
      await mailer().send({ id: mailId, to: row.recipient, isForgotten, ...render(worn, mailer().origin) }, claim)
      await settle(['sending', 'unknown'], 'sent')
      log.info({ mailId, template: row.template }, 'a mail was sent')
    } catch (error) {
      if (error instanceof SuppressedDeliveries) return
      // A mail server's answer names whom it was for; a queue keeps it for weeks.
      const message = (error as Error).message.replaceAll(row.recipient, 'the receiver')
      const mine = claimed ? (['sending', 'unknown'] as const) : (['waiting'] as const)
      if (claimed && !(error instanceof MailRefused || error instanceof MailDelayed)) {
        await settle(mine, 'unknown', message)
        log.warn({ err: error, mailId }, 'a mail may or may not have arrived; it is not sent again')
      } else if (error instanceof MailRefused || lastAttempt) {
        await database.asSystem(async (tx) => {
          const failed = await settleMail(tx, mailId, mine, 'failed', message)
          if (failed === 1 && row.template === 'notices')
            await markUndelivered(tx, (row.data as Templates['notices']).notificationIds)
          if (row.is_forgotten) await dropForgotten(tx, mailId)
        })
        log.error({ err: error, mailId }, 'a mail could not be sent')
      } else {
        await database.asSystem(async (tx) => {
          if ((await settleMail(tx, mailId, [claimed ? 'sending' : 'waiting'], 'waiting', message)) > 0) return
          // Another run believed this one dead, and its job has ended.
          if (claimed && (await takeBackMail(tx, mailId, message))) await enqueue(tx, 'mail', { mailId })
        })
        throw new Error(message)
      }
    }
  },
})

/** What was sent is remembered for a month, so that its key counts that long. */
export const mailTasks = (database: Database): PeriodicTask[] => [
  {
    name: 'old mails',
    seconds: 3600,
    run: async (now) => {
      await database.asSystem((tx) => dropOldMails(tx, new Date(now.getTime() - 30 * 86_400_000)))
    },
  },
]

// Another run of the same mail was faster.
class SuppressedDeliveries extends Error {}

/** The mail's words as of now; null when it has become useless. */
const wordsOf = async (tx: Tx, { template, data }: MailRow, source: MailSource): Promise<Words | null> => {
  const read = writers[template as keyof Templates]
  return read ? read(tx, data as never, source) : null
}

const writers: {
  [Name in keyof Templates]: (tx: Tx, data: Templates[Name], source: MailSource) => Words | Promise<Words | null>
} = {
  code: async (tx, { codeId }, { codeToSend }) => {
    const found = await codeToSend(tx, codeId)
    return (
      found &&
      codeWords(
        found.code,
        found.purpose === 'address' ? 'stranger' : found.isVerified ? 'known' : 'new',
        found.minutes,
      )
    )
  },
  invitation: async (tx, { mailId }, { invitationToSend }) => {
    const found = await invitationToSend(tx, mailId)
    return found && invitationWords(found)
  },
  passwordChanged: (_tx, ways) => passwordChangedWords(ways),
  addressChanged: (_tx, { newAddress }) => addressChangedWords(newAddress),
  message: (_tx, data) => messageWords(data),
  removed: (_tx, data) => removedWords(data),
  notices: async (tx, { userId, notificationIds }) => {
    const unread = await unreadNotices(tx, notificationIds)
    if (unread.length === 0) return null
    const told = kindNames.filter((kind) => unread.some((one) => one.kind === kind))
    const labels = told.map((kind) => `“${kinds[kind].label}”`)
    const [brand, path] = await Promise.all([brandingOf(tx, userId), unsubscribePath(tx, { userId, kinds: told })])
    return noticesWords(unread, brand, {
      about: `You get this by e-mail because of your choice for ${labels.join(' and ')}.`,
      path,
    })
  },
}
