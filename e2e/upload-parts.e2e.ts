import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, type Page, type Route } from '@playwright/test'
import { accounts } from '@clear-to-post/contract/accounts'
import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { makeClip } from '../media/src/make-clip.ts'
import { openObjectStore } from '../server/test/object-store.ts'
import { fileField } from './people.ts'
import { startProduct } from './product.ts'
import { atOneScreen, isEvery } from './screens.ts'

const run = promisify(execFile)
const MiB = 1024 ** 2

/** The whole product over a real object store, as a page meets it: `npm test` has server/test/upload-parts.test.ts. */
test('a page sends a film straight to the bucket, goes on after a reload, and goes around a bucket it does not reach', async ({
  browser,
}) => {
  test.skip(!isEvery, 'in the long form alone: it starts a product and an object store of its own')
  atOneScreen('phone')
  test.setTimeout(900_000)
  const store = await openObjectStore()
  test.skip(!store, 'no object store can be had here')
  const folder = await mkdtemp(join(tmpdir(), 'clear-to-post-parts-'))
  const place = await store!.makeBucket()
  const bucketEnv = {
    STORAGE: 'bucket',
    BUCKET_URL: place.url,
    BUCKET_PUBLIC_URL: place.url,
    BUCKET_KEY_ID: place.keyId,
    BUCKET_SECRET: place.secret,
  }
  const own = await startProduct(folder, { seed: 'none', env: bucketEnv })
  try {
    await run(process.execPath, [resolve(import.meta.dirname, '../server/src/main/admin.ts'), 'bucket-lets-pages'], {
      env: { ...process.env, ...bucketEnv, DATA_DIR: folder, PUBLIC_URL: own.url },
    })
    const officer = { email: 'ada@parts.test', password: 'parts-of-a-film-2026' }
    const opening = { ...officer, name: 'Ada Moreno', passwordConfirmation: officer.password }
    await client({ origin: own.url })(accounts.create, { body: opening })
    const signed = await client({ origin: own.url })(identity.password, { body: officer })
    if (!('idToken' in signed)) throw new Error('A second factor is asked for.')
    const call = client({ origin: own.url, token: () => signed.idToken })

    const context = await browser.newContext({ reducedMotion: 'reduce' })
    expect((await context.request.post(`${own.url}/identity/sign-in/password`, { data: officer })).ok()).toBe(true)
    const page = await context.newPage()

    // Four parts, of which the bucket takes two; then the page is closed in the middle.
    const film = join(folder, 'film.mp4')
    await makeClip({ out: film, seconds: 2, width: 180, height: 320, hue: 40 })
    await writeFile(film, Buffer.concat([await readFile(film), boxOf(30 * MiB)]))
    const puts: number[] = []
    const held: Route[] = []
    let holds = true
    await context.route(`${new URL(place.url).origin}/**`, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      const at = Number(/part-(\d+)-/.exec(route.request().url())?.[1])
      if (holds && at >= 16 * MiB) return void held.push(route)
      puts.push(at)
      await route.fallback()
    })
    const patches = countOf(page, 'PATCH', '/uploads/')
    await choose(page, own.url, film)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    await expect.poll(async () => (await unused(call))[0]?.receivedBytes ?? 0).toBe(16 * MiB)
    holds = false
    await page.reload()
    await expect.poll(async () => (await unused(call))[0]?.state, { timeout: 240_000 }).not.toBe('uploading')
    await expect.poll(async () => (await unused(call))[0]?.state, { timeout: 240_000 }).toBe('ready')
    const sha256 = createHash('sha256')
      .update(await readFile(film))
      .digest('hex')
    expect((await unused(call))[0]).toMatchObject({ sha256 })
    // What the bucket had was not sent again, and nothing came through the service.
    expect(puts.toSorted((a, b) => a - b)).toEqual([0, 8, 16, 24].map((at) => at * MiB))
    expect(patches()).toBe(0)

    // The bucket is not reached from here.
    await call(assets.discard, { params: { assetId: (await unused(call))[0]!.assetId } })
    await context.unrouteAll()
    await context.route(`${new URL(place.url).origin}/**`, (route) => route.abort())
    await choose(page, own.url, film)
    await expect.poll(async () => (await unused(call))[0]?.state, { timeout: 240_000 }).toBe('ready')
    expect((await unused(call))[0]).toMatchObject({ sha256 })
    expect(patches()).toBeGreaterThan(0)
    expect(await (await fetch(`${own.url}/dev/csp-reports`)).json()).toEqual({ items: [] })
  } finally {
    await own.stop()
    await store!.close()
    await rm(folder, { recursive: true, force: true })
  }
})

const choose = async (page: Page, origin: string, film: string) => {
  await page.goto(`${origin}/panel/new`)
  await fileField(page).setInputFiles(film)
}

const unused = async (call: ReturnType<typeof client>) => (await call(assets.unused, {})).items

const countOf = (page: Page, method: string, path: string): (() => number) => {
  let seen = 0
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes(path)) seen++
  })
  return () => seen
}

/** A part of an MP4 that players leave out, so that a short film is a large file. */
const boxOf = (bytes: number): Buffer => {
  const box = randomBytes(bytes)
  box.writeUInt32BE(bytes, 0)
  box.write('free', 4, 'latin1')
  return box
}
