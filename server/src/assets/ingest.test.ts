import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assets } from '@clear-to-post/contract/assets'
import { projects } from '@clear-to-post/contract/projects'
import { copied } from '@clear-to-post/domain/upload-room'
import { makeClip } from '@clear-to-post/media/make-clip'
import type { VideoTrack } from '@clear-to-post/media/probe'
import { proxyFps, proxySize } from '@clear-to-post/media/proxy'
import { readyFile } from '../../test/ready-file.ts'
import { callAs, makePerson, openService, type Person, type Service } from '../../test/service.ts'
import { startProcess } from '../../test/processes.ts'
import { storage } from '../outside/storage.ts'
import { sql } from '../kernel/database.ts'
import { startWorker } from '../main/worker.ts'
import { putFile } from './actions.ts'
import { enqueueIngest } from './ingest-queue.ts'
import { ingestAsset } from './ingest.ts'
import { sweepExpired } from './jobs.ts'

let service: Service
let folder: string
let clip: string
let long: string
let officer: Person
const log = pino({ level: 'silent' })

beforeAll(async () => {
  service = await openService()
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-clips-'))
  clip = join(folder, 'clip.mp4')
  long = join(folder, 'long.mp4')
  await makeClip({ out: clip, seconds: 3, width: 360, height: 640, hue: 40 })
  await makeClip({ out: long, seconds: 4, width: 540, height: 960, hue: 200 })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  officer = await makePerson(service, 'User')
})

describe('the ingest of an upload, from the first byte to the last derivative', () => {
  it('makes a video ready, with every derivative served', async () => {
    const bytes = await readFile(clip)
    await using worker = await working()
    const id = await upload(bytes, 'My talk.mov')
    const asset = await settled(id)
    await worker.close()
    expect(asset).toMatchObject({ state: 'ready', type: 'video', width: 360, height: 640, fileName: 'My talk.mov' })
    expect(asset).toMatchObject({
      sha256: createHash('sha256').update(bytes).digest('hex'),
      receivedBytes: bytes.length,
    })
    expect(asset.duration).toBeCloseTo(3, 0)
    expect(asset.stage).toBeUndefined()
    expect(asset.progress).toBeUndefined()
    expect(asset.filmstrip).toMatchObject({ columns: expect.any(Number), tileWidth: expect.any(Number) })
    const kinds = {
      [asset.assetUrl]: 'video/mp4',
      [asset.playUrl!]: 'video/mp4',
      [asset.posterUrl!]: 'image/jpeg',
      [asset.thumbnailUrl]: 'image/jpeg',
      [asset.peaksUrl!]: 'application/json',
      [asset.filmstrip!.url]: 'image/jpeg',
    }
    expect(Object.keys(kinds)).toHaveLength(6)
    for (const [url, type] of Object.entries(kinds)) {
      const answer = await service.app.inject({ url })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe(type)
      if (url === asset.assetUrl) expect(answer.rawPayload.equals(bytes)).toBe(true)
    }
    expect(await readdir(join(service.config.dataDir, 'media', 'quarantine'))).toEqual([])
    expect((await readdir(join(service.config.dataDir, 'media', 'assets', id))).toSorted()).toEqual([
      '1',
      'original.mp4',
    ])
  })

  it('refuses files that are no video with a reason, and removes them', async () => {
    await using worker = await working()
    const whole = await readFile(clip)
    const refused: [name: string, bytes: Buffer, words: RegExp][] = [
      ['empty.mp4', Buffer.alloc(0), /empty/],
      ['page.mp4', Buffer.from('<!doctype html><script>alert(1)</script>'), /web page/],
      ['drawing.mp4', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /drawing/],
      ['playlist.mp4', Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'), /only lists/],
      ['concat.mp4', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"), /only lists/],
      ['text.mp4', Buffer.from('Dear editor, here is my script. '.repeat(200)), /text, not a video/],
      ['archive.mp4', Buffer.from('PK\x03\x04 and more'), /archive/],
      ['paper.mp4', Buffer.from('%PDF-1.7 and more'), /document/],
      ['program.mp4', Buffer.from('\x7fELF and more', 'latin1'), /program/],
      ['noise.mp4', Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919 + 129) % 256)), /not recognise/],
      ['truncated.mp4', whole.subarray(0, Math.floor(whole.length * 0.6)), /end of this file is missing/],
      ['no-index.mp4', withoutIndex(whole), /cut off|missing/],
    ]
    const people = await Promise.all(refused.map(() => makePerson(service, 'User')))
    const ids = await Promise.all(refused.map(([name, bytes], n) => upload(bytes, name, people[n])))
    for (const [n, [name, , words]] of refused.entries()) {
      const asset = await settled(ids[n]!, people[n])
      expect({ name, state: asset.state }).toEqual({ name, state: 'rejected' })
      expect(asset.error).toMatch(words)
      expect(asset).toMatchObject({ assetUrl: '', thumbnailUrl: '' })
      expect(asset.playUrl).toBeUndefined()
    }
    await worker.close()
    expect(await readdir(join(service.config.dataDir, 'media', 'quarantine'))).toEqual([])
    const kept = await readdir(join(service.config.dataDir, 'media', 'assets'))
    expect(kept.filter((id) => ids.includes(id))).toEqual([])
  })
})

