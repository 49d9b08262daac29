// @module-tag long
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { edits } from '@clear-to-post/contract/edits'
import { MediaTrouble } from '@clear-to-post/media/ffmpeg'
import { ffmpegPath, ffprobePath } from '@clear-to-post/media/tools'
import { probe } from '@clear-to-post/media/probe'
import { ffmpeg, quick } from '../../media/test/footage.ts'
import { ingestAsset } from '../src/assets/ingest.ts'
import { sql } from '../src/kernel/database.ts'
import { faultsOf } from './ledger.ts'
import { boundMemory } from './memory.ts'
import { startProcess, type Started } from './processes.ts'
import { isLong } from './random.ts'
import { openRenders } from './renders.ts'
import { callAs, headersOf, makePerson, openService, type Service } from './service.ts'

const MiB = 2 ** 20
/** What small files and renders stay below, several of them together; the large ones need twice as much. */
const mayHold = 150 * MiB
const minutes = isLong ? 30 : 2
const hasProc = existsSync('/proc/self/statm')

let service: Service
let folder: string
/** Some seconds of work for a worker, in little memory. */
let small: string
/** A good video that takes more than 300 MiB to look at. */
let large: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-memory-'))
  small = join(folder, 'small.mp4')
  large = join(folder, 'large.mp4')
  const clip = (size: string, seconds: number) =>
    `-f lavfi -i testsrc2=s=${size}:r=30:d=${seconds} -f lavfi -i sine=d=${seconds} -shortest ${quick} -c:a aac`
  ffmpeg(`${clip('180x320', 20)} @`, small)
  ffmpeg(`${clip('3840x2160', 0.7)} -refs 16 @`, large)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  service = await openService()
})
afterEach(async () => {
  expect(await faultsOf(service)).toEqual([])
  await service.close()
})

const levels = isLong ? [8, 16, 24, 32, 44, 56, 68, 80, 104, 128, 160, 200, 240, 320, 480] : [8]

it(
  `with less than ${levels.join(', ')} MiB a good file is not called damaged, and is ingested with more`,
  async ({ onTestFinished }) => {
    onTestFinished(() => beginPrograms(null))
    const outcomes: string[] = []
    const whole = isLong ? large : small
    let id = await send(whole)
    for (const level of levels) {
      await beginPrograms(`ulimit -d ${level * 1024}`)
      const outcome = await tryIngest(id)
      outcomes.push(`${level} MiB: ${outcome}`)
      expect(['done', 'memory'], outcomes.at(-1)).toContain(outcome)
      if (outcome === 'memory') continue
      await beginPrograms(null)
      await expectWhole(id, whole)
      id = await send(whole)
    }
    await beginPrograms(null)
    expect(await tryIngest(id)).toBe('done')
    await expectWhole(id, whole)
    expect(outcomes.join()).toContain('memory')
    console.log(`out-of-memory: by ulimit -d: ${outcomes.join(', ')}`)
  },
  minutes * 60_000,
)

it('a good file whose programs are killed each time is marked failed, with a reason that names memory', async ({
  onTestFinished,
}) => {
  onTestFinished(() => beginPrograms(null))
  const id = await send(small)
  await beginPrograms('kill -9 $$')
  expect(await tryIngest(id)).toBe('memory')
  expect(await tryIngest(id)).toBe('memory')
  expect(await assetOf(id)).toMatchObject({ state: 'checking' })
  expect(await tryIngest(id, { lastAttempt: true })).toBe('done')
  expect(await assetOf(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/memory.*Send it again/) })
})

