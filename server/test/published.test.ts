import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { makeClip } from '@clear-to-post/media/make-clip'
import { registry } from '../src/main/registry.ts'
import { callAs, makePerson, openService, type Service } from './service.ts'
import { sql } from '../src/kernel/database.ts'
import { hashPassword } from '../src/identity/password-hash.ts'

/** The contract as published: packed, installed beside zod, used by the README's script from plain Node. */
const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'clear-to-post-stranger-'))
let service: Service
let origin: string

beforeAll(async () => {
  service = await openService()
  origin = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const packed = join(home, 'node_modules/@clear-to-post/contract')
  await run(process.execPath, [join(root, 'bin/pack-contract.ts'), packed])
  for (const name of ['zod', 'tus-js-client'])
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name))
  cpSync(join(root, 'contract/example/submit.mjs'), join(home, 'submit.mjs'))
})
afterAll(async () => {
  await service.close()
  rmSync(home, { recursive: true, force: true })
})

it('the README’s script submits a project with the published client', async () => {
  const officer = await makePerson(service, 'User')
  const email = await service.database.asSystem(async (tx) => {
    await tx.count(
      sql`insert into password (person_id, hash) values (${officer.id}, ${await hashPassword('Long-enough-1x')})`,
    )
    return (await tx.first(sql<{ email: string }>`select email from person where id = ${officer.id}`))!.email
  })
  const video = join(home, 'phone.mp4')
  await makeClip({ out: video, seconds: 2, width: 180, height: 320, hue: 210 })
  // The worker is not part of the service under test: its one job runs here as it would there.
  const working = setInterval(() => void ingestReceived(), 300)
  const { stdout } = await run(process.execPath, ['submit.mjs', origin, email, 'Long-enough-1x', video], {
    cwd: home,
    timeout: 100_000,
  }).finally(() => clearInterval(working))
  expect(stdout).toMatch(/^Rate locks in a minute: http/)
  const { items } = await callAs(service, officer)(projects.list, {})
  expect(items).toMatchObject([{ title: 'Rate locks in a minute', status: 0 }])
})

it('the published types accept a right call and refuse a wrong one', async () => {
  mkdirSync(join(home, 'typed'), { recursive: true })
  const check = async (body: string) => {
    writeFileSync(
      join(home, 'typed/use.ts'),
      `import { client } from '@clear-to-post/contract/client'
import { projects } from '@clear-to-post/contract/projects'
export const title = async (): Promise<string> => (await client({ origin: '' })(projects.create, { body: ${body} })).title`,
    )
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--lib',
      'es2024,dom',
    ]
    return run(process.execPath, [join(root, 'node_modules/.bin/tsc'), ...flags, '--ignoreConfig', 'typed/use.ts'], {
      cwd: home,
    }).then(
      () => 'right',
      ({ stdout }: { stdout: string }) => stdout,
    )
  }
  expect(await check(`{ title: 'x', assets: [] }`)).toBe('right')
  expect(await check(`{ title: 7, assets: [] }`)).toContain("'number' is not assignable to type 'string'")
})

const ingestReceived = async () => {
  const rows = await service.database.asSystem((tx) =>
    tx.rows(sql<{ id: string }>`select id from asset where state = 'received'`),
  )
  for (const { id } of rows)
    await registry.ingest
      .run(
        { assetId: id },
        {
          database: service.database,
          log: service.app.log,
          signal: new AbortController().signal,
          attempt: 1,
          lastAttempt: false,
        },
      )
      .catch(() => {})
}