it('a file that crashes the decoder ends only its own child process', async () => {
  const poisoned = join(folder, 'ffmpeg')
  await writeFile(poisoned, '#!/bin/sh\nkill -SEGV $$\n')
  await chmod(poisoned, 0o755)
  process.env.FFMPEG_PATH = poisoned
  try {
    await expect(putFile(service.database, officer, { path: clip }, { log })).rejects.toThrow('damaged')
  } finally {
    delete process.env.FFMPEG_PATH
  }
  expect(await putFile(service.database, officer, { path: clip }, { log })).toMatch(/-/)
})

describe('a ready file that turns out to be damaged', () => {
  const withBrokenProxies = async <T>(work: () => Promise<T>): Promise<T> => {
    const broken = join(folder, 'late', 'ffmpeg')
    await mkdir(join(folder, 'late'), { recursive: true })
    await writeFile(broken, `#!/bin/sh\ncase "$*" in *proxy.mp4*) ${waitsForGo}; exit 1;; *) exec ffmpeg "$@";; esac\n`)
    await chmod(broken, 0o755)
    process.env.FFMPEG_PATH = broken
    return work().finally(() => delete process.env.FFMPEG_PATH)
  }

  it('is taken back when nobody uses it', async () => {
    const id = await received(clip)
    await withBrokenProxies(async () => {
      const running = run(id)
      await go(id)
      await running
    })
    expect(await rowOf(id)).toMatchObject({ state: 'rejected', reason: expect.stringContaining('damaged') })
    expect(await filesOf(id)).toEqual([])
  })

  it('stays when a project uses it, with a note', async () => {
    const id = await received(clip)
    await withBrokenProxies(async () => {
      const running = run(id)
      await until(async () => (await rowOf(id)).stage === 'playback copy')
      await callAs(service, officer)(projects.create, { body: { title: 'Mine', assets: [id] } })
      await go(id)
      await running
    })
    const left = await callAs(service, officer)(assets.find, { params: { assetId: id } })
    expect(left).toMatchObject({ state: 'ready', notes: [expect.stringContaining('No playback copy')] })
    expect((await service.app.inject({ url: left.assetUrl })).statusCode).toBe(200)
  })
})

