// @module-tag long
import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@clear-to-post/contract/accounts'
import { client } from '@clear-to-post/contract/client'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import type { Recipe } from '@clear-to-post/edit/recipe'
import { makeClip } from '@clear-to-post/media/make-clip'
import { expect, test } from 'vitest'
import { startProcess } from '../../test/processes.ts'
import { makeOfficer, makePerson, type Person } from '../../test/service.ts'
import { appUrl } from '../postgres/app-role.ts'
import { findPostgres } from '../postgres/postgres.ts'
import { openDatabase, sql } from '../kernel/database.ts'
import { openIdentity } from '../identity/open.ts'
import { openQueue } from '../kernel/queue.ts'
import { readConfig } from '../kernel/config.ts'

test(
  'every file that the product writes is readable by its own user only',
  { timeout: 600_000 },
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-files-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'new', 'data')
    // What an earlier version left open to others.
    await mkdir(join(dataDir, 'media', 'assets'), { recursive: true, mode: 0o755 })
    const env = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', SEED: 'none', LOG_LEVEL: 'error' }
    const product = await startProcess('server/src/main/start.ts', [], { ready: /runs at/, env })
    onTestFinished(async () => void (await product.end()))
    const origin = /http\S+/.exec(product.said)![0]

    const url = appUrl((await findPostgres(dataDir))!)
    const queue = await openQueue(url)
    const database = openDatabase(url, { queue, max: 2 })
    onTestFinished(async () => {
      await database.close()
      await queue.close()
    })
    const service = { database, identity: await openIdentity({ database, config: readConfig(env) }) }
    const officer = await makeOfficer(service)
    const editor = await makePerson(service, 'Editor', { tenantId: officer.tenantId })
    const as = (person: Person) => client({ origin, token: () => person.token })
    const column = async (query: ReturnType<typeof sql<{ is: unknown }>>) =>
      (await database.asSystem((tx) => tx.first(query)))?.is

    const source = await upload(origin, officer, folder)
    const patient = { timeout: 200_000, interval: 500 }
    await expect
      .poll(() => column(sql`select state || coalesce(stage, '') as is from asset where id = ${source}`), patient)
      .toBe('ready')
    const { id: projectId } = await as(officer)(projects.create, { body: { title: 'Rates', assets: [source] } })
    await expect
      .poll(() => column(sql`select state as is from edit where project_id = ${projectId}`), patient)
      .toBe('ready')
    await as(editor)(projects.start, { body: { projectId } })
    const { recipe, revision } = await as(editor)(edits.find, { params: { projectId } })
    const small = { ...(recipe as Recipe), removed: [], output: { ...(recipe as Recipe).output, shortSide: 180 } }
    const saved = await as(editor)(edits.save, { params: { projectId }, body: { revision, recipe: small } })
    const render = await as(editor)(edits.render, { params: { projectId }, body: { revision: saved.revision } })
    await expect.poll(() => column(sql`select state as is from render where id = ${render.id}`), patient).toBe('done')
    const email = String(await column(sql`select email as is from person where id = ${officer.id}`))
    await as(officer)(accounts.sendCode, { query: { email } })
    await expect.poll(() => readdir(join(dataDir, 'outbox')).catch(() => []), patient).not.toEqual([])

    const seen = await modesBelow(dataDir)
    // The walk over the folder saw each kind of file.
    for (const kind of [
      /^media-key$/,
      /^outbox-key$/,
      /^media\/assets\/.+\/original\./,
      /^media\/assets\/.+\/\d+\/\w/,
      /^media\/work\/chunks\/./,
      /^outbox\/.+json$/,
      /^postgres\/password$/,
      /^postgres\/data\/base\/./,
    ])
      expect(seen.filter(({ path }) => kind.test(path)).length, `${kind}`).toBeGreaterThan(0)
    // Root lends the database to another account, which may pass and not look.
    const mayBePassed = ['postgres']
    const open = seen.filter(({ path, mode }) => (mode & (mayBePassed.includes(path) ? 0o066 : 0o077)) !== 0)
    // Below a closed folder nothing can be reached, but nothing here relies on that.
    expect(
      open.map(({ path, mode }) => `${path} ${mode.toString(8)}`).filter((line) => line !== 'media/assets 755'),
    ).toEqual([])
  },
)

const upload = async (origin: string, person: Person, folder: string): Promise<string> => {
  const out = join(folder, 'take.mp4')
  await makeClip({ out, seconds: 3, width: 180, height: 320, hue: 40 })
  const body = await readFile(out)
  const answer = await fetch(`${origin}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(body.length),
      'upload-metadata': `filename ${Buffer.from('take.mp4').toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body,
  })
  return answer.headers.get('location')!.split('/').at(-1)!
}

const modesBelow = async (folder: string): Promise<{ path: string; mode: number }[]> => {
  const paths = await readdir(folder, { recursive: true })
  const found = paths.map(async (path) => {
    // The database makes and removes files while we look.
    const file = await lstat(join(folder, path)).catch(() => undefined)
    return file ? [{ path, mode: file.mode & 0o777 }] : []
  })
  return (await Promise.all(found)).flat()
}
