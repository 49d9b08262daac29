// @module-tag long
import { randomBytes } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { client } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { Refusal } from '@clear-to-post/contract/errors'
import type { Project } from '@clear-to-post/contract/projects'
import { sql } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { sha256 } from './living-product.ts'
import { openWork, type Step } from './people-at-work.ts'
import { startProcess } from './processes.ts'
import { isLong, isProof, seeded, seedOfRun } from './random.ts'
import { openRenders } from './renders.ts'
import { callAs, makePerson, openService, type Service } from './service.ts'

let service: Service
/** When the last byte of each request left us, by its id: from then on it lies with the server's machine. */
const leftAt = new Map<string, number>()
type Left = { request: { headers: string[] } }
subscribe('undici:request:bodySent', (message) => {
  const { headers } = (message as Left).request
  const at = headers.findIndex((name) => name.toLowerCase() === 'x-request-id')
  if (at >= 0) leftAt.set(headers[at + 1]!, performance.now())
})

beforeAll(async () => (service = await openService()))
afterAll(() => service.close())

it(
  'on SIGTERM under load the product answers every request in flight and ends within 25 s',
  async () => {
    const seed = seedOfRun()
    const work = await openWork(service, seeded(seed))
    const count = { answered: 0, inFlight: 0, afterwards: 0, repeated: 0 }
    const wrong: string[] = []
    const files: Sent[] = []
    const renders = isProof ? await openRenders(service) : null
    const rendered: Project[] = []
    for (let round = 0; round < (isLong ? 10 : 1); round++) {
      const { product, origin } = await startProduct()
      let toldAt = Number.POSITIVE_INFINITY

      const finish = async (step: Step) => {
        const send = client({ origin, token: () => step.who.token })
        try {
          work.note(step, await step.ask((shape, input) => send(shape, input, { requestId: step.requestId })))
          if (leftAt.get(step.requestId)! < toldAt && performance.now() > toldAt) count.inFlight++
        } catch (error) {
          if (error instanceof Refusal && !['unexpected', 'unavailable'].includes(error.kind)) return
          // Only what had not left us when the signal did may be refused.
          const ahead = toldAt - (leftAt.get(step.requestId) ?? Number.POSITIVE_INFINITY)
          if (ahead > 0) wrong.push(`${step.verb}, sent ${ahead} ms before the signal: ${error}`)
          count.repeated++
          // The request id shows whether it was done.
          await step
            .ask((shape, input) => callAs(service, step.who)(shape, input, { requestId: step.requestId }))
            .then((project) => work.note(step, project))
            .catch(() => {})
        }
        if (toldAt === Number.POSITIVE_INFINITY) count.answered++
        else count.afterwards++
      }
      const person = async () => {
        while (toldAt === Number.POSITIVE_INFINITY) await finish(await work.next())
      }
      const people = Array.from({ length: 8 }, person)
      const streams = await Promise.all(Array.from({ length: isProof ? 10 : 1 }, () => openStream(origin)))
      // What the last signal cut goes on here; others are begun.
      for (const file of files) await sendRest(origin, file)
      if (renders) {
        const { project, revision } = await renders.prepare(round * 20)
        const call = { params: { projectId: project.id }, body: { revision } }
        await callAs(service, renders.editor)(edits.render, call)
        rendered.push(project)
        while ((await renders.rendersOf(project))[0]!.state === 'queued') await sleep(50)
      }
      const cut = await Promise.all(Array.from({ length: 3 }, () => beginSending(origin)))
      files.push(...cut.map(({ file }) => file))
      await sleep(1500)
      while (work.answered.length === 0) await sleep(20)

      // A request that cannot end before the signal.
      const held = await holdProject(work.answered.at(-1)!.project.id)
      const admin = await makePerson(service, 'ADMIN')
      const slow = fetch(`${origin}/api/projects/${held.id}/assign/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ editorId: '00000000-0000-4000-8000-000000000000' }),
      })
      while (!(await held.isWaitedFor())) await sleep(20)
      toldAt = performance.now()
      const ended = product.end('SIGTERM')
      await sleep(700)
      await held.release()
      // Refused by a rule (there is no such editor, or the project has moved on), but answered.
      expect([404, 409]).toContain((await slow).status)
      await Promise.all(people)
      await Promise.all(streams.map(({ ended }) => ended))
      await Promise.all(cut.map(({ ended }) => ended))
      expect(await ended).toBe(0)
      expect(performance.now() - toldAt).toBeLessThan(25_000)
      console.log(
        `term: seed ${seed}: ${count.answered} requests answered before the signal, ${count.inFlight + 1} in flight when it came, ` +
          `${wrong.length} failed; ended after ${((performance.now() - toldAt) / 1000).toFixed(1)} s`,
      )
      expect(wrong, wrong.join('; ')).toEqual([])
    }
    const { product, origin } = await startProduct()
    for (const file of files) await sendRest(origin, file)
    for (const { id, bytes } of files) await expect.poll(() => hashThere(id), { timeout: 120_000 }).toBe(sha256(bytes))
    for (const project of rendered) {
      while (!['done', 'failed'].includes((await renders!.rendersOf(project))[0]!.state)) await sleep(200)
      expect(await renders!.rendersOf(project)).toMatchObject([{ state: 'done' }])
      expect(await renders!.cutsOf(project)).toHaveLength(1)
    }
    expect(await product.end('SIGTERM')).toBe(0)
    await renders?.close()
    expect(await faultsOf(service)).toEqual([])
    // The rendered projects were made besides the other operations.
    const faults = await faultsOf(service, work.answered)
    expect(faults.filter((fault) => !rendered.some(({ id }) => fault.includes(id)))).toEqual([])
    console.log(
      `term: ${files.length} interrupted uploads whole after the restart, ${rendered.length} renders with one cut each`,
    )
  },
  isLong ? 1_200_000 : isProof ? 400_000 : 400_000,
)

const startProduct = async () => {
  const product = await startProcess('server/src/main/start.ts', [], {
    ready: /runs at/,
    env: {
      DATABASE_URL: service.urls.ownerUrl,
      DATA_DIR: service.config.dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      SEED: 'none',
      LOG_LEVEL: 'error',
    },
  })
  return { product, origin: /http\S+/.exec(product.said)![0] }
}

/** An upload in progress, and its sender. */
type Sent = { id: string; bytes: Buffer; headers: Record<string, string>; isThrough: boolean }

/** Sends half of a file by tus and then a little now and then: it is under way for as long as the server lives. */
const beginSending = async (origin: string): Promise<{ file: Sent; ended: Promise<void> }> => {
  const { token } = await makePerson(service, 'User')
  const bytes = randomBytes(2 ** 20)
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const created = await fetch(`${origin}/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('take.mp4').toString('base64')}`,
    },
  })
  expect(created.status).toBe(201)
  const id = created.headers.get('location')!.split('/').at(-1)!
  const sending = request(`${origin}/uploads/${id}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
  })
  const half = bytes.length / 2
  sending.write(bytes.subarray(0, half))
  let at = half
  const drip = setInterval(() => sending.write(bytes.subarray(at, ++at)), 100)
  const ended = new Promise<void>((resolve) => {
    sending.on('error', () => {}).on('response', (answer) => answer.resume())
    sending.on('close', () => {
      clearInterval(drip)
      resolve()
    })
  })
  return { file: { id, bytes, headers, isThrough: false }, ended }
}