describe('repeated, parallel and crashed ingests', () => {
  it('a second run of a finished ingest changes nothing', async () => {
    const id = await putFile(service.database, officer, { path: clip }, { log })
    const before = await rowOf(id)
    await run(id)
    expect(await rowOf(id)).toEqual(before)
  })

  it('of two parallel runs the newer one publishes, completely, and the other’s files are removed', async () => {
    const id = await received(clip)
    await Promise.all([run(id), sleep(300).then(() => run(id))])
    const row = await rowOf(id)
    expect(row).toMatchObject({ state: 'ready', stage: null, attempt: 2 })
    await expectWhole(id)
  })

  it('files that others make of one while it is checked stay when the checks end, before they are named', async () => {
    const id = await received(clip)
    const beside = ['15623759141231230/fit.mp4', '001/way.json', '12/proxy.mp4']
    for (const name of beside) {
      const [folder = '', file = ''] = name.split('/')
      await writeFile(join(await storage().makeFolder(id, folder), file), 'made of it')
      await storage().settle(id, name)
    }
    await run(id)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', stage: null, attempt: 1 })
    expect(await filesOf(id)).toEqual(expect.arrayContaining(beside))
  })

  it('a run that was superseded while it slept publishes nothing', { tags: 'long' }, async () => {
    const id = await received(clip)
    const late = join(folder, 'asleep', 'ffmpeg')
    await mkdir(join(folder, 'asleep'))
    await writeFile(late, '#!/bin/sh\ncase "$*" in *proxy.mp4*) sleep 5;; esac\nexec ffmpeg "$@"\n')
    await chmod(late, 0o755)
    process.env.FFMPEG_PATH = late
    const first = run(id)
    await until(async () => (await rowOf(id)).stage === 'playback copy').finally(() => delete process.env.FFMPEG_PATH)
    await run(id)
    const published = await rowOf(id)
    expect(published).toMatchObject({ state: 'ready', stage: null, attempt: 2, derived: { proxy: '2/proxy.mp4' } })
    await first
    expect(await rowOf(id)).toEqual(published)
    await expectWhole(id)
  })

  it('an ingest whose worker is killed is finished by the next worker', { tags: 'long' }, async () => {
    for (const stage of ['checking', 'playback copy']) {
      const id = await received(long, true)
      await killWorkerAt(id, 1, stage)
      await run(id)
      expect(await rowOf(id)).toMatchObject({ state: 'ready', stage: null, attempt: 2 })
      await expectWhole(id)
    }
  })

  it(
    'a file whose ingest kills two workers waits an hour, and is marked failed when a third one dies',
    { tags: 'long' },
    async () => {
      const id = await received(long, true)
      await killWorkerAt(id, 1, 'checking')
      await killWorkerAt(id, 2, 'checking')
      await run(id)
      expect(await rowOf(id)).toMatchObject({ state: 'checking', stage: expect.stringContaining('within the hour') })
      await anHourLater(id)
      await killWorkerAt(id, 4, 'checking')
      await run(id)
      expect(await rowOf(id)).toMatchObject({
        state: 'failed',
        stage: null,
        reason: expect.stringMatching(/three times.*send the new copy/),
      })
      expect(await filesOf(id)).toEqual([])
    },
  )

  it('a file over which workers died twice rests for an hour, whoever begins it sooner, and then becomes ready', async () => {
    const id = await received(clip)
    await withoutJob(id)
    await changed(id, sql`derived = '{"crashes": 2}'`)
    for (const startOf of ['the next try', 'a try of a job that was repeated']) {
      const before = Date.now()
      await run(id)
      const row = await rowOf(id)
      expect(row, startOf).toMatchObject({
        state: 'checking',
        stage: 'our service stopped twice meanwhile: this file is safely here, and is checked again within the hour',
        derived: { crashes: 1 },
      })
      const waits = await service.database.asSystem((tx) =>
        tx.rows(sql<{ start_after: Date }>`
          select start_after from pgboss.job where name = 'ingest' and state < 'active' and data->>'assetId' = ${id}`),
      )
      expect(waits.length, startOf).toBeGreaterThan(0)
      for (const { start_after } of waits)
        expect(Math.abs(start_after.getTime() - before - 3_600_000), startOf).toBeLessThan(120_000)
    }
    await anHourLater(id)
    await run(id)
    expect(await rowOf(id)).toMatchObject({ state: 'ready', stage: null })
    expect((await rowOf(id)).derived).not.toHaveProperty('restsUntil')
    await expectWhole(id)
  })

  it('a video that is ready stays, with a note, where workers die over its playback copy; nothing of it is lost', async () => {
    const id = await upload(await readFile(clip), 'stays.mp4')
    await withoutJob(id)
    await run(id)
    await changed(
      id,
      sql`stage = 'playback copy', derived = derived - 'play' - 'proxy' - 'filmstrip'
        || jsonb_build_object('crashes', 2, 'restsUntil', now() - interval '1 minute')`,
    )
    await run(id)
    const { state, stage, derived, ...row } = await rowOf(id)
    expect({ state, stage }).toEqual({ state: 'ready', stage: null })
    expect(row).toMatchObject({
      reason: null,
      notes: expect.arrayContaining([expect.stringMatching(/^No playback copy .*stopped three times/)]),
    })
    expect(derived['play']).toBe(derived['original'])
    expect(await filesOf(id)).toContain(derived['original'])

    // A cut is reviewed by its copy.
    const cut = await upload(await readFile(clip), 'cut.mp4')
    await withoutJob(cut)
    await run(cut)
    await changed(
      cut,
      sql`purpose = 'cut', stage = 'playback copy', derived = derived || jsonb_build_object('crashes', 2, 'restsUntil', now() - interval '1 minute')`,
    )
    await run(cut)
    expect(await rowOf(cut)).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('stopped three times'),
    })
  })

  it(
    'a worker that is shut down hands its ingest to the next one, without counting a crash',
    { tags: 'long' },
    async () => {
      const id = await received(long, true)
      const first = await working()
      await until(async () => (await rowOf(id)).stage === 'playback copy')
      await first.close()
      // It did not wait for the end of the copy.
      expect(await rowOf(id)).toMatchObject({ state: 'ready', derived: { crashes: 0 } })
      await using next = await working()
      expect(await settled(id)).toMatchObject({ state: 'ready' })
      await next.close()
      await expectWhole(id)
    },
  )

  it(
    'a film that is more work than its author may ask for is refused in words, and nothing of it stays',
    { tags: 'long' },
    async () => {
      const film = join(folder, 'eleven-minutes.mp4')
      const still = ['-f', 'lavfi', '-i', 'color=s=64x64:r=1:d=660', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', film]
      await promisify(execFile)('ffmpeg', ['-v', 'error', ...still])
      const stranger = await makePerson(service, 'User', { isEmailVerified: false })
      const refused = await upload(await readFile(film), 'film.mp4', stranger)
      await ingestAsset(context(), refused)
      expect(await rowOf(refused)).toMatchObject({
        state: 'rejected',
        reason: expect.stringMatching(/^This file is 11 minutes long, and we take 10 at most\./),
      })
      expect(await readdir(join(service.config.dataDir, 'media', 'quarantine'))).not.toContain(refused)
      // Its copy would take as long as all the rest.
      const taken = await upload(await readFile(film), 'film.mp4')
      const stop = new AbortController()
      const running = ingestAsset({ ...context(), signal: stop.signal }, taken).catch((error: unknown) => error)
      await until(async () => (await rowOf(taken)).state === 'ready')
      stop.abort()
      await running
      await withoutJob(taken)
      expect(await rowOf(taken)).toMatchObject({ state: 'ready', reason: null })
    },
  )

  it('a long film is checked, and its copy is made in the lane for long ones', { tags: 'long' }, async () => {
    const id = await upload(await readFile(clip), 'long.mp4')
    await ingestAsset(context(), id)
    const jobs = () =>
      service.database.asSystem((tx) =>
        tx.rows(sql<{ data: object; priority: number }>`
          select data, priority from pgboss.job
          where name = 'ingest' and data->>'assetId' = ${id} and data ? 'isLong'`),
      )
    expect(await jobs()).toEqual([])
    await service.database.asSystem((tx) =>
      tx.count(sql`
        update asset set state = 'checking', stage = 'checking',
          probe = jsonb_set(probe, '{durationMs}', '36000000'), derived = derived - 'play' - 'proxy'
        where id = ${id}`),
    )
    await ingestAsset(context(), id, { mayBeLong: false })
    expect(await rowOf(id)).toMatchObject({ state: 'checking' })
    expect(await jobs()).toMatchObject([{ data: { assetId: id, isLong: true } }])
    expect((await jobs())[0]!.priority).toBeLessThanOrEqual(-1000)
  })

  it('a long cut is asked what it hides in the lane for long ones', { tags: 'long' }, async () => {
    const film = join(folder, 'long-cut.mp4')
    const still = '-f lavfi -i color=s=1920x1080:r=1/20:d=1500 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
    await promisify(execFile)('ffmpeg', `-v error -y ${still} ${film}`.split(' '))
    const id = await upload(await readFile(film), 'cut.mp4', await makePerson(service, 'Editor'))
    await withoutJob(id)
    await service.database.asSystem((tx) => tx.count(sql`update asset set purpose = 'cut' where id = ${id}`))
    await ingestAsset(context(), id, { mayBeLong: false })
    expect(await rowOf(id)).toMatchObject({ state: 'checking', probe: null })
    const enqueued = await service.database.asSystem((tx) =>
      tx.rows(sql<{ data: object }>`select data from pgboss.job where data->>'assetId' = ${id}`),
    )
    expect(enqueued).toMatchObject([{ data: { assetId: id, isLong: true } }])
    await withoutJob(id)
  })

  it('a file that takes more of a processor than it seemed to is left to the lane for long ones, and refused there', async () => {
    const id = await upload(await readFile(clip), 'heavy.mp4')
    await withoutJob(id)
    await mkdir(join(folder, 'heavy'))
    const heavy = join(folder, 'heavy', 'ffmpeg')
    await writeFile(heavy, '#!/bin/sh\ncase "$*" in *proxy.mp4*) kill -XCPU $$;; esac\nexec ffmpeg "$@"\n')
    await chmod(heavy, 0o755)
    process.env.FFMPEG_PATH = heavy
    try {
      await ingestAsset(context(), id, { mayBeLong: false })
      expect(await rowOf(id)).toMatchObject({ state: 'ready', derived: { crashes: 0 } })
      const enqueued = await service.database.asSystem((tx) =>
        tx.rows(sql<{ data: object }>`select data from pgboss.job where data->>'assetId' = ${id}`),
      )
      expect(enqueued).toMatchObject([{ data: { assetId: id, isLong: true } }])
      await run(id)
    } finally {
      delete process.env.FFMPEG_PATH
    }
    expect(await rowOf(id)).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('far more work than a video should'),
    })
    await withoutJob(id)
  })

  it('a cut with a second picture, which a network may play unreviewed, is refused; a recording with one is taken', async () => {
    const two = join(folder, 'two.mp4')
    const args = `-v error -y -i ${clip} -i ${long} -map 0 -map 1:v -c copy ${two}`.split(' ')
    await promisify(execFile)('ffmpeg', args)
    const [recording, cut] = [await received(two), await received(two)]
    await service.database.asSystem((tx) => tx.count(sql`update asset set purpose = 'cut' where id = ${cut}`))
    await run(recording)
    await run(cut)
    expect(await rowOf(recording)).toMatchObject({ state: 'ready' })
    expect(await rowOf(cut)).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('more than one picture or sound track'),
    })
  })

  it('a cut with captions of its own, a cover, or parts that its edit list hides is refused; a time code is taken', async () => {
    const words = join(folder, 'words.srt')
    await writeFile(words, '1\n00:00:00,000 --> 00:00:01,000\nNobody read this.\n')
    const make = async (line: string) => {
      const file = join(folder, 'unseen.mov')
      await promisify(execFile)('ffmpeg', `-v error -y ${line} ${file}`.split(' '))
      return readFile(file)
    }
    const began = async (bytes: Buffer, purpose: 'cut' | 'source') => {
      const id = await upload(bytes, 'Cut.mov')
      await service.database.asSystem((tx) => tx.count(sql`update asset set purpose = ${purpose} where id = ${id}`))
      await run(id)
      return rowOf(id)
    }
    const captioned = await make(`-i ${clip} -i ${words} -c copy -c:s mov_text`)
    const cover = join(folder, 'cover.png')
    await promisify(execFile)('ffmpeg', `-v error -y -i ${clip} -frames:v 1 ${cover}`.split(' '))
    const covered = await make(`-i ${clip} -i ${cover} -map 0 -map 1 -c copy -disposition:v:1 attached_pic -f mp4`)
    const timed = await make(`-i ${clip} -c copy -timecode 01:00:00:00`)
    const trimmed = await readFile(clip)
    trimmed.writeUInt32BE(1000, trimmed.indexOf('elst') + 12)
    expect(await began(captioned, 'cut')).toMatchObject({
      state: 'rejected',
      reason: expect.stringContaining('captions or chapters of its own'),
    })
    expect(await began(covered, 'cut')).toMatchObject({ state: 'rejected', reason: expect.stringContaining('a cover') })
    expect(await began(covered, 'source')).toMatchObject({ state: 'ready' })
    expect(await began(trimmed, 'cut')).toMatchObject({
      state: 'rejected',
      reason: expect.stringMatching(/more than a second that it hides.* encoded anew, not only trimmed/),
    })
    const mixed = await readFile(clip)
    mixed.writeUInt32BE(2, mixed.indexOf('stsd') + 8)
    expect(await began(mixed, 'cut')).toMatchObject({
      state: 'rejected',
      reason: expect.stringMatching(/in more than one format.* encoded anew, not only trimmed/),
    })
    const whole = await readFile(clip)
    const twofold = Buffer.concat([whole, whole.subarray(whole.indexOf('moov') - 4)])
    expect(await began(twofold, 'cut')).toMatchObject({
      state: 'rejected',
      reason: expect.stringMatching(/more than one film.* encoded anew, not only trimmed/),
    })
    expect(await began(timed, 'cut')).toMatchObject({ state: 'ready' })
    expect(await began(trimmed, 'source')).toMatchObject({ state: 'ready' })
  })

  it('a file that its owner discards during the ingest leaves nothing on the disk', async () => {
    const id = await received(long)
    const running = run(id)
    await until(async () => (await rowOf(id)).stage === 'playback copy')
    await callAs(service, officer)(assets.discard, { params: { assetId: id } })
    await running
    expect(await filesOf(id)).toEqual([])
  })

  it('a file that its owner discards before the ingest leaves nothing on the disk', async () => {
    const id = await received(clip)
    await callAs(service, officer)(assets.discard, { params: { assetId: id } })
    await run(id)
    expect(await filesOf(id)).toEqual([])
  })
})

