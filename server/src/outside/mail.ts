import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'

/** One mail, ready to go. `id` is ours and names it to the receiver, too. */
export type Mail = {
  id: string
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string | undefined
  /** Travels inside the mail; `html` names it `cid:…`. */
  picture?: InlinePicture | undefined
  /** The address that ends such mails by one click of the mail program's own button (RFC 8058). */
  unsubscribe?: string | undefined
  /** Nothing of ours may keep the address once it is sent. */
  isForgotten?: true | undefined
}
export type InlinePicture = { cid: string; type: string; base64: string }

/** Hands mails over, to the embedded outbox or to a mail server. */
export type Mailer = {
  /** Where mails go, in words for the operator. */
  says: string
  /** The product's address in mails. */
  origin: string
  /**
   * Hands one mail over. `lastWord` is awaited when all but its end was said: before it nobody has the mail, after it
   * somebody may, and what it throws holds the mail back. Throws `MailRefused` where trying again is of no use; any other
   * error before `lastWord` is a reason to try again.
   */
  send: (mail: Mail, lastWord: () => Promise<void>) => Promise<void>
  /**
   * Lets go of mails of these ids that we still keep ourselves. What a mail server took is its receiver's. Safe to repeat.
   */
  forget: (ids: readonly string[]) => Promise<void>
}

/** The receiving side said that it will never take this mail. */
export class MailRefused extends Error {}

/** The receiving side said that it did not take this mail now. */
export class MailDelayed extends Error {}

type MailConfig = { dataDir: string; publicUrl: string; smtpUrl: string | undefined; mailFrom: string }

let opened: Mailer | undefined

/** Opens the way that the configuration names for this process: jobs find it by `mailer()`. */
export const openMail = (config: MailConfig): void => {
  opened = config.smtpUrl === undefined ? outbox(config) : smtp({ ...config, smtpUrl: config.smtpUrl })
}

export const mailer = (): Mailer => {
  if (!opened) throw new Error('openMail() was not called')
  return opened
}

/** A mail that was kept in the outbox. `at`: ISO. */
export type KeptMail = Mail & { at: string }

/** The embedded outbox: mails stay under `dataDir` and go nowhere. Its newest five hundred are kept. */
export const outbox = ({ dataDir, publicUrl }: Pick<MailConfig, 'dataDir' | 'publicUrl'>): Mailer => {
  const folder = outboxFolder(dataDir)
  return {
    says: 'mails are kept in the outbox and not sent; set SMTP_URL to send them',
    origin: publicUrl,
    send: async (mail, lastWord) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const at = new Date().toISOString()
      const name = `${at.replaceAll(':', '-')}_${mail.id}.json`
      const draft = join(folder, `.${name}`)
      const kept = { ...mail, ...(mail.isForgotten ? { to: '' } : {}), at } satisfies KeptMail
      await writeFile(draft, JSON.stringify(kept, null, 2), { mode: 0o600, flush: true })
      await lastWord().catch(async (error: unknown) => {
        await rm(draft, { force: true })
        throw error
      })
      await rename(draft, join(folder, name))
      for (const old of (await namesIn(folder)).slice(500)) await rm(join(folder, old), { force: true })
    },
    forget: async (ids) => {
      const gone = new Set(ids)
      // Drafts too, which a kill left behind.
      for (const name of await readdir(folder).catch(() => []))
        if (gone.has(/_([0-9a-f-]{36})\.json$/.exec(name)?.[1] ?? '')) await rm(join(folder, name), { force: true })
    },
  }
}

/** The mails in the outbox of `dataDir`, newest first. */
export const readOutbox = async (dataDir: string, limit = 100): Promise<KeptMail[]> => {
  const folder = outboxFolder(dataDir)
  const read = (await namesIn(folder)).slice(0, limit).map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => null)
    return text === null ? [] : [JSON.parse(text) as KeptMail]
  })
  return (await Promise.all(read)).flat()
}

/** A mail server, by an address such as `smtps://user:password@mail.example.com`. */
export const smtp = ({
  publicUrl,
  smtpUrl,
  mailFrom,
}: Pick<MailConfig, 'publicUrl' | 'mailFrom'> & { smtpUrl: string }): Mailer => {
  const url = new URL(smtpUrl)
  // Passwords and codes travel in the open otherwise; a mail server on this machine may have no certificate.
  if (url.protocol === 'smtp:' && !isLoopback(url.hostname) && !url.searchParams.has('requireTLS'))
    url.searchParams.set('requireTLS', 'true')
  for (const [name, seconds] of Object.entries({ connectionTimeout: 10, greetingTimeout: 10, socketTimeout: 60 }))
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(seconds * 1000))
  // Connections are kept between mails and closed soon after the last. What breaks before the first byte of a message was
  // sent goes by another connection; whatever comes later is an error, as it is without a pool.
  const transport = createTransport({ url: url.href, pool: true, maxConnections: 4, idleTimeout: 300 })
  const fences = new WeakMap<object, () => Promise<void>>()
  // Runs once the message is composed: its end is held back until the last word is said.
  transport.use('stream', (composed, done) => {
    const lastWord = fences.get(composed.data.headers as object)!
    composed.message.processFunc((message: Readable) =>
      Readable.from(
        (async function* () {
          yield* message
          await lastWord()
        })(),
        { objectMode: false },
      ),
    )
    done()
  })
  return {
    says: 'mails go by a mail server',
    origin: publicUrl,
    forget: async () => {},
    send: async ({ id, to, subject, text, html, replyTo, picture, unsubscribe }, lastWord) => {
      // Automatic mails say so, lest somebody's absence note answers them.
      const headers = {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(unsubscribe === undefined
          ? {}
          : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
      }
      let cause: unknown
      fences.set(headers, () =>
        lastWord().catch((error: unknown) => {
          cause = error
          throw error
        }),
      )
      const message = {
        messageId: `<${id}@${new URL(publicUrl).hostname}>`,
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(picture === undefined
          ? {}
          : {
              attachments: [
                {
                  cid: picture.cid,
                  filename: `${picture.cid}.${picture.type.split('/')[1]}`,
                  contentType: picture.type,
                  content: picture.base64,
                  encoding: 'base64',
                  contentDisposition: 'inline' as const,
                },
              ],
            }),
      }
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw cause ?? classified(error as Error & { responseCode?: number })
      }
    },
  }
}

// Without an answer of the server's nobody knows; with one, its first digit says whether trying again is of any use.
const classified = (error: Error & { responseCode?: number }): Error => {
  const code = error.responseCode ?? 0
  if (code >= 500) return new MailRefused(error.message, { cause: error })
  return code >= 400 ? new MailDelayed(error.message, { cause: error }) : error
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)

const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => []))
    .filter((name) => /^\d.*\.json$/.test(name))
    .sort()
    .reverse()
