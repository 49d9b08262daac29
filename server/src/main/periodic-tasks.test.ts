import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addPlans, buyer, settle } from '../../test/buying.ts'
import { submitProject } from '../../test/factories.ts'
import { makePerson, makeTenant, openService, type Service } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'
import { periodicTasks } from './periodic-tasks.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

it('every periodic task has its own name and runs beside another worker’s, again, and when told to stop', async () => {
  const [plan] = await addPlans(service, 4)
  await buyer(service, plan!, await makePerson(service, 'ADMIN', { tenantId: await makeTenant(service, 5) }))
  const officer = await buyer(service, plan!)
  await submitProject(service, officer, { title: 'Rates' })
  await settle(service)
  // Whoever is told of by a task has something to be told.
  await service.database.asSystem((tx) => tx.count(sql`update customer set told = null, try_after = '-infinity'`))
  const { database, config } = service
  const tasks = periodicTasks({ database, config, log: pino({ level: 'silent' }) })
  const names = tasks.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names.length).toBeGreaterThan(20)
  const failures: string[] = []
  const runs = async (signal: AbortSignal) => {
    for (const { name, run } of tasks)
      for (const outcome of await Promise.allSettled([run(new Date(), signal), run(new Date(), signal)]))
        if (outcome.status === 'rejected') failures.push(`${name}: ${String(outcome.reason)}`)
  }
  await runs(new AbortController().signal)
  await runs(new AbortController().signal)
  await runs(AbortSignal.abort())
  expect(failures).toEqual([])
}, 120_000)