it('a file with few pictures is reckoned by the copy that is made of it', () => {
  const sizes = [
    [3840, 2160],
    [2160, 3840],
    [3000, 3000],
    [1000, 4000],
  ].map(([width, height]) => proxySize({ width, height } as VideoTrack))
  expect(copied.fps).toBe(proxyFps)
  for (const { width, height } of sizes) expect(width * height).toBeLessThanOrEqual(copied.points)
})

it('a completed project’s sources are deleted when they expire; its row, cut and final video stay', async () => {
  const [source, cut] = [await readyFile(service, officer, clip), await readyFile(service, officer, clip)]
  const project = await callAs(service, officer)(projects.create, { body: { title: 'Mine', assets: [source] } })
  const expire = (status: number) =>
    service.database.asSystem(async (tx) => {
      await tx.count(sql`
        update asset set project_id = ${project.id}, purpose = 'cut' where id = ${cut}`)
      await tx.count(sql`
        update project set status = ${status}, queue_position = null, expires_at = now() - interval '1 minute',
          final_video_id = ${cut}, approved_video_id = ${status === 2 ? cut : null}, editor_id = ${officer.id} where id = ${project.id}`)
    })
  await expire(3)
  expect(await sweepExpired(service.database, new Date())).toBe(0)
  await expire(2)
  expect(await sweepExpired(service.database, new Date())).toBe(1)
  expect(await sweepExpired(service.database, new Date())).toBe(0)
  expect(await filesOf(source)).toEqual([])
  expect((await filesOf(cut)).length).toBeGreaterThan(5)
  const left = await callAs(service, officer)(assets.find, { params: { assetId: source } })
  expect(left).toMatchObject({ state: 'ready', assetUrl: '', notes: [expect.stringContaining('removed')] })
})

