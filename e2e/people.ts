import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  expect,
  test,
  type APIRequestContext,
  type Browser,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test'
import { outboxKey } from '../server/src/outside/kept-key.ts'
import type { Product } from './product.ts'

const run = promisify(execFile)

/** The product that this screen's journeys go through. */
export const product = (): Product =>
  (JSON.parse(process.env.JOURNEY_PRODUCTS!) as Record<string, Product>)[test.info().project.name]!

export const url = (path: string): string => product().url + path

/** An empty page in a browser of its own where a demo person is signed in; `who` is the name before @demo.test. */
export const signIn = (browser: Browser, who: string, options: BrowserContextOptions = {}): Promise<Page> =>
  signInAs(browser, `${who}@demo.test`, 'demo-Clear2Post', options)

/** The same for anybody, by address and password: by the call that the sign-in page makes, which brings the cookie. */
export const signInAs = async (
  browser: Browser,
  email: string,
  password: string,
  options: BrowserContextOptions = {},
): Promise<Page> => {
  const context = await browser.newContext(options)
  const signedIn = await context.request.post(url('/identity/sign-in/password'), { data: { email, password } })
  expect(signedIn.ok(), `${email} signs in`).toBe(true)
  return context.newPage()
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

/** A short upright video as a phone films it: real H.264 and AAC, made once by ffmpeg; `look` changes the picture. */
export const clip = async (name: string, { seconds = 6, look = 'testsrc2', megabits = 2 } = {}): Promise<string> => {
  const file = join(product().dataDir, `${name}.mp4`)
  if (existsSync(file)) return file
  await run(
    process.env.FFMPEG_PATH ?? 'ffmpeg',
    [
      ['-v', 'error', '-f', 'lavfi', '-i', `${look}=size=720x1280:rate=30`],
      ['-f', 'lavfi', '-i', 'sine=frequency=220:sample_rate=48000', '-t', String(seconds)],
      // Noise keeps the file as large as a phone's.
      ['-vf', 'noise=alls=30:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast'],
      ['-b:v', `${megabits}M`, '-minrate', `${megabits}M`, '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
      ['-movflags', '+faststart', '-y', file],
    ].flat(),
  )
  return file
}

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
