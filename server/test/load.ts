import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@clear-to-post/contract/client'
import { Refusal } from '@clear-to-post/contract/errors'
import { sql } from '../src/kernel/database.ts'
import { sha256, varied } from './living-product.ts'
import { again } from './mortal.ts'
import { openWork, type Answered, type Step } from './people-at-work.ts'
import type { Random } from './random.ts'
import { makePerson, type Person, type Service } from './service.ts'

/** Whom a load balancer would ask now, and whether that host is still meant to answer. */
export type Asked = { origin: string; isUp: () => boolean }

export type Load = {
  answered: readonly Answered[]
  /** Files whose last byte was acknowledged. */
  uploads: readonly { id: string; sha256: string }[]
  count: { calls: number; repeated: number; refused: number; pieces: number; resumed: number }
  /** Each answer that decided nothing: what it said, by whom, and how long it took. */
  undecided: { origin: string; said: string; ms: number }[]
  /** What went wrong at a host that was meant to answer, and what was taken back. */
  wrong: string[]
  /** Ends once what is under way has its answer. */
  end: () => Promise<void>
}

/** People who work with projects and send videos, over HTTP, as pages do: each request again until there is an answer. */
export const openLoad = async (
  stage: Pick<Service, 'database' | 'identity'>,
  {
    random,
    ask,
    film,
    people = 4,
    senders = 2,
    patienceMs = 30_000,
  }: {
    random: Random
    ask: () => Promise<Asked>
    /** A small video that a check takes. */
    film: Uint8Array
    people?: number
    senders?: number
    /** How long an answer is waited for. */
    patienceMs?: number
  },
): Promise<Load> => {
  const work = await openWork(stage, random)
  const count = { calls: 0, repeated: 0, refused: 0, pieces: 0, resumed: 0 }
  const wrong: string[] = []
  const undecided: Load['undecided'] = []
  const uploads: { id: string; sha256: string }[] = []
  let isOver = false

  const finish = async (step: Step) => {
    for (let tries = 0; ; tries++) {
      const { origin, isUp } = await ask()
      count.calls++
      if (tries > 0) count.repeated++
      const send = client({ origin, token: () => step.who.token })
      const options = { requestId: step.requestId, signal: AbortSignal.timeout(patienceMs) }
      const began = performance.now()
      try {
        return work.note(step, await step.ask((shape, input) => send(shape, input, options)))
      } catch (error) {
        if (error instanceof Refusal && !again.has(error.code)) return void count.refused++
        const said = error instanceof Refusal ? error.code : String(error)
        undecided.push({ origin, said, ms: performance.now() - began })
        if (isUp()) wrong.push(`${step.verb}: ${error} ${(error as Error).cause ?? ''}`)
        await sleep(20)
      }
    }
  }

  const sendVideo = async (person: Person) => {
    const bytes = varied(film, randomBytes(150_000).toString('hex'))
    const tus = async (method: string, path: string, more: Record<string, string>, body?: Uint8Array) => {
      const { origin, isUp } = await ask()
      const began = performance.now()
      try {
        const answer = await fetch(origin + path, {
          method,
          headers: { authorization: `Bearer ${person.token}`, 'tus-resumable': '1.0.0', ...more },
          signal: AbortSignal.timeout(patienceMs),
          ...(body ? { body: body as Uint8Array<ArrayBuffer> } : {}),
        })
        if (answer.status >= 400) throw new Error(`${answer.status} ${await answer.text()}`)
        await answer.bytes()
        return answer
      } catch (error) {
        undecided.push({ origin, said: (error as Error).message, ms: performance.now() - began })
        if (isUp()) wrong.push(`${method} of an upload: ${error} ${(error as Error).cause ?? ''}`)
        return undefined
      }
    }
    const create = () =>
      tus('POST', '/uploads', {
        'upload-length': String(bytes.length),
        'upload-metadata': `filename ${Buffer.from('take.mp4').toString('base64')}`,
      })
    let begun: Response | undefined
    while (!(begun ??= await create())) await sleep(50)
    const path = new URL(begun.headers.get('location')!, 'http://127.0.0.1').pathname
    let acknowledged = 0
    while (acknowledged < bytes.length) {
      const piece = bytes.subarray(acknowledged, acknowledged + 64_000)
      const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(acknowledged) }
      count.pieces++
      const sent = await tus('PATCH', path, type, piece)
      if (sent) {
        acknowledged = Number(sent.headers.get('upload-offset'))
        // As a phone's line is: the upload lasts over what happens to hosts.
        await sleep(random.whole(20, 200))
        continue
      }
      count.resumed++
      await sleep(50)
      const found = await tus('HEAD', path, {})
      if (!found) continue
      const there = Number(found.headers.get('upload-offset'))
      if (there < acknowledged) wrong.push(`an upload had ${acknowledged} bytes and has ${there}`)
      acknowledged = there
    }
    uploads.push({ id: path.split('/').at(-1)!, sha256: sha256(bytes) })
  }

  const loops = [
    ...Array.from({ length: people }, async () => {
      while (!isOver) {
        // What somebody would do next begins with a file of theirs, which is put into the database from here.
        const { isUp } = await ask()
        const step = await work.next().catch((error: unknown) => {
          if (isUp()) wrong.push(`the database: ${error}`)
        })
        if (step) await finish(step)
        await sleep(random.whole(0, 30))
      }
    }),
    ...Array.from({ length: senders }, async () => {
      let person: Person | undefined
      let sent = 0
      while (!isOver) {
        // Nobody has room for many videos that they do not use.
        if (sent++ % 4 === 0) person = await makePerson(stage, 'User').catch(() => person)
        if (person) await sendVideo(person)
        await sleep(random.whole(500, 1500))
      }
    }),
  ]
  return {
    answered: work.answered,
    uploads,
    count,
    undecided,
    wrong,
    end: async () => {
      isOver = true
      await Promise.all(loops)
    },
  }
}

/** What is not ready, or not what was sent, of the files whose last byte was acknowledged; waits for those that are checked. */
export const faultsOfUploads = async (
  { database }: Pick<Service, 'database'>,
  uploads: Load['uploads'],
): Promise<string[]> => {
  for (;;) {
    const rows = await database.asSystem((tx) =>
      tx.rows(sql<{ id: string; state: string; sha256: string | null }>`
        select id, state, sha256 from asset where id = any(${uploads.map(({ id }) => id)}::uuid[])`),
    )
    if (rows.some(({ state }) => ['received', 'checking'].includes(state))) {
      await sleep(200)
      continue
    }
    const kept = new Map(rows.map((row) => [row.id, row]))
    return uploads.flatMap(({ id, sha256 }) => {
      const row = kept.get(id)
      if (row?.state === 'ready' && row.sha256 === sha256) return []
      return [`upload ${id} is ${row?.state ?? 'gone'} and ${row?.sha256 === sha256 ? 'whole' : 'another one'}`]
    })
  }
}