const run = (id: string) =>
  ingestAsset({ database: service.database, log, signal: new AbortController().signal, lastAttempt: false }, id)

const working = async () => {
  const worker = await startWorker({ config: service.config, appUrl: service.urls.appUrl, log })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= worker.close())
  return { close, [Symbol.asyncDispose]: close }
}

/** What the proxy's program does until `go`: it sees no more of this machine than the folder that it writes. */
const waitsForGo = 'until [ -e go ]; do sleep 0.05; done'
const go = async (id: string) => {
  await until(async () => (await rowOf(id)).stage === 'playback copy')
  await writeFile(join(service.config.dataDir, 'media', 'assets', id, '1', 'go'), '')
}

const changed = (id: string, to: ReturnType<typeof sql>) =>
  service.database.asSystem((tx) => tx.count(sql`update asset set ${to} where id = ${id}`))

/** The hour of a file over which workers died twice is over. */
const anHourLater = async (id: string): Promise<void> => {
  await withoutJob(id)
  await changed(
    id,
    sql`derived = derived || jsonb_build_object('restsUntil', (derived->>'restsUntil')::timestamptz - interval '1 hour 1 minute')`,
  )
  await service.database.asSystem((tx) => enqueueIngest(tx, id))
}

/** Kills a worker -9 when its attempt has come to a stage. */
const killWorkerAt = async (id: string, attempt: number, stage: string): Promise<void> => {
  const worker = await startProcess('server/test/killed-server.ts', [
    'worker',
    service.urls.appUrl,
    service.config.dataDir,
  ])
  await until(async () => {
    const row = await rowOf(id)
    return row.attempt === attempt && row.stage === stage
  })
  await worker.end('SIGKILL')
  // What the queue does when heartbeats are missed, without the wait.
  await service.database.asSystem((tx) =>
    tx.count(
      sql`update pgboss.job set state = 'retry', start_after = now() where name = 'ingest' and state = 'active'`,
    ),
  )
}

