// @module-tag long
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { webhookTypes } from '@clear-to-post/domain/webhooks'
import { sql } from '../src/kernel/database.ts'
import { submitProject } from './factories.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { callAs, callConfirmed, makeOfficer, makePerson, openService, type Service } from './service.ts'
import { failures, openReceiver, type Answering, type Receiver } from './webhook-receiver.ts'

/** Real workers on one database, killed (-9) when a message has come: before it is answered, and after it was taken. */
const kills = isLong ? 40 : 3
const [companies, videos, endpoints] = [3, 2, 2]

let service: Service
let receiver: Receiver
let answer: Answering | undefined
beforeAll(async () => {
  receiver = await openReceiver(() => answer)
  service = await openService({ WEBHOOK_TEST_ORIGIN: receiver.origin })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const start = () =>
  startProcess('server/test/killed-server.ts', ['worker', service.urls.appUrl, service.config.dataDir], {
    env: { WEBHOOK_TEST_ORIGIN: receiver.origin },
  })
/** Pauses, rests and the leases of the dead are over. */
const timePasses = () =>
  service.database.asSystem(async (tx) => {
    await tx.count(sql`update webhook_endpoint set resting_until = null`)
    await tx.count(
      sql`update webhook_delivery set next_at = now(), leased_until = null, tries = 0 where state = 'waiting'`,
    )
    await tx.count(sql`update pgboss.job set state = 'cancelled' where name = 'webhook' and state = 'active'`)
  })
const waiting = async () =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ n: number }>`select count(*)::integer as n from webhook_delivery where state = 'waiting'`),
  ))!.n

it(
  `with ${kills} killed workers and programs that fail in every way each event comes, in order, to its company alone`,
  async () => {
    const seed = seedOfRun()
    const random = seeded(seed)
    const all = await Promise.all(
      Array.from({ length: companies }, async (_, n) => {
        const officer = await makeOfficer(service)
        const admin = await makePerson(service, 'ADMIN', { tenantId: officer.tenantId })
        const paths = Array.from({ length: endpoints }, (_none, m) => `/company-${n}-${m}`)
        for (const path of paths)
          await callConfirmed(service, admin)(webhooks.create, {
            body: { url: receiver.origin + path, events: [...webhookTypes] },
          })
        const ids: string[] = []
        for (let video = 0; video < videos; video++) ids.push((await submitProject(service, officer)).id)
        return { officer, admin, paths, ids }
      }),
    )
    const step = async () => {
      const { officer, admin, ids } = random.one(all)
      const at = { params: { projectId: random.one(ids) } }
      const { status } = await callAs(service, officer)(projects.find, at)
      await (status === 6
        ? callAs(service, admin)(projects.rollback, at)
        : callAs(service, officer)(projects.cancel, at))
    }

    let worker: Started | undefined
    let isDying = false
    let after = 0
    answer = async (one, response) => {
      const how = random.next()
      // One that has not said yet that it works is not to be found yet.
      const kills = !isDying && worker && --after <= 0 ? worker : undefined
      if (kills && how < 0.3) {
        isDying = true
        return void kills.child.kill('SIGKILL')
      }
      if (how < 0.3) return void (await random.one(quick)(one, response))
      response.writeHead(204).end()
      if (!kills) return
      // What it has heard it may not have written down.
      isDying = true
      kills.child.kill('SIGKILL')
    }
    const quick = Object.entries(failures)
      .filter(([how]) => !/no answer|byte/.test(how))
      .map(([, one]) => one)

    for (let killed = 0; killed < kills; killed++) {
      for (let n = 0; n < 6; n++) await step()
      await timePasses()
      isDying = false
      after = random.whole(1, 4)
      worker = undefined
      worker = await start()
      const dies = once(worker.child, 'exit')
      for (let looks = 0; !isDying && looks < 900; looks++) {
        await sleep(100)
        if (looks % 20 !== 19) continue
        await step()
        await timePasses()
      }
      expect({ seed, isDying }).toEqual({ seed, isDying: true })
      await dies
    }
    answer = undefined
    isDying = true
    worker = await start()
    for (let looks = 0; (await waiting()) > 0 && looks < 120; looks++) {
      await timePasses()
      await sleep(1000)
    }
    await worker.end('SIGKILL')

    for (const { paths, ids, officer } of all) {
      const ledger = await service.database.asSystem((tx) =>
        tx.rows(sql<{ project_id: string; seq: number }>`
          select project_id, seq from project_event where tenant_id = ${officer.tenantId} order by project_id, seq`),
      )
      for (const path of paths) {
        const came = receiver.received.filter((one) => one.path === path)
        for (const id of ids) {
          const seqs = came
            .filter(({ message }) => message.data.projectId === id)
            .map(({ message }) => message.data.seq)
          const expected = ledger.filter(({ project_id }) => project_id === id).map(({ seq }) => seq)
          expect({ seed, path, firsts: [...new Set(seqs)] }).toEqual({ seed, path, firsts: expected })
        }
        const strangers = came.filter(({ message }) => message.data['tenantId'] !== officer.tenantId)
        expect({ seed, path, strangers }).toEqual({ seed, path, strangers: [] })
      }
    }
  },
  isLong ? 2_400_000 : 480_000,
)
