// @module-tag long
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closedSandboxes, locate, sandboxKind } from '@clear-to-post/media/sandbox'
import { makeClip } from '@clear-to-post/media/make-clip'
import { expect, test } from 'vitest'
import { startProcess } from '../../test/processes.ts'
import { productionEnv } from '../../test/production.ts'
import { makePerson, openService } from '../../test/service.ts'
import { sql } from '../kernel/database.ts'

test('without a closed sandbox production keeps uploads undecoded, reports why, and continues when it has one', async ({
  skip,
  onTestFinished,
}) => {
  if (!closedSandboxes.includes(await sandboxKind())) return skip('bubblewrap does not work on this machine')
  const { PUBLIC_URL } = productionEnv
  const service = await openService({ PUBLIC_URL })
  onTestFinished(service.close)
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-programs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const programs = join(folder, 'bin')
  await mkdir(programs)
  for (const name of ['ffmpeg', 'ffprobe', 'prlimit', 'nice', 'setpriv', 'unshare', 'true']) {
    const path = await locate(name)
    if (path) await symlink(path, join(programs, name))
  }
  const product = await startProcess('server/src/main/start.ts', [], {
    ready: /runs at/,
    env: {
      ...productionEnv,
      PATH: programs,
      DATABASE_URL: service.urls.ownerUrl,
      DATA_DIR: service.config.dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
  })
  onTestFinished(async () => void (await product.end()))
  const origin = /http\S+/.exec(product.said)![0]

  const clip = join(folder, 'clip.mp4')
  await makeClip({ out: clip, seconds: 1, width: 180, height: 320, hue: 40 })
  const bytes = await readFile(clip)
  const { token } = await makePerson(service, 'User')
  const sent = await fetch(`${origin}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('clip.mp4').toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: bytes,
  })
  expect(sent.status).toBe(201)
  const id = sent.headers.get('location')!.split('/').at(-1)!
  const asset = () =>
    service.database.asSystem((tx) =>
      tx.first(sql<{ state: string; stage: string | null }>`select state, stage from asset where id = ${id}`),
    )
  await expect.poll(asset).toEqual({ state: 'received', stage: expect.stringContaining('checks are paused') })
  const ready = await fetch(`${origin}/health/ready`)
  expect(ready.status).toBe(503)
  expect((await ready.json()).parts.sandbox).toMatchObject({ ok: false })
  await sleep(3000)
  expect((await asset())?.state).toBe('received')

  await symlink((await locate('bwrap'))!, join(programs, 'bwrap'))
  await expect.poll(asset, { timeout: 100_000, interval: 500 }).toEqual({ state: 'ready', stage: null })
  expect((await (await fetch(`${origin}/health/ready`)).json()).parts.sandbox).toMatchObject({ ok: true })
})