// A busy machine takes its time; a wrong answer never comes.
const until = (isSo: () => Promise<boolean>) => expect.poll(isSo, { timeout: 60_000, interval: 20 }).toBe(true)

const upload = async (bytes: Buffer, fileName: string, person: Person = officer): Promise<string> => {
  const created = await service.app.inject({
    method: 'POST',
    url: '/uploads',
    headers: {
      authorization: `Bearer ${person.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(fileName).toString('base64')}`,
      ...(bytes.length > 0 ? { 'content-type': 'application/offset+octet-stream' } : {}),
    },
    ...(bytes.length > 0 ? { payload: bytes } : {}),
  })
  expect(created.statusCode).toBe(201)
  return String(created.headers.location).split('/').at(-1)!
}

/** A file in quarantine without a running ingest; `queued` adds its job. */
const received = async (path: string, queued = false): Promise<string> => {
  const id = await upload(Buffer.from('x'), 'clip.mp4')
  await copyFile(path, join(service.config.dataDir, 'media', 'quarantine', id))
  const { length } = await readFile(path)
  await service.database.asSystem(async (tx) => {
    await tx.count(sql`update asset set file_size = ${length}, received_bytes = ${length} where id = ${id}`)
  })
  if (!queued) await withoutJob(id)
  return id
}

