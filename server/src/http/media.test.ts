import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { assets, type Asset } from '@clear-to-post/contract/assets'
import { edits } from '@clear-to-post/contract/edits'
import { projects } from '@clear-to-post/contract/projects'
import { makeClip } from '@clear-to-post/media/make-clip'
import { submitProject } from '../../test/factories.ts'
import {
  callAs,
  makeOfficer,
  callConfirmed,
  makePerson,
  makeTenant,
  openService,
  subscribe,
  type Person,
  type Service,
} from '../../test/service.ts'
import { makeEdit } from '../../test/make-edit.ts'
import { longKit } from '../../test/recipes.ts'
import { unzip } from '../../test/unzip.ts'
import { heldTransactions } from '../../test/held-transactions.ts'
import { fileUrl, kitUrl, sourcesUrl, windowMs } from '../assets/addresses.ts'
import { putFile } from '../assets/actions.ts'
import { kitLine } from '../edits/kit.ts'
import { sql } from '../kernel/database.ts'

let service: Service
let base: string
let folder: string
let officer: Person
let editor: Person
let asset: Asset
let bytes: Buffer
const log = pino({ level: 'silent' })

beforeAll(async () => {
  service = await openService()
  base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'clear-to-post-media-'))
  const clip = join(folder, 'clip.mp4')
  await makeClip({ out: clip, seconds: 2, width: 360, height: 640, hue: 10 })
  officer = await makePerson(service, 'User')
  editor = await makePerson(service, 'Editor')
  await subscribe(service, { userId: officer.id })
  const id = await putFile(service.database, officer, { path: clip, fileName: 'Ünser “Haus”.mp4' }, { log })
  asset = await callAs(service, officer)(assets.find, { params: { assetId: id } })
  bytes = await readFile(clip)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(base + url, { method, headers })

