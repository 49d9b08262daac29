import { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { openPool, patienceOfPeople } from './pool.ts'

it('SQL statements that are not awaited in between are sent in one packet', async () => {
  const { appUrl } = await freshDatabase()
  const { pool, take } = openPool(appUrl, { max: 1, patience: patienceOfPeople })
  onTestFinished(() => pool.end())
  const client = await take()
  onTestFinished(() => client.release())
  const [alone, together] = [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
  onTestFinished(() => void vi.restoreAllMocks())
  const packets = () => alone.mock.calls.length + together.mock.calls.length

  await Promise.all([client.query('begin'), client.query('select $1::integer', [7]), client.query('commit')])
  expect(packets()).toBe(1)
  await client.query('select 8')
  expect(packets()).toBe(2)
})