/** No worker of a later test takes it up. */
const withoutJob = (id: string) =>
  service.database.asSystem((tx) => tx.count(sql`delete from pgboss.job where data->>'assetId' = ${id}`))

const settled = async (id: string, person: Person = officer) => {
  const find = () => callAs(service, person)(assets.find, { params: { assetId: id } })
  // To ask through the whole service costs more than to look at a row.
  const isSettled = async () => {
    const { state, stage } = await find()
    return ['ready', 'rejected', 'failed'].includes(state) && stage === undefined
  }
  await expect.poll(isSettled, { timeout: 60_000, interval: 100 }).toBe(true)
  return find()
}

type Row = {
  state: string
  stage: string | null
  attempt: number
  reason: string | null
  derived: Record<string, string>
}
const context = () => ({ database: service.database, log, signal: new AbortController().signal, lastAttempt: true })

const rowOf = async (id: string): Promise<Row> =>
  (await service.database.asSystem((tx) => tx.first(sql<Row>`select * from asset where id = ${id}`)))!

const filesOf = async (id: string): Promise<string[]> => {
  const entries = await readdir(join(service.config.dataDir, 'media', 'assets', id), { recursive: true }).catch(
    () => [],
  )
  const waiting = await readdir(join(service.config.dataDir, 'media', 'quarantine'))
  return [...entries, ...waiting.filter((name) => name === id)]
}

