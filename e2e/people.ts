import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  expect,
  test,
  type APIRequestContext,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test'
import { assets } from '@clear-to-post/contract/assets'
import { accounts } from '@clear-to-post/contract/accounts'
import { client } from '@clear-to-post/contract/client'
import { identity } from '@clear-to-post/contract/identity'
import { projects } from '@clear-to-post/contract/projects'
import { outboxKey } from '../server/src/outside/kept-key.ts'
import { letDayPass } from './database.ts'
import type { Product } from './product.ts'

const run = promisify(execFile)

/** The product that this worker's journeys go through. */
export const product = (): Product =>
  (JSON.parse(process.env.JOURNEY_PRODUCTS!) as Product[])[test.info().parallelIndex]!

export const url = (path: string): string => product().url + path

/**
 * An empty page in a browser of its own where a demo person is signed in; `who` is the name before @demo.test. Nothing slides
 * or fades there unless `options` ask for it: without a graphics card each picture of a motion is painted by the processor.
 */
export const signIn = (browser: Browser, who: string, options: BrowserContextOptions = {}): Promise<Page> =>
  signInAs(browser, `${who}@demo.test`, 'demo-Clear2Post', options)

/** The same for anybody, by address and password: by the call that the sign-in page makes, which brings the cookie. */
export const signInAs = async (
  browser: Browser,
  email: string,
  password: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const signedIn = await context.request.post(url('/identity/sign-in/password'), { data: { email, password } })
  expect(signedIn.ok(), `${email} signs in`).toBe(true)
  return context.newPage()
}

/** The ID token of a demo person in a session of its own. */
export const tokenOf = async (who: string): Promise<string> => {
  const body = { email: `${who}@demo.test`, password: 'demo-Clear2Post' }
  const signed = await client({ origin: url('') })(identity.password, { body })
  if (!('idToken' in signed)) throw new Error(`${who} has a second factor.`)
  return signed.idToken
}

/** The calls of the API as the person of this ID token. */
export const callWith = (idToken: string) => client({ origin: url(''), token: () => idToken })

/** The calls of the API as a demo person, without a browser. */
export const callAs = async (who: string) => callWith(await tokenOf(who))

/**
 * Sends a file in as the panel does, as a cut where a project is named, and waits until it is checked; answers its id. Throws
 * where it is refused. That the panel itself sends files is in the-chain.e2e.ts.
 */
export const upload = async (
  idToken: string,
  file: string,
  { projectId }: { projectId?: string } = {},
): Promise<string> => {
  const data = await readFile(file)
  const headers = { authorization: `Bearer ${idToken}`, 'tus-resumable': '1.0.0' }
  const named = {
    filename: basename(file),
    filetype: types[extname(file)] ?? 'video/mp4',
    ...(projectId === undefined ? {} : { projectId }),
  }
  const begun = await fetch(url('/uploads'), {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(data.length),
      'upload-metadata': Object.entries(named)
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(),
    },
  })
  const location = new URL(begun.headers.get('location')!, url('/')).href
  const sent = await fetch(location, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: data,
  })
  expect(sent.ok, `${basename(file)} is sent`).toBe(true)
  const assetId = location.split('/').at(-1)!
  for (;;) {
    const { state } = await callWith(idToken)(assets.find, { params: { assetId } })
    if (state === 'ready') return assetId
    if (state === 'rejected') throw new Error(`${basename(file)} was refused.`)
    await sleep(200)
  }
}

/** No file of the officer's is left of an earlier try, or of another journey. */
export const discardFiles = async (): Promise<void> => {
  const officer = await callAs('officer')
  for (const { assetId } of (await officer(assets.unused, {})).items)
    await officer(assets.discard, { params: { assetId } })
}

const types: Readonly<Record<string, string>> = { '.mp3': 'audio/mpeg', '.jpg': 'image/jpeg', '.svg': 'image/svg+xml' }

/** A new project of the officer's with this take, and other files; answers its id. */
export const submit = async (title: string, takeId: string, ...files: string[]): Promise<string> => {
  await letDayPass()
  return (await (await callAs('officer'))(projects.create, { body: { title, assets: [takeId, ...files] } })).id
}

/** The editor has the project in hand. */
export const claim = async (projectId: string): Promise<void> => {
  const [admin, editor] = [await callAs('admin'), await callAs('editor')]
  const { id } = await editor(accounts.info, {})
  await admin(projects.assign, { params: { projectId }, body: { editorId: id } })
  await editor(projects.start, { body: { projectId } })
}

/** The editor sends this file to approval. */
export const sendCut = async (projectId: string, file: string): Promise<void> => {
  const idToken = await tokenOf('editor')
  const finalVideoId = await upload(idToken, file, { projectId })
  await callWith(idToken)(projects.send, { params: { projectId }, body: { finalVideoId } })
}