describe('a signed address', () => {
  it('serves the file with safe headers that keep other sites and documents from using it', async () => {
    const answer = await get(asset.playUrl!)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': expect.stringMatching(/^private, max-age=\d+, immutable/),
      etag: expect.any(String),
    })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('downloads the original under its own name, in any letters', async () => {
    const answer = await get(asset.assetUrl)
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Unser Haus.mp4"; filename*=UTF-8''${encodeURIComponent('Ünser “Haus”.mp4')}`,
    )
    await answer.body?.cancel()
  })

  it('is refused with another file, name, time or signature', async () => {
    const { pathname, search } = new URL(asset.playUrl!, base)
    const query = new URLSearchParams(search)
    const other = (changes: Record<string, string>) =>
      `${pathname}?${new URLSearchParams({ ...Object.fromEntries(query), ...changes })}`
    const forged = [
      pathname,
      `${pathname}?sign=x`,
      other({ until: String(Number(query.get('until')) + 7200) }),
      other({ name: 'evil.html' }),
      other({ sign: query.get('sign')!.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) }),
      other({ sign: `${query.get('sign')}A` }),
      `${new URL(asset.posterUrl!, base).pathname}${search}`,
      `/media/${asset.assetId}/../../quarantine/${asset.assetId}${search}`,
      `/media/${asset.assetId}/%2e%2e%2f%2e%2e%2fmedia-key${search}`,
      `${pathname}${search}&sign=${query.get('sign')}`,
    ]
    for (const url of forged) expect({ url, status: (await get(url)).status }).toEqual({ url, status: 404 })
  })

  it('lasts at least an hour, ends, and stays the same within its time window', async () => {
    const now = Date.now()
    const from = (ms: number) => fileUrl(asset.assetId, 'original.mp4', new Date(now - ms))
    expect((await get(from(3_600_000))).status).toBe(200)
    const ended = await get(from(2 * windowMs + 1000))
    expect(ended.status).toBe(403)
    expect(await ended.json()).toMatchObject({ kind: 'forbidden', message: expect.stringContaining('ended') })
    const start = Math.floor(now / windowMs) * windowMs
    const at = (ms: number) => fileUrl(asset.assetId, 'original.mp4', new Date(start + ms))
    expect(at(0)).toBe(at(windowMs - 1))
    expect(at(0)).not.toBe(at(windowMs))
  })

  it('ends at once when its file is discarded or expired, whatever is on the disk', async () => {
    const put = (fileName: string) =>
      putFile(service.database, officer, { path: join(folder, 'clip.mp4'), fileName }, { log })
    const find = (assetId: string) => callAs(service, officer)(assets.find, { params: { assetId } })
    const addressesOf = ({ assetUrl, thumbnailUrl, playUrl, posterUrl, peaksUrl, filmstrip }: Asset) =>
      [assetUrl, thumbnailUrl, playUrl, posterUrl, peaksUrl, filmstrip?.url].filter((url) => url !== undefined)
    const statuses = (urls: string[]) => Promise.all(urls.map(async (url) => (await get(url, {}, 'HEAD')).status))

    const thrown = addressesOf(await find(await put('thrown.mp4')))
    expect(new Set(await statuses(thrown))).toEqual(new Set([200]))
    const [, , id] = thrown[0]!.split('/')
    await callAs(service, officer)(assets.discard, { params: { assetId: id! } })
    expect(new Set(await statuses(thrown))).toEqual(new Set([404]))

    const expired = await find(await put('expired.mp4'))
    const forgotten = sql`update asset set derived = '{}' where id = ${expired.assetId}`
    await service.database.asSystem((tx) => tx.count(forgotten))
    expect(new Set(await statuses(addressesOf(expired)))).toEqual(new Set([404]))
  })

  it('never serves quarantined files or types that a browser would run', async () => {
    const place = join(service.config.dataDir, 'media', 'assets', asset.assetId, 'page.html')
    await writeFile(place, '<script>alert(1)</script>')
    expect((await get(fileUrl(asset.assetId, 'page.html', new Date()))).status).toBe(404)
    expect((await get(fileUrl(asset.assetId, 'missing.mp4', new Date()))).status).toBe(404)
    const post = await service.app.inject({
      method: 'POST',
      url: '/uploads',
      headers: {
        authorization: `Bearer ${officer.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '4',
        'content-type': 'application/offset+octet-stream',
      },
      payload: Buffer.from('evil'),
    })
    const waiting = String(post.headers.location).split('/').at(-1)!
    const shown = await callAs(service, officer)(assets.find, { params: { assetId: waiting } })
    expect(shown).toMatchObject({ assetUrl: '', thumbnailUrl: '' })
    expect((await get(fileUrl(waiting, 'original.mp4', new Date()))).status).toBe(404)
  })
})

describe('a range request', () => {
  const size = () => bytes.length
  it.each([
    ['bytes=0-99', () => [0, 99]],
    ['bytes=100-', () => [100, size() - 1]],
    ['bytes=-50', () => [size() - 50, size() - 1]],
    ['bytes=10-99999999999', () => [10, size() - 1]],
    ['bytes=-99999999999', () => [0, size() - 1]],
    ['bytes=5-5', () => [5, 5]],
  ] as const)('for %s is answered with these bytes', async (range, ends) => {
    const [start, end] = ends() as [number, number]
    const answer = await get(asset.playUrl!, { range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size()}`)
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1))
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  it('beyond the end is answered with 416, and an invalid one with the whole file', async () => {
    for (const range of [`bytes=${size()}-`, 'bytes=-0', `bytes=${size() + 5}-${size() + 9}`]) {
      const answer = await get(asset.playUrl!, { range })
      expect({ range, status: answer.status }).toEqual({ range, status: 416 })
      expect(answer.headers.get('content-range')).toBe(`bytes */${size()}`)
    }
    for (const range of ['bytes=9-3', 'bytes=0-1,5-9', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      const answer = await get(asset.playUrl!, { range })
      expect({ range, status: answer.status }).toEqual({ range, status: 200 })
      await answer.body?.cancel()
    }
  })

  it('honours HEAD, If-None-Match and If-Range', async () => {
    const head = await get(asset.playUrl!, {}, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.headers.get('content-length')).toBe(String(size()))
    const etag = head.headers.get('etag')!
    expect((await get(asset.playUrl!, { 'if-none-match': etag })).status).toBe(304)
    expect((await get(asset.playUrl!, { 'if-range': etag, range: 'bytes=0-9' })).status).toBe(206)
    const whole = await get(asset.playUrl!, { 'if-range': '"other"', range: 'bytes=0-9' })
    expect(whole.status).toBe(200)
    await whole.body?.cancel()
  })

  it('that is aborted by the player leaves no file open', async () => {
    const place = join(service.config.dataDir, 'media', 'assets', asset.assetId, 'long.mp4')
    await writeFile(place, '')
    await truncate(place, 500_000_000)
    const named = sql`update asset set derived = derived || '{"play": "paused.mp4"}' where id = ${asset.assetId}`
    await service.database.asSystem((tx) => tx.count(named))
    const long = fileUrl(asset.assetId, 'long.mp4', new Date())
    for (let n = 0; n < 20; n++)
      await new Promise<void>((resolve) => {
        const asked = request(base + long, (answer) => answer.once('data', () => asked.destroy()))
        asked
          .on('close', () => resolve())
          .on('error', () => {})
          .end()
      })
    await expect.poll(filesOpen).toBe(0)
  })
})

it('all sources of a project download as one zip, by a signed address only', async () => {
  const again = await putFile(
    service.database,
    officer,
    { path: join(folder, 'clip.mp4'), fileName: asset.fileName },
    { log },
  )
  const project = await callAs(service, officer)(projects.create, {
    body: { title: 'Haus: 1/2', assets: [asset.assetId, again] },
  })
  const { url } = await callAs(service, officer)(projects.sources, { params: { projectId: project.id } })
  expect(url).toBe(sourcesUrl(project.id, officer, new Date()))
  expect((await get(`/media/zip/${project.id}`)).status).toBe(404)
  expect((await get(url.replace(project.id, asset.assetId))).status).toBe(404)
  const answer = await get(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/zip')
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Haus_%201-2.zip")
  const zip = Buffer.from(await answer.arrayBuffer())
  expect(String(zip.length)).toBe(answer.headers.get('content-length'))
  const files = unzip(zip)
  expect([...files.keys()]).toEqual(['Ünser “Haus”.mp4', 'Ünser “Haus” (2).mp4'])
  for (const file of files.values()) expect(file.equals(bytes)).toBe(true)
})

it('a zip address that a key was given opens while this very key is good, whatever its owner or company may', async () => {
  const tenantId = await makeTenant(service)
  const admin = await makePerson(service, 'ADMIN', { tenantId })
  const filming = await makePerson(service, 'User', { tenantId })
  const project = await submitProject(service, filming)
  await service.database.asSystem((tx) =>
    tx.count(sql`update asset set derived = '{"original": "original.mp4"}' where id = ${project.assets![0]!.assetId}`),
  )
  const elsewhere = await submitProject(service, await makeOfficer(service))
  const demand = (isDemanded: boolean) =>
    service.database.asSystem((tx) =>
      tx.count(sql`update tenant set require_second_factor = ${isDemanded} where id = ${tenantId}`),
    )
  // What the file's bytes are is told by others: here that it is looked for at all.
  const statusOf = async (url: string) => (await get(url, {}, 'HEAD')).status
  for (const whose of [{ forCompany: true as const }, {}]) {
    const make = () =>
      callConfirmed(service, admin)(apiKeys.create, {
        body: { name: 'Archive', scopes: ['videos.read'], days: 30, ...whose },
      })
    const [{ key, made }] = [await make(), await make()]
    const params = { projectId: project.id }
    const { url } = await callAs(service, { ...admin, token: key })(projects.sources, { params })
    expect(await statusOf(url)).toBe(200)
    expect(await statusOf(sourcesUrl(elsewhere.id, made, new Date()))).toBe(404)
    await demand(true)
    expect(await statusOf(url)).toBe(404)
    await demand(false)
    expect(await statusOf(url)).toBe(200)
    await callAs(service, admin)(apiKeys.revoke, { params: { keyId: made.id } })
    expect(await statusOf(url)).toBe(404)
  }
})

it('the address of a zip or kit shows nothing more to whoever was moved, changed in role or shut out since', async () => {
  const [filming, elsewhere] = [await makeOfficer(service), await makeTenant(service)]
  const project = await submitProject(service, filming)
  const { assetId } = project.assets![0]!
  await service.database.asSystem((tx) =>
    tx.count(sql`update asset set derived = '{"original": "original.mp4"}' where id = ${assetId}`),
  )
  await makeEdit(service, project, assetId)
  const addresses = async (who: Person) => {
    const params = { projectId: project.id }
    const zip = await callAs(service, who)(projects.sources, { params })
    return [zip.url, (await callAs(service, who)(edits.handOver, { params })).url]
  }
  const set = (who: Person, change: ReturnType<typeof sql>) =>
    service.database.asSystem((tx) => tx.count(sql`update person set ${change} where id = ${who.id}`))
  const statuses = async (urls: string[]) => Promise.all(urls.map(async (url) => (await get(url, {}, 'HEAD')).status))
  const changes = {
    moved: [sql`tenant_id = ${elsewhere}`, [404, 404]],
    'made an officer': [sql`role = 'User'`, [404, 404]],
    disabled: [sql`is_disabled = true`, [404, 404]],
    'made a reviewer': [sql`role = 'QA'`, [200, 200]],
  } satisfies Record<string, [ReturnType<typeof sql>, number[]]>
  for (const [what, [change, after]] of Object.entries(changes)) {
    const staff = await makePerson(service, 'Editor', { tenantId: filming.tenantId })
    const urls = await addresses(staff)
    expect(await statuses(urls), what).toEqual([200, 200])
    await set(staff, change)
    expect(await statuses(urls), what).toEqual(after)
  }
})

it(
  'the length of a zip is told without opening a file, and who leaves while it is sent leaves none open',
  { tags: 'long' },
  async () => {
    const source = await putFile(service.database, officer, { path: join(folder, 'clip.mp4') }, { log })
    const project = await callAs(service, officer)(projects.create, { body: { title: 'Long', assets: [source] } })
    const large = 300_000_000
    await truncate(join(service.config.dataDir, 'media', 'assets', source, 'original.mp4'), large)
    await service.database.asSystem((tx) => tx.count(sql`update asset set file_size = ${large} where id = ${source}`))
    await makeEdit(service, project, source)
    for (const url of [sourcesUrl(project.id, officer, new Date()), kitUrl(project.id, editor, new Date())]) {
      for (let n = 0; n < 10; n++) {
        const answer = await get(url, {}, 'HEAD')
        expect(answer.status).toBe(200)
        expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(large)
      }
      expect(await filesOpen()).toBe(0)
      // As soon as it is sent, when its first bytes have come, and before anything has.
      for (let n = 0; n < 30; n++)
        await new Promise<void>((resolve) => {
          const asked = request(base + url, (answer) => {
            if (n % 3 === 0) asked.destroy()
            else answer.once('data', () => asked.destroy())
          })
          asked.on('close', () => resolve()).on('error', () => {})
          asked.end(() => n % 3 === 1 && setImmediate(() => asked.destroy()))
        })
      await expect.poll(filesOpen).toBe(0)
    }
  },
)

it('a kit is written once for all who ask, outside of a transaction, and one too many is refused until it is kept', async () => {
  const project = async (title: string) => {
    const id = await putFile(service.database, officer, { path: join(folder, 'clip.mp4') }, { log })
    const made = await callAs(service, officer)(projects.create, { body: { title, assets: [id] } })
    await makeEdit(service, made, id)
    return kitUrl(made.id, editor, new Date())
  }
  const [mine, other] = [await project('Mine'), await project('Other')]
  // Who waits behind a long one holds nothing.
  const long = kitLine.write('somebody', longKit(6000))
  const asked = Promise.all([get(mine, {}, 'HEAD'), get(mine, {}, 'HEAD'), get(mine)])
  await expect.poll(() => kitLine.waiting).toBe(2)
  expect(await heldTransactions(service.urls.superuserUrl)).toEqual([])
  expect(kitLine.waiting).toBe(2)
  const answers = await asked
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(unzip(Buffer.from(await answers[2]!.arrayBuffer())).has('recipe.json')).toBe(true)
  await long
  // As it is kept, it needs no place in a full line.
  const full = ['a', 'b', 'c', 'd'].flatMap((owner) => [
    kitLine.write(owner, longKit(owner === 'a' ? 6000 : 2)),
    kitLine.write(owner, longKit(2)),
  ])
  const refused = await get(other, {}, 'HEAD')
  expect(refused.status).toBe(503)
  expect((await get(mine, {}, 'HEAD')).status).toBe(200)
  expect(await (await get(other)).json()).toMatchObject({ code: 'service.crowded' })
  await Promise.all(full)
  expect((await get(other, {}, 'HEAD')).status).toBe(200)
})

it('a kit’s texts give way to files of their names, and no name turns the direction of writing', async () => {
  const source = { path: join(folder, 'clip.mp4'), fileName: 'recipe.json.mp4' }
  const id = await putFile(service.database, officer, source, { log })
  const project = await callAs(service, officer)(projects.create, { body: { title: 'Kit', assets: [id] } })
  const recipe = await makeEdit(service, project, id)
  const named = (name: string) =>
    service.database.asSystem((tx) =>
      tx.count(
        sql`update edit set revision = revision + 1, recipe = ${JSON.stringify({
          ...recipe,
          sources: recipe.sources.map((one) => ({ ...one, name })),
        })} where project_id = ${project.id}`,
      ),
    )
  const kit = async () => {
    const answer = await get(kitUrl(project.id, editor, new Date()))
    return [...unzip(Buffer.from(await answer.arrayBuffer())).keys()]
  }
  await named('recipe.json')
  const names = await kit()
  expect(names).toContain('recipe (2).json')
  expect(new Set(names).size).toBe(names.length)
  await named('a\u202Egpj.exe')
  expect(await kit()).toContain('a-gpj.exe')
})

it('a stopping service does not wait for a viewer who no longer reads', async () => {
  const place = join(service.config.dataDir, 'media', 'assets', asset.assetId, 'paused.mp4')
  await writeFile(place, '')
  await truncate(place, 500_000_000)
  const viewer = request(base + fileUrl(asset.assetId, 'paused.mp4', new Date())).on('error', () => {})
  viewer.end()
  const [answer] = (await once(viewer, 'response')) as [IncomingMessage]
  const isWhole = new Promise((resolve) => answer.on('error', () => {}).on('close', () => resolve(answer.complete)))
  await service.app.close()
  answer.resume()
  expect(await isWhole).toBe(false)
})

/** How many files of people this process has open. */
const filesOpen = async () =>
  (await readdirOf('/proc/self/fd')).filter((path) => path.includes('/media/assets/')).length

const readdirOf = async (path: string): Promise<string[]> => {
  return Promise.all((await readdir(path)).map((name) => readlink(join(path, name)).catch(() => '')))
}