/** Everything the row points to is there, and nothing that it does not point to. */
const expectWhole = async (id: string) => {
  const { derived } = await rowOf(id)
  const strip = derived.filmstrip as unknown as { path: string }
  const pointed = [derived.original, derived.poster, derived.thumb, derived.peaks, derived.proxy, strip.path]
  const there = (await filesOf(id)).filter((name) => name.includes('.'))
  expect(there.toSorted()).toEqual(pointed.toSorted())
}

/** An MP4 whose index never got written, as a phone leaves it when its battery dies. */
const withoutIndex = (whole: Buffer): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= whole.length;) {
    const length = whole.readUInt32BE(at)
    const box = whole.subarray(at, at + length)
    if (box.toString('latin1', 4, 8) !== 'moov') parts.push(box)
    at += length
  }
  return Buffer.concat(parts)
}

it('a take that its recorder never ended becomes a whole file with a length, and is ready like any other', async () => {
  const taken = join(folder, 'taken.mp4')
  const fragments = '-c copy -movflags empty_moov+default_base_moof+frag_keyframe -f mp4'.split(' ')
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', long, ...fragments, taken])
  const bytes = await readFile(taken)
  await using worker = await working()
  const id = await upload(bytes.subarray(0, bytes.length - 9000), 'Take of 14.02.mp4')
  const asset = await settled(id)
  await worker.close()
  expect(asset).toMatchObject({ state: 'ready', type: 'video', width: 540, height: 960 })
  expect(asset.duration).toBeGreaterThan(2)
  const kept = await service.app.inject({ url: asset.assetUrl })
  expect(kept.rawPayload.subarray(4, 8).toString()).toBe('ftyp')
  expect(kept.rawPayload.includes('moof')).toBe(false)
  expect([asset.fileSize, asset.sha256]).toEqual([
    kept.rawPayload.length,
    createHash('sha256').update(kept.rawPayload).digest('hex'),
  ])
  expect(await readdir(join(service.config.dataDir, 'media', 'quarantine'))).not.toContain(id)
  const folders = await readdir(join(service.config.dataDir, 'media', 'assets', id))
  expect(folders.toSorted()).toEqual(['01', '1'])
})

it.each([
  { longMs: 40, mended: 'smaller' },
  { longMs: 1000, mended: 'larger' },
])('a sender hears how many bytes came, also when the mended file is $mended than that', async ({ longMs, mended }) => {
  const taken = join(folder, `taken-${mended}.mp4`)
  const fragments = `-c copy -movflags empty_moov+default_base_moof -frag_duration ${longMs * 1000} -f mp4`.split(' ')
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-i', long, ...fragments, taken])
  const bytes = await readFile(taken)
  const id = await upload(bytes, 'Take.mp4')
  await ingestAsset(context(), id)
  const asset = await settled(id)
  expect(asset.state).toBe('ready')
  expect(Math.sign(asset.fileSize - bytes.length)).toBe(mended === 'smaller' ? -1 : 1)
  const headers = { authorization: `Bearer ${officer.token}`, 'tus-resumable': '1.0.0' }
  const heard = await service.app.inject({ method: 'HEAD', url: `/uploads/${id}`, headers })
  expect(heard.headers).toMatchObject({
    'upload-offset': String(bytes.length),
    'upload-length': String(bytes.length),
  })
})

it('a logo that was sent with the place where it was taken is served without it, and with its clear parts', async () => {
  const sent = join(folder, 'logo.png')
  const painted = '-f lavfi -i color=red@0.5:s=96x64:d=1:r=1,format=rgba -frames:v 1'.split(' ')
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...painted, sent])
  const bytes = await readFile(sent)
  const place = Buffer.from('\0\0\0\x11tEXtGPS\x0052.5N 13.4E  0000', 'latin1')
  const id = await upload(Buffer.concat([bytes.subarray(0, 33), place, bytes.subarray(33)]), 'Logo.png')
  await ingestAsset(context(), id)
  const asset = await settled(id)
  expect(asset).toMatchObject({ state: 'ready', type: 'picture', fileSize: bytes.length })
  const served = await service.app.inject({ url: asset.assetUrl })
  expect(served.headers['content-type']).toBe('image/png')
  expect(served.rawPayload.equals(bytes)).toBe(true)
})