/** What opens the development server's outbox, as JSON. */
export const outboxHeaders = async (): Promise<Record<string, string>> => ({
  accept: 'application/json',
  authorization: `Bearer ${await outboxKey(product().dataDir)}`,
})

/** The newest code that was mailed to an address, from the development server's outbox. */
export const codeFor = async (request: APIRequestContext, email: string): Promise<string> => {
  let code: string | undefined
  await expect
    .poll(
      async () => {
        const answer = await request.get(url(`/dev/outbox?to=${encodeURIComponent(email)}`), {
          headers: await outboxHeaders(),
        })
        const { items } = (await answer.json()) as { items: { subject: string }[] }
        const found = items.map(({ subject }) => /^(\d{6}) is your/.exec(subject)?.[1]).find(Boolean)
        // A code is good once: the one before is not the one that was just asked for.
        code = used.has(`${email} ${found}`) ? undefined : found
        return code
      },
      { timeout: 30_000 },
    )
    .toMatch(/^\d{6}$/)
  used.add(`${email} ${code}`)
  return code!
}
const used = new Set<string>()

/** Shows by code that the address of a new account is its own; `idToken` is of a session of it. */
export const confirmAddress = async (request: APIRequestContext, email: string, idToken: string): Promise<void> => {
  const confirmed = await request.post(url('/api/accounts/user/verifyEmail/'), {
    headers: { authorization: `Bearer ${idToken}` },
    data: { code: await codeFor(request, email) },
  })
  expect(confirmed.ok()).toBe(true)
}

/**
 * A short upright video in a phone's format, real H.264 and AAC, made by ffmpeg once for all workers; `look` changes the
 * picture, as a `filter` of ffmpeg's does. It is small, since nothing here hangs on its points; with `megabits` of noise each
 * second it is as large as what a phone films.
 */
export const clip = async (
  name: string,
  {
    seconds = 6,
    look = 'testsrc2',
    megabits,
    filter,
  }: { seconds?: number; look?: string; megabits?: number; filter?: string } = {},
): Promise<string> => {
  // Beside the products' own folders.
  const file = join(dirname(product().dataDir), `${name}.mp4`)
  if (existsSync(file)) return file
  const unfinished = join(product().dataDir, `${name}.mp4`)
  await run(
    process.env.FFMPEG_PATH ?? 'ffmpeg',
    [
      ['-v', 'error', '-f', 'lavfi', '-i', `${look}=size=${megabits === undefined ? '360x640' : '720x1280'}:rate=30`],
      ['-f', 'lavfi', '-i', 'sine=frequency=220:sample_rate=48000', '-t', String(seconds)],
      filter === undefined ? [] : ['-vf', filter],
      megabits === undefined ? [] : ['-vf', 'noise=alls=30:allf=t', '-b:v', `${megabits}M`, '-minrate', `${megabits}M`],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
      ['-movflags', '+faststart', '-y', unfinished],
    ].flat(),
  )
  await rename(unfinished, file)
  return file
}

/** Logs out by the menu of one's account, on a page of the panel. */
export const logOut = async (page: Page): Promise<void> => {
  // A page that comes takes the focus, and an open menu closes; sign-in has a heading, too.
  await expect(page.getByRole('navigation', { name: 'Panel' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  await page
    .getByRole('button', { name: /^Your account/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Logout', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
}

/** Where a file is chosen; not the one of a page that is still loading, which is drawn in its shape and takes nothing. */
export const fileField = (within: Page | Locator): Locator => within.locator('input[type=file]:not([inert] *)').first()

/** A picture as people have them: a photo with a real JPEG inside, or a wide logo that was drawn, with clear parts. */
export const picture = async (look: 'photo' | 'logo'): Promise<string> => {
  const file = join(product().dataDir, look === 'photo' ? 'photo.jpg' : 'logo.svg')
  if (existsSync(file)) return file
  if (look === 'logo')
    await writeFile(
      file,
      '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120"><rect x="20" y="20" width="300" height="80" rx="16" fill="#0a6b4f"/></svg>',
    )
  else
    await run(
      process.env.FFMPEG_PATH ?? 'ffmpeg',
      '-v error -f lavfi -i testsrc2=size=900x1200:rate=1 -frames:v 1 -y'.split(' ').concat(file),
    )
  return file
}

/** A piece of music of four seconds, an MP3 as people have them. */
export const tune = async (): Promise<string> => {
  const file = join(product().dataDir, 'tune.mp3')
  if (!existsSync(file))
    await run(
      process.env.FFMPEG_PATH ?? 'ffmpeg',
      '-v error -f lavfi -i sine=frequency=330:sample_rate=44100 -t 4 -c:a libmp3lame -b:a 128k -y'
        .split(' ')
        .concat(file),
    )
  return file
}