/** What a client does after a cut: asks how much is there, and sends what is missing. */
const sendRest = async (origin: string, file: Sent) => {
  if (file.isThrough) return
  const address = `${origin}/uploads/${file.id}`
  const there = Number((await fetch(address, { method: 'HEAD', headers: file.headers })).headers.get('upload-offset'))
  // It was cut in the middle, and something of it was kept.
  expect(there).toBeGreaterThan(0)
  expect(there).toBeLessThan(file.bytes.length)
  const sent = await fetch(address, {
    method: 'PATCH',
    headers: {
      ...file.headers,
      'upload-offset': String(there),
      'content-type': 'application/offset+octet-stream',
    },
    body: file.bytes.subarray(there) as BodyInit,
  })
  expect(sent.status).toBe(204)
  file.isThrough = true
}

/** The hash that the product itself took of what arrived. */
const hashThere = async (id: string) =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<{ sha256: string | null }>`select sha256 from asset where id = ${id}`),
  ))!.sha256

// A page that listens: its stream must neither hold the server up nor be cut off in the middle of a line.
const openStream = async (origin: string) => {
  const { token } = await makePerson(service, 'QA')
  const response = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  return { ended: response.text().then((text) => expect(text.endsWith('\n\n')).toBe(true)) }
}

/** Locks a project's row, as a slow neighbour would. */
const holdProject = async (id: string) => {
  const neighbour = new pg.Client({ connectionString: service.urls.superuserUrl })
  await neighbour.connect()
  await neighbour.query('begin')
  await neighbour.query('select from project where id = $1 for update', [id])
  const isWaitedFor = async () => {
    const { rowCount } = await neighbour.query(
      `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`,
    )
    return rowCount! > 0
  }
  return { id, isWaitedFor, release: () => neighbour.end() }
}
