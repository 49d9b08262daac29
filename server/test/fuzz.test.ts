import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyCall } from '@clear-to-post/contract/api'
import { successesOf, type CallShape } from '@clear-to-post/contract/call'
import { kinds, refusals, type RefusalCode } from '@clear-to-post/contract/errors'
import { Failure } from '@clear-to-post/contract/failure'
import { projects } from '@clear-to-post/contract/projects'
import { mayEver } from '@clear-to-post/domain/access'
import { sql } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { openWork } from './people-at-work.ts'
import { isLong, seeded, seedOfRun } from './random.ts'
import { rawRequests, requestsFor, type FuzzedRequest, type Known } from './requests.ts'
import { openStage } from './stage.ts'
import { callAs, declares, makePerson, makeVideo, openService, type Person, type Service } from './service.ts'

const count = isLong ? { calls: 100_000, lines: 5_000 } : { calls: 600, lines: 100 }
const seed = seedOfRun()

let service: Service
let people: (Person | null)[]
let leaving: Person
let known: Known

beforeAll(async () => {
  service = await openService({ LOG_LEVEL: 'silent' })
  // Who was removed comes back here (`reinstate`), and nowhere else.
  const superuser = new pg.Client({ connectionString: service.urls.superuserUrl })
  await superuser.connect()
  await superuser.query('drop trigger end_stays on person')
  await superuser.end()
  // Projects in every status, of the people who send the random requests.
  const random = seeded(seed)
  const work = await openWork(service, random)
  while (work.answered.length < 80) {
    const step = await work.next()
    const { who, requestId } = step
    await step
      .ask((shape, input) => callAs(service, who)(shape, input, { requestId }))
      .then(
        (project) => work.note(step, project),
        () => {},
      )
  }
  const stage = await openStage(service)
  people = [
    null,
    ...new Map(work.answered.map(({ who }) => [who.id, who])).values(),
    stage.officer,
    stage.editor,
    stage.qa,
    stage.admin,
  ]
  leaving = await makePerson(service, 'User')
  const seen = work.answered.map(({ project }) => project)
  const ofRole = (...roles: string[]) => people.flatMap((who) => (who && roles.includes(who.role) ? [who.id] : []))
  const officer = people.find((who) => who?.role === 'User')!
  const finalVideos = seen.flatMap(({ finalVideoId }) => finalVideoId ?? [])
  known = {
    ids: {
      projectId: [...new Set(seen.map(({ id }) => id)), stage.project.id, stage.begun.id],
      userId: ofRole('User', 'Editor'),
      editorId: ofRole('Editor'),
      assets: await Promise.all(Array.from({ length: 30 }, () => makeVideo(service, officer))),
      assetId: [...new Set([...finalVideos, ...seen.flatMap(({ assets }) => assets!.map((a) => a.assetId))])],
      finalVideoId: finalVideos,
      tenantId: [stage.tenantId],
      tenantIds: [stage.tenantId],
      categoryId: [stage.category],
      notes: [stage.note],
      scripts: [stage.script, stage.libraryScript, stage.category],
      notifications: [stage.triggerId, stage.notification],
    },
    cursors: await cursorsOf(people.find((who) => who?.role === 'ADMIN')!),
  }
})
afterAll(() => service.close())

it(`${count.calls} random requests from the contract get a declared answer or failure, and never a 500`, async () => {
  const requests = fc.sample(
    fc.oneof(
      ...everyCall.map(({ name, shape }) =>
        fc.record({ name: fc.constant(name), request: requestsFor(shape, knownTo(name)), who: whoAsks(name, shape) }),
      ),
    ),
    { numRuns: count.calls, seed },
  )
  const shapes = new Map(everyCall.map(({ name, shape }) => [name, shape]))
  const tally = { success: 0, refused: 0, slowest: 0 }
  const wrong: unknown[] = []
  const late: { name: string; request: string; ask: () => Promise<unknown> }[] = []
  const work = async () => {
    for (let next = requests.pop(); next; next = requests.pop()) {
      const { name, request, who } = next
      const began = performance.now()
      const answer = await send(request, who)
      const ms = performance.now() - began
      tally.slowest = Math.max(tally.slowest, ms)
      tally[answer.status < 400 ? 'success' : 'refused']++
      if (answer.text.includes('"session.ended"') && who) await reinstate(who)
      if (ms > 5000) late.push({ name, request: short(request), ask: () => send(request, who) })
      const faults = faultsOfAnswer(shapes.get(name)!, request, answer)
      if (faults.length > 0)
        wrong.push({
          name,
          role: who?.role,
          request: short(request),
          answer: `${answer.status} ${answer.text.slice(0, 700)}`,
          faults,
        })
    }
  }
  await Promise.all(Array.from({ length: 6 }, work))
  // A slow request is repeated alone: only then is it slow by itself.
  for (const { name, request, ask } of late) {
    const began = performance.now()
    await ask()
    const ms = performance.now() - began
    if (ms > 5000) wrong.push({ name, request, faults: [`took ${ms} ms, alone`] })
  }
  console.log(
    `fuzz: seed ${seed}: ${count.calls} requests, ${tally.success} done, ${tally.refused} refused, ` +
      `slowest ${Math.round(tally.slowest)} ms, ${wrong.length} wrong`,
  )
  expect(wrong.slice(0, 8)).toEqual([])
  // Refused requests left nothing half done.
  expect(await faultsOf(service)).toEqual([])
}, 1_800_000)