for (const culprit of isLong ? (['upload', 'render'] as const) : (['upload'] as const))
  it.runIf(hasProc)(
    `${culprit === 'upload' ? 'an upload' : 'a render'} that exhausts the worker’s memory twice is given up, and other work is done`,
    async ({ onTestFinished }) => {
      const worker = keepWorker()
      onTestFinished(worker.end)
      const renders = isLong ? await openRenders(service) : null
      onTestFinished(async () => renders?.close())
      const project = await renders?.prepare(0, culprit === 'render' ? 2160 : 180)
      const beside = [await send(small), ...(culprit === 'render' ? [await send(small)] : [])]
      const poison = culprit === 'upload' ? await send(large) : null
      if (renders && project) await render(renders.editor, project)
      worker.begin()

      if (poison) {
        await until(async () => (await assetOf(poison)).state === 'failed')
        expect(await assetOf(poison)).toMatchObject({ reason: expect.stringContaining('twice') })
      }
      if (renders && project) {
        const [made] = await rendered(renders, project)
        if (culprit === 'render') {
          expect(made).toMatchObject({ state: 'failed', reason: expect.stringContaining('twice'), actions: [] })
          expect(await renders.cutsOf(project.project)).toEqual([])
        } else expect(made).toMatchObject({ state: 'done' })
      }
      for (const id of beside) {
        await until(() => isSettled(id))
        // It was being worked on when the worker died.
        expect((await assetOf(id)).attempt).toBeGreaterThan(1)
        await expectWhole(id, small)
      }
      expect(worker.deaths()).toBe(2)
      console.log(`out-of-memory: two deaths over the ${culprit}; killed: ${worker.guard.state.killed.join(', ')}`)
    },
    minutes * 60_000,
  )

it.runIf(isLong && hasProc)(
  'when the kernel kills a program for memory the worker survives, and files and renders continue or say why',
  async ({ onTestFinished }) => {
    const renders = await openRenders(service)
    onTestFinished(renders.close)
    const project = await renders.prepare(0, 2160)
    const worker = await startWorker()
    onTestFinished(async () => void (await worker.end('SIGKILL')))
    const guard = boundMemory(() => worker.child.pid, 'first')
    onTestFinished(guard.end)
    guard.state.mayHold = mayHold

    // Memory is free again after the first kill: no failure is shown.
    const patient = await send(large)
    await until(async () => guard.state.killed.length > 0)
    guard.state.mayHold = Infinity
    await until(() => isSettled(patient))
    await expectWhole(patient, large)

    guard.state.mayHold = mayHold
    const hopeless = await send(large)
    await render(renders.editor, project)
    const beside = await send(small)
    await until(() => isSettled(beside))
    await expectWhole(beside, small)
    await until(() => isSettled(hopeless))
    expect(await assetOf(hopeless)).toMatchObject({ state: 'failed', reason: expect.stringContaining('memory') })
    const [made] = await rendered(renders, project)
    expect(made).toMatchObject({ state: 'failed', reason: expect.stringContaining('memory'), actions: ['retry'] })
    expect(await renders.cutsOf(project.project)).toEqual([])
    expect(guard.state.killed.filter((name) => !/^(ffmpeg|ffprobe)$/.test(name))).toEqual([])
    expect(worker.child.exitCode ?? worker.child.signalCode).toBe(null)
    console.log(`out-of-memory: killed: ${guard.state.killed.join(', ')}`)
  },
  minutes * 60_000,
)

