import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { traceOf } from '@clear-to-post/contract/client'
import { makeClip } from '@clear-to-post/media/make-clip'
import { runBoxed } from '@clear-to-post/media/sandbox'
import { readConfig } from '../src/kernel/config.ts'
import { beginSpan, within } from '../src/kernel/trace.ts'
import { conditions } from '../src/main/conditions.ts'
import { startHttp } from '../src/main/http.ts'
import { startProbes } from '../src/main/probes.ts'
import { startWorker } from '../src/main/worker.ts'
import { openTraces } from '../src/outside/traces.ts'
import { freshDatabase } from './database.ts'
import { makePerson, type Person } from './service.ts'
import { openIdentity } from '../src/identity/open.ts'
import { openDatabase, type Database } from '../src/kernel/database.ts'
import { openQueue } from '../src/kernel/queue.ts'
import { openOtlp } from './otlp.ts'

const root = resolve(import.meta.dirname, '../..')
const token = 'EdP3m0Zs8qVb6Kx1Wc5T'
const address = 'nobody.in-particular@mail.test'
const open: (() => Promise<unknown>)[] = []
let api: string
let probes: string
let otlp: Awaited<ReturnType<typeof openOtlp>>
let own: Database
let person: Person
let dataDir: string
let traces: Awaited<ReturnType<typeof openTraces>>

beforeAll(async () => {
  const database = await freshDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'clear-to-post-telemetry-'))
  open.push(database.drop, () => rm(dataDir, { recursive: true, force: true }))
  otlp = await openOtlp()
  open.push(otlp.close)
  const config = readConfig({
    DATA_DIR: dataDir,
    SEED: 'none',
    PORT: '0',
    HOST: '127.0.0.1',
    PROBE_PORT: '0',
    LOG_LEVEL: 'silent',
    METRICS_TOKEN: token,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${otlp.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%20key,x-team=video',
  })
  traces = await openTraces(config)
  const { appUrl } = database
  const worker = await startWorker({ config, appUrl, log: pino({ level: 'silent' }) })
  const http = await startHttp({ config, appUrl })
  const queue = await openQueue(appUrl)
  own = openDatabase(appUrl, { queue, max: 2 })
  person = await makePerson({ database: own, identity: await openIdentity({ database: own, config }) }, 'User')
  open.push(queue.close, own.close)
  const asked = await startProbes({ config, appUrl })
  open.push(worker.close, http.close, asked.close)
  api = http.address
  probes = asked.address!
})
afterAll(async () => {
  for (const close of open.toReversed()) await close()
})

const metricsOf = async (origin: string): Promise<string> =>
  (await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text()

/** The trace that a page begins. */
const ofPage = 'c0ffee'.padEnd(32, '5')

it('a trace that a signed-in page begins goes through the upload’s check to each program that looks into the file', async () => {
  const id = ofPage
  const film = join(dataDir, 'film.mp4')
  await makeClip({ out: film, seconds: 1, width: 180, height: 320, hue: 40 })
  const bytes = await readFile(film)
  const begun = await fetch(`${api}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('a.mp4').toString('base64')},filetype ${Buffer.from('video/mp4').toString('base64')}`,
    },
  })
  expect(begun.status, await begun.text()).toBe(201)
  const sent = await fetch(new URL(begun.headers.get('location')!, api), {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${person.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      ...traceOf(id),
    },
    body: bytes,
  })
  expect(sent.status, await sent.text()).toBe(204)
  const told = () => otlp.spans.map((span) => `${span.name}${span.traceId === id ? ' of the page’s trace' : ''}`)
  await expect.poll(told, { timeout: 60_000 }).toContain('run ffprobe of the page’s trace')
  const find = (name: RegExp) => otlp.spans.filter((span) => name.test(span.name) && span.traceId === id)
  await expect.poll(() => find(/^job ingest$/).length, { timeout: 60_000 }).toBe(1)
  const [[request], [job]] = [find(/^PATCH /), find(/^job ingest$/)]
  expect(request).toMatchObject({ kind: 2, parentSpanId: id.slice(16), attributes: { 'clear.tenant': 'person' } })
  expect(job).toMatchObject({ kind: 5, parentSpanId: request!.spanId })
  for (const program of find(/^run /)) expect(program.parentSpanId).toBe(job!.spanId)
})

