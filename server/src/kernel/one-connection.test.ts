import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type Service } from '../../test/service.ts'
import { sql, type Tx } from './database.ts'

let service: Service
beforeAll(async () => void (service = await openService()))
afterAll(() => service.close())

test('code that asks for a second connection while it holds one is refused, and what comes after it is not', async () => {
  const { database } = service
  const look = (tx: Tx) => tx.first(sql<{ one: number }>`select 1 as one`)
  // No line of a test opens these: they are opened as the code of the service opens its own.
  const open = <T>(work: (tx: Tx) => Promise<T>) => Promise.resolve(work).then(database.asSystem<T>)
  await expect(open(() => open(look))).rejects.toThrow(/second connection/)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { later } = await open(async (tx) => {
    await look(tx)
    return { later: ended.then(() => open(look)) }
  })
  end()
  expect(await later).toEqual({ one: 1 })
  // A test that holds one on purpose.
  expect(await database.asSystem(() => open(look))).toEqual({ one: 1 })
})
