import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { openDatabase, sql, systemCaller, type Database } from './database.ts'
import type { Queue } from './queue.ts'

/** A way to the real database that counts the packets of the client. */
let database: Database
let packets: Buffer[]
const server = createServer((near) => {
  const far = connect(Number(real.port), real.hostname)
  near.on('data', (packet) => {
    packets.push(packet)
    far.write(packet)
  })
  far.on('data', (packet) => near.write(packet))
  near.on('error', () => {}).on('close', () => far.destroy())
  far.on('error', () => {}).on('close', () => near.destroy())
})
let real: URL

beforeAll(async () => {
  real = new URL((await freshDatabase()).appUrl)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(real)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  database = openDatabase(url.href, { queue: {} as Queue, max: 1 })
  packets = []
  await database.asSystem((tx) => tx.rows(sql`select`))
})
afterAll(async () => {
  await database.close()
  server.close()
})

it('a statement that only reads leaves in one packet with its transaction', async () => {
  packets = []
  expect(await database.readOnly(systemCaller, (tx) => tx.first(sql`select 7 as n`))).toEqual({ n: 7 })
  expect(packets.map((packet) => statementsIn(packet))).toEqual([
    ['begin read only', 'select enter($1, $2, $3, $4)', 'select 7 as n', 'commit'],
  ])
})

it('what a transaction does not wait for in between leaves in one packet', async () => {
  packets = []
  await database.asSystem(async (tx) => {
    await Promise.all([tx.rows(sql`select 1 as one`), tx.rows(sql`select 2 as two`)])
    await tx.rows(sql`select 3 as three`)
  })
  expect(packets.map((packet) => statementsIn(packet))).toEqual([
    ['begin', 'select enter($1, $2, $3, $4)', 'select 1 as one', 'select 2 as two'],
    ['select 3 as three'],
    ['commit'],
  ])
})

const statementsIn = (packet: Buffer): string[] =>
  packet.toString('latin1').match(/begin read only|begin|commit|select [\w$(), ]+\b\)?/g) ?? []