it('a request, its job and the job’s programs are one trace without names at a receiver of OTLP', async () => {
  const sent = await fetch(`${api}/api/accounts/public/email/send?email=${address}`, {
    method: 'POST',
    headers: { 'x-request-id': 'asked-once', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
  })
  expect(sent.status, await sent.text()).toBeLessThan(300)
  await expect.poll(() => metricsOf(api)).toMatch(/clear_job_seconds_count\{kind="mail",outcome="done"\} \d/)
  const work = beginSpan('job of a film', 'job', {})
  await within(work, () => runBoxed({ program: 'ffprobe', args: ['-version'] }))
  await within(work, () => runBoxed({ program: 'ffprobe', args: ['/nobody.in-particular@mail.test'] }))
  work!.end({})
  await runBoxed({ program: 'ffprobe', args: ['-version'] })
  await traces.close()

  const film = otlp.spans.find(({ name }) => name === 'job of a film')!
  const programs = otlp.spans.filter(({ name, traceId }) => name === 'run ffprobe' && traceId !== ofPage)
  expect(programs.map(({ attributes }) => attributes['clear.ending'])).toEqual(['done', 'exit'])
  for (const { traceId, parentSpanId } of programs)
    expect({ traceId, parentSpanId }).toEqual({ traceId: film.traceId, parentSpanId: film.spanId })
  const request = otlp.spans.find(({ attributes }) => attributes['clear.request_id'] === 'asked-once')!
  expect(request).toMatchObject({
    name: 'POST /api/accounts/public/email/send',
    kind: 2,
    parentSpanId: '',
    status: 0,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/accounts/public/email/send',
      'http.response.status_code': sent.status,
      'clear.tenant': 'nobody',
    },
    resource: { 'service.name': 'clear-to-post', 'clear.role': 'all' },
  })
  // What a stranger says of a trace is not believed.
  expect(request.traceId).not.toBe('a'.repeat(32))
  const job = otlp.spans.find(({ name }) => name === 'job mail')!
  expect(job).toMatchObject({
    kind: 5,
    traceId: request.traceId,
    parentSpanId: request.spanId,
    attributes: { 'clear.job': 'mail', 'clear.attempt': 1, 'clear.outcome': 'done' },
  })
  expect(otlp.asked[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer a key', 'x-team': 'video', 'content-type': 'application/x-protobuf' },
  })
  for (const { body } of otlp.asked) expect(body.includes('in-particular')).toBe(false)
})

it('a receiver of traces that is away costs nobody a request, and holds up no end', async () => {
  const otlp = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, share: 1 }
  const away = await openTraces({ otlp, role: 'all' })
  expect((await fetch(`${api}/health/live`)).status).toBe(200)
  await away.close()
  expect((await fetch(`${api}/health/live`)).status).toBe(200)
})

