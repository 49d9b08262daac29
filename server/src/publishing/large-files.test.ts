// @module-tag long
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { publishing } from '@clear-to-post/contract/publishing'
import { sql } from '../kernel/database.ts'
import { openAsk, SilentNetwork } from '../outside/networks/adapter.ts'
import { networks } from '../outside/networks/networks.ts'
import { storage } from '../outside/storage.ts'
import { makeStaff } from '../../test/factories.ts'
import { onDisk } from '../../test/on-disk.ts'
import { approvedVideo, connectAccount, inHours } from '../../test/posting.ts'
import { callAs, makeOfficer, openService, type OpenedService, type Person } from '../../test/service.ts'
import { startNetworks, type StandInNetworks } from '../../test/stand-in-networks.ts'
import { workOf } from './adapter-work.ts'
import { leaseFrom } from './lease.ts'
import { claimPost } from './store.ts'

let service: OpenedService
let standIns: StandInNetworks
let officer: Person
let staff: Awaited<ReturnType<typeof makeStaff>>
beforeAll(async () => {
  standIns = await startNetworks()
  service = await openService({ NETWORKS_STAND_IN: standIns.origin })
  staff = await makeStaff(service)
  officer = await makeOfficer(service)
})
afterAll(async () => {
  await service?.close()
  await standIns?.close()
})

const megabyte = 1024 ** 2

/** A post of a reel whose file is this large: mostly zeros, which take no disk. */
const scheduled = async (bytes: number) => {
  const video = await approvedVideo(service, officer, staff)
  const path = onDisk().path(video.assetId, 'original.mp4')
  await truncate(path, bytes)
  const digest = createHash('sha256')
  for await (const part of createReadStream(path)) digest.update(part as Buffer)
  await service.database.asSystem((tx) =>
    tx.count(sql`
      update asset set sha256 = ${digest.digest('hex')}, file_size = ${bytes}, duration_ms = 60000 where id = ${video.assetId}`),
  )
  const { id: connectionId } = await connectAccount(service, officer, 'facebook')
  const params = { projectId: video.projectId }
  const posts = [{ connectionId, words: `Reel ${randomUUID()}` }]
  await callAs(service, officer)(projects.schedule, { params, body: { publishAt: inHours(2).toISOString(), posts } })
  const [shown] = (await callAs(service, officer)(publishing.posts, { params })).items
  return { path, id: shown!.id }
}

/** A network that takes whatever it is sent, and counts it. */
const counting = async () => {
  const server = createServer(async (request, reply) => {
    try {
      let bytes = 0
      for await (const some of request) bytes += (some as Buffer).length
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      reply.writeHead(308, { range: `bytes=0-${bytes - 1}` }).end(JSON.stringify({ bytes, length, encoding }))
    } catch {
      // Its sender hung up.
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a part of a file may take of the memory. */
const mostHeld = 64 * megabyte

/** By how much the buffers that this process holds grew at most while it was done, without what may be thrown away. */
const buffersOf = async (work: () => Promise<unknown>): Promise<number> => {
  setFlagsFromString('--expose-gc')
  const throwAway = runInNewContext('gc') as () => void
  throwAway()
  const before = process.memoryUsage().arrayBuffers
  // Thrown away only where it is much: that takes a while in a large process.
  const grown = () => {
    const now = process.memoryUsage().arrayBuffers - before
    if (now < mostHeld) return now
    throwAway()
    return process.memoryUsage().arrayBuffers - before
  }
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, grown())), 5)
  await work().finally(() => clearInterval(timer))
  return Math.max(most, grown())
}

it('a reel of half a gigabyte is sent from the disk and not through memory, and not once it is changed', async () => {
  const bytes = 512 * megabyte
  const { id, path } = await scheduled(bytes)
  const now = new Date()
  const row = await service.database.asSystem((tx) => claimPost(tx, id, now, leaseFrom(now)))
  await using copies = storage().copies()
  const deps = {
    database: service.database,
    networks: networks(),
    publicUrl: service.config.publicUrl,
    now: () => new Date(),
    copies,
  }
  const { work } = await workOf(deps, row!)
  await using network = await counting()
  const ask = openAsk()
  let part!: Blob
  expect(await buffersOf(async () => (part = await work.file.part(1, bytes - 1)))).toBeLessThan(mostHeld)
  let answer!: Awaited<ReturnType<typeof ask>>
  const grown = await buffersOf(async () => {
    answer = await ask(network.address, { method: 'POST', body: part })
  })
  expect(grown).toBeLessThan(mostHeld)
  expect([answer.status, answer.headers.get('range'), answer.json()]).toEqual([
    308,
    `bytes=0-${bytes - 2}`,
    { bytes: bytes - 1, length: String(bytes - 1) },
  ])
  const form = new FormData()
  form.set('media', await work.file.part(0, 4 * megabyte - 1), 'part')
  const told = (await ask(network.address, { method: 'POST', body: form })).json()
  expect([told.length, told.bytes > 4 * megabyte]).toEqual([String(told.bytes), true])
  await appendFile(path, 'more')
  await expect(ask(network.address, { method: 'POST', body: part })).rejects.toThrow(SilentNetwork)
})