it(`${count.lines} malformed HTTP requests are answered with the contract’s failures`, async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  const wrong: unknown[] = []
  for (const line of fc.sample(rawRequests(), { numRuns: count.lines, seed })) {
    const { status, body, ms } = await say(port, line)
    const read = Failure.strict().safeParse(parsed(body))
    const head = line.startsWith('HEAD')
    const fine =
      status > 0 && status < 500 && (status < 300 || head || (read.success && kinds[read.data.kind] === status))
    if (!fine || ms > 5000) wrong.push({ line: line.slice(0, 300), status, body: body.slice(0, 300), ms })
  }
  expect(wrong.slice(0, 8)).toEqual([])
  expect((await service.app.inject('/health/live')).statusCode).toBe(200)
}, 600_000)

// Mostly people who may make the call. A person who signs out everywhere cannot be used afterwards.
const whoAsks = (name: string, shape: CallShape) =>
  name === 'identity.signOut'
    ? fc.constantFrom(null, leaving)
    : fc.oneof(fc.constantFrom(...people), fc.constantFrom(...people.filter((who) => mayAsk(shape, who))))

// A plain `id` is one of the call's own room.
const knownTo = (name: string): Known => {
  const ofRoom = known.ids[name.split('.')[0]!]
  return ofRoom ? { ...known, ids: { ...known.ids, id: ofRoom } } : known
}

// Random requests can disable or remove the people who send them.
const reinstate = ({ id, role, tenantId, securityStamp }: Person) =>
  service.database.asSystem((tx) =>
    tx.count(sql`
      update person set is_disabled = false, removed_at = null, role = ${role}, tenant_id = ${tenantId},
        security_stamp = ${securityStamp}
      where id = ${id}`),
  )

const mayAsk = ({ access }: CallShape, who: Person | null): boolean =>
  access === 'anyone' || (who !== null && (access === 'signed-in' || mayEver(who.role, access)))

const cursorsOf = async (admin: Person): Promise<string[]> => {
  const orders = ['submitTimestamp:desc', 'submitTimestamp:asc', 'modified:asc', 'position:asc', 'position:desc']
  const pages = orders.map((orderBy) => callAs(service, admin)(projects.list, { query: { perPage: 1, orderBy } }))
  return (await Promise.all(pages)).flatMap(({ nextCursor }) => nextCursor ?? [])
}

type Answer = { status: number; headers: Record<string, unknown>; text: string }

const send = async (request: FuzzedRequest, who: Person | null): Promise<Answer> => {
  const { statusCode, headers, payload } = await service.app.inject({
    method: request.method as 'GET',
    url: request.url,
    headers: { ...(who ? { authorization: `Bearer ${who.token}` } : {}), ...request.headers },
    ...(request.body === undefined ? {} : { payload: request.body }),
  })
  return { status: statusCode, headers, text: payload }
}

const faultsOfAnswer = (shape: CallShape, request: FuzzedRequest, { status, headers, text }: Answer): string[] => {
  const faults: string[] = []
  const requestId = headers['x-request-id']
  const sent = request.headers['x-request-id']
  if (sent !== undefined && /^[\x21-\x7e]{1,200}$/.test(sent) ? requestId !== sent : !uuid.test(String(requestId)))
    faults.push(`the request id came back as ${requestId}`)
  if (status >= 500) faults.push(`status ${status}`)
  if (request.method === 'HEAD' || headers['content-encoding'] !== undefined) return faults
  const body = parsed(text)
  if (status < 400) {
    // Another method, or a path that was bent into another call.
    if (request.method !== shape.method || otherCall(request, shape)) return faults
    if (!(successesOf(shape) as number[]).includes(status)) faults.push(`success with ${status}`)
    const read = shape.returns.safeParse(body)
    if (!(read.success && isDeepStrictEqual(read.data, body)))
      faults.push('the answer is not what the contract declares')
    return faults
  }
  const read = Failure.strict().safeParse(body)
  if (!read.success) return [...faults, 'the failure is not the contract’s']
  const { kind, code, requestId: told } = read.data
  if (notForPeople.test(text)) faults.push('words of the machine')
  if (kinds[kind] !== status) faults.push(`kind ${kind} with status ${status}`)
  if (told !== requestId) faults.push(`the body tells another request id, ${told}`)
  if (code !== undefined && refusals[code as RefusalCode]?.kind !== kind) faults.push(`code ${code} with kind ${kind}`)
  if (code !== undefined && request.method === shape.method && !otherCall(request, shape) && !declares(shape, code))
    faults.push(`the call does not declare ${code}`)
  return faults
}

const notForPeople =
  /Invalid (input|option|string|number|key|value|element|ISO|URL|UUID|email)|Too (small|big):|Unrecognized key|\bNaN\b.*expected/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// A parameter such as `list` or `..` asks for another address than the call's own.
const otherCall = ({ url }: FuzzedRequest, shape: CallShape): boolean => {
  const path = new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
  const segments = ((shape.base ?? '/api') + shape.path).replace(/\/$/, '').split('/')
  const asked = path.split('/')
  return (
    asked.length !== segments.length || segments.some((segment, i) => !segment.startsWith(':') && segment !== asked[i])
  )
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, 700)

/** Writes a line to the service's socket and reads until it hangs up. */
const say = (port: number, line: string) =>
  new Promise<{ status: number; body: string; ms: number }>((resolve) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1', () => socket.write(line, 'latin1'))
    let answer = ''
    socket.setTimeout(6000, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('data', (chunk) => (answer += chunk))
    socket.on('close', () => {
      const [head = '', ...rest] = answer.split('\r\n\r\n')
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
      resolve({ status, body: rest.join('\r\n\r\n'), ms: performance.now() - began })
    })
  })