it('every metric and label of deploy/alerts.yaml is one that the service says, and every alert has its remedy', async () => {
  await fetch(`${api}/health/ready`)
  await expect.poll(() => metricsOf(api)).toContain('task="due projects"')
  const said = new Map<string, Map<string, Set<string>>>()
  for (const [, name, labels = ''] of `${await metricsOf(api)}\n${await metricsOf(probes)}`.matchAll(
    /^(\w+)(?:\{(.*)\})? \S+$/gm,
  )) {
    const known = said.get(name!) ?? new Map<string, Set<string>>()
    for (const [, label, value] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label!, (known.get(label!) ?? new Set()).add(value!))
    said.set(name!, known)
  }
  type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string } }
  const { groups } = parse(readFileSync(join(root, 'deploy/alerts.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap((group) => group.rules)
  const byPrometheus = ['instance']
  for (const { alert, expr, labels, annotations } of rules) {
    expect(['page', 'ticket'], alert).toContain(labels.severity)
    expect(annotations.summary, alert).toMatch(/^\S.*[^.]$/)
    const metrics = [...expr.matchAll(/\b((?:clear|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]
    expect(metrics.length, alert).toBeGreaterThan(0)
    const known = metrics.flatMap(([, name, matchers = '']) => {
      expect([...said.keys()], alert).toContain(name)
      for (const [, label, how, value] of matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)) {
        const values = said.get(name!)!.get(label!)
        expect(values, `${alert}: ${name} has no ${label}`).toBeDefined()
        const isOpen = ['outcome', 'status'].includes(label!)
        if (how === '=' && !isOpen) expect([...values!], `${alert}: ${label}`).toContain(value)
        if (how === '=~' && label === 'condition')
          for (const one of value!.split('|')) expect(conditions.map(({ name }) => name)).toContain(one)
      }
      return [...said.get(name!)!.keys()]
    })
    for (const [, names] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of names!.split(/, */)) expect([...known, ...byPrometheus], alert).toContain(label)
  }
  // Prometheus puts a label of ours aside that it has itself, and a rule that names it means another thing.
  for (const [name, labels] of said)
    for (const own of ['job', 'instance']) expect([...labels.keys()], name).not.toContain(own)
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('## Alerts')[1]!.split('\n## ')[0]!
  const remedies = [...page.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, name]) => name)
  expect(remedies).toEqual(rules.map(({ alert }) => alert))
})

it('a request is counted by its route and never by its address, whatever it asks for', async () => {
  // What this process counted before, for another test too, is taken off.
  const counted = (text: string) =>
    ['/calendar/:secret', 'none'].map((route) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`clear_request_seconds_count{method="GET",route="${route}",status="4xx"}`))
          ?.split(' ')
          .at(-1) ?? 0,
      ),
    )
  const before = counted(await metricsOf(api))
  await fetch(`${api}/calendar/a-secret-of-somebody`)
  await fetch(`${api}/no/such/page/as-this`)
  const text = await metricsOf(api)
  expect(counted(text)).toEqual(before.map((count) => count + 1))
  expect(text).not.toMatch(/a-secret-of-somebody|as-this/)
})

it('a worker or a clock answers its probes at PROBE_PORT and nothing else, and its figures to the token alone', async () => {
  expect((await fetch(`${probes}/health/live`)).status).toBe(200)
  const ready = (await (await fetch(`${probes}/health/ready`)).json()) as { parts: Record<string, { ok: boolean }> }
  expect(ready.parts['database']).toMatchObject({ ok: true })
  expect(
    (await fetch(`${probes}/metrics`, { headers: { authorization: 'Bearer another', 'x-forwarded-for': '10.0.0.1' } }))
      .status,
  ).toBe(404)
  expect(await metricsOf(probes)).toContain('clear_task_seconds_bucket')
  expect((await fetch(`${probes}/api/accounts/user/info`)).status).toBe(404)
})

it('OpenTelemetry’s packages are loaded by outside/traces.ts alone, when there is somewhere to send to', async () => {
  const sources = readdirSync(join(root, 'server/src'), { recursive: true }) as string[]
  const named = sources.filter(
    (file) => file.endsWith('.ts') && readFileSync(join(root, 'server/src', file), 'utf8').includes('@opentelemetry/'),
  )
  expect(named).toEqual(['outside/traces.ts'])
  expect(readFileSync(join(root, 'server/src/outside/traces.ts'), 'utf8')).not.toMatch(/from '@opentelemetry/)
  expect(readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).otlp).toBeUndefined()
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: 'a key without a name' })).toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS should be',
  )
  expect(() => readConfig({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('OTEL_TRACES_SAMPLER_ARG should be')
})
