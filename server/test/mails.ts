import { setTimeout as sleep } from 'node:timers/promises'
import { registry } from '../src/main/registry.ts'
import { outboxKey } from '../src/outside/kept-key.ts'
import { openMail, type KeptMail } from '../src/outside/mail.ts'
import type { JobContext } from '../src/kernel/work.ts'
import { sql } from '../src/kernel/database.ts'
import type { Service } from './service.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** What a job is given by a worker of a test. */
export const jobContext = ({ database }: Pick<Service, 'database'>, more: Partial<JobContext> = {}): JobContext => ({
  database,
  log: quiet,
  signal: AbortSignal.timeout(60_000),
  attempt: 1,
  lastAttempt: false,
  ...more,
})

/** Sends what waits for an address, as a worker would, by the way that the service is configured for. */
export const deliverMails = async (service: Service, address: string): Promise<void> => {
  openMail(service.config)
  const waiting = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`
      select id from mail where state = 'waiting' and recipient = ${address} order by created_at, id`),
  )
  for (const { id } of waiting) await registry.mail.run({ mailId: id }, jobContext(service))
}

/** Tells people what waits to be told, as a worker would. */
export const runNotices = async (service: Service): Promise<void> => {
  const jobs = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: never }>`select data from pgboss.job where name = 'notice' and state = 'created'`),
  )
  for (const { data } of jobs) await registry.notice.run(data, jobContext(service))
}

/** Gives back, and tells others of, what staff left who went, as a worker would. */
export const runLeftWork = async (service: Pick<Service, 'database'>): Promise<void> => {
  const jobs = await service.database.asSystem((tx) =>
    tx.rows(sql<{ data: never }>`delete from pgboss.job where name = 'left-work' returning data`),
  )
  for (const { data } of jobs) await registry['left-work'].run(data, jobContext(service))
}

/** The mails to an address in the outbox, newest first, read at the page where a developer reads them. */
export const mailsTo = async (service: Service, address: string): Promise<KeptMail[]> => {
  await deliverMails(service, address)
  const response = await service.app.inject({
    url: `/dev/outbox?to=${encodeURIComponent(address)}`,
    headers: { accept: 'application/json', authorization: `Bearer ${await outboxKey(service.config.dataDir)}` },
  })
  return (response.json() as { items: KeptMail[] }).items
}

/** The newest six digits that were sent to an address. */
export const codeFor = async (service: Service, address: string): Promise<string> => {
  const code = (await mailsTo(service, address)).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
  if (code === undefined) throw new Error(`no code was sent to ${address}`)
  return code
}

/** Mails that came more than once, each by its own id; somebody who is told of two things gets two mails. */
const mailsTwice = (received: readonly { raw: string }[]): string[] => {
  const ids = received.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)![1]!)
  return [...Map.groupBy(ids, (id) => id)].filter(([, got]) => got.length > 1).map(([id]) => id)
}

/**
 * Waits until no mail of the crowd (`invoice …`, to `mail-…@`) is on its way. Answers of how many nobody knows whether they arrived,
 * who got one, and which of all mails came twice.
 */
export const endOfMails = async (
  { database }: Pick<Service, 'database'>,
  received: readonly { raw: string; to: string[] }[],
) => {
  const countIn = async (state: string) =>
    (await database.asSystem((tx) =>
      tx.first(
        sql<{ n: number }>`select count(*)::integer as n from mail where key like 'invoice %' and state = ${state}`,
      ),
    ))!.n
  while ((await countIn('waiting')) + (await countIn('sending')) > 0) await sleep(200)
  return {
    unknown: await countIn('unknown'),
    arrived: new Set(received.map(({ to: [address] }) => address!).filter((to) => /^mail-\d+@/.test(to))),
    twice: mailsTwice(received),
  }
}