/** Sends a file, each from another person. Answers its id. */
const send = async (path: string): Promise<string> => {
  const bytes = await readFile(path)
  const created = await service.app.inject({
    method: 'POST',
    url: '/uploads',
    headers: {
      ...headersOf(await makePerson(service, 'User')),
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('talk.mp4').toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    payload: bytes,
  })
  expect(created.statusCode).toBe(201)
  return String(created.headers.location).split('/').at(-1)!
}

type Asset = {
  state: string
  stage: string | null
  reason: string | null
  attempt: number
  sha256: string | null
  derived: Record<string, string>
}

const assetOf = async (id: string): Promise<Asset> =>
  (await service.database.asSystem((tx) =>
    tx.first(sql<Asset>`select state, stage, reason, attempt, sha256, derived from asset where id = ${id}`),
  ))!

const isSettled = async (id: string): Promise<boolean> => {
  const { state, stage } = await assetOf(id)
  return ['ready', 'rejected', 'failed'].includes(state) && stage === null
}

const until = (isSo: () => Promise<boolean>) =>
  expect.poll(isSo, { timeout: minutes * 60_000, interval: 50 }).toBe(true)

/** One run of a file's checks, here. Answers how it ended: `done`, or the reason of its MediaTrouble. */
const tryIngest = async (id: string, { lastAttempt = false } = {}): Promise<string> => {
  const context = { database: service.database, log, signal: new AbortController().signal, lastAttempt }
  try {
    await ingestAsset(context, id)
    return 'done'
  } catch (error) {
    if (error instanceof MediaTrouble) return error.reason
    throw error
  }
}

/** From now on ffmpeg and ffprobe begin with this line of shell; null lets them be as they are. */
const beginPrograms = async (line: string | null): Promise<void> => {
  delete process.env.FFMPEG_PATH
  delete process.env.FFPROBE_PATH
  if (line === null) return
  const [realFfmpeg, realFfprobe] = [await ffmpegPath(), await ffprobePath()]
  const script = async (name: string, program: string) => {
    const path = join(folder, name)
    await writeFile(path, `#!/bin/sh\n${line}\nexec ${program} "$@"\n`, { mode: 0o755 })
    return path
  }
  process.env.FFMPEG_PATH = await script('ffmpeg', realFfmpeg)
  process.env.FFPROBE_PATH = await script('ffprobe', realFfprobe)
}

/** The file is the one that was sent, and all that is shown of it is there and plays. */
const expectWhole = async (id: string, path: string): Promise<void> => {
  const row = await assetOf(id)
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  expect(row, row.reason ?? '').toMatchObject({ state: 'ready', reason: null, sha256 })
  const { original, proxy, poster, thumb, peaks } = row.derived
  const at = (file: string | undefined) => join(service.config.dataDir, 'media', 'assets', id, file!)
  for (const file of [original, proxy, poster, thumb, peaks]) expect((await stat(at(file))).size).toBeGreaterThan(0)
  const [whole, copy] = [await probe(path), await probe(at(proxy))]
  if (!whole.ok || !copy.ok) throw new Error('A published copy does not play')
  expect(Math.abs(copy.durationMs - whole.durationMs)).toBeLessThan(200)
}

type Renders = Awaited<ReturnType<typeof openRenders>>
type Prepared = Awaited<ReturnType<Renders['prepare']>>

const render = async (editor: Renders['editor'], { project, revision }: Prepared): Promise<void> =>
  void (await callAs(service, editor)(edits.render, { params: { projectId: project.id }, body: { revision } }))

const rendered = async (renders: Renders, { project }: Prepared) => {
  const made = () => renders.rendersOf(project)
  await until(async () => (await made()).every(({ state, asset }) => state === 'failed' || asset?.state === 'ready'))
  return made()
}

const startWorker = () =>
  startProcess('server/test/killed-server.ts', ['worker', service.urls.appUrl, service.config.dataDir])

/** A worker that is started again whenever it dies, as a supervisor does, and dies with its programs when they hold too much. */
const keepWorker = () => {
  let worker: Started | undefined
  let running: Promise<void> | undefined
  let isOver = false
  let deaths = 0
  const guard = boundMemory(() => worker?.child.pid, 'all')
  guard.state.mayHold = mayHold
  const run = async () => {
    while (!isOver) {
      worker = await startWorker()
      await once(worker.child, 'exit')
      worker = undefined
      if (isOver) return
      deaths++
      // What the queue does when heartbeats are missed; the long form waits for it.
      if (!isLong)
        await service.database.asSystem((tx) =>
          tx.count(sql`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`),
        )
    }
  }
  return {
    guard,
    begin: () => void (running = run()),
    deaths: () => deaths,
    end: async () => {
      isOver = true
      await guard.end()
      await worker?.end('SIGKILL')
      await running
    },
  }
}

const log = pino({ level: 'silent' })
