import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { projects } from '@clear-to-post/contract/projects'
import { isWorthRepeating, pressedCalls } from './api.ts'
import { listen } from './live.ts'
import { confirmBy, PersonLeft, send } from './send.ts'
import { confirmWithPassword, personHere, signInWithPassword, signOut } from './session.ts'

/**
 * No call of one person goes out as another (decision 1175). First every place of the source that reaches the network, then the
 * ways with a token, each while somebody else signs in in the middle of it. The network is the test's; the session is the product's.
 */
// A client takes `fetch` as it is made: it has to be the test's before the session is loaded.
const line = vi.hoisted(() => {
  const made: { ask: (path: string, init: RequestInit) => Promise<Response>; own: typeof fetch } = {
    ask: () => Promise.reject(new Error('Not yet')),
    own: globalThis.fetch,
  }
  globalThis.fetch = ((path: string, init: RequestInit) => made.ask(path, init)) as typeof fetch
  return made
})

const root = import.meta.dirname
const sources = globSync(['**/*.{ts,tsx}', '../public/*.js'], { cwd: root }).filter(
  (file) => !/\.test\.tsx?$/.test(file) && !file.startsWith('dev/'),
)
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** What leaves a browser by a script. */
const leaves =
  /(?<![\w.])fetch\(|XMLHttpRequest|new (?:Upload|Tus)\(|sendBeacon|keepalive|new EventSource|new WebSocket|(?<!\w)client\(\{/

/** How each place that reaches the network goes: with the token of a person it was told, as the session itself, or as nobody. */
const ways: Record<string, 'of a person' | 'the session' | 'nobody'> = {
  'send.ts': 'of a person',
  'live.ts': 'of a person',
  'session.ts': 'the session',
  'page-states.tsx': 'nobody',
  'site/home.ts': 'nobody',
  'ui/player-peaks.ts': 'nobody',
  'spool/send-parts.ts': 'nobody',
  'panel/assets/parts.ts': 'of a person',
  'panel/assets/pictures.ts': 'of a person',
  'panel/assets/send-file.ts': 'of a person',
  'panel/assets/takes.ts': 'of a person',
  'panel/edits/use-steady.ts': 'nobody',
  'panel/edits/use-tone.ts': 'nobody',
  'panel/project/deliver.tsx': 'nobody',
  '../public/worker.js': 'nobody',
}

it('every file of the web app that reaches the network says as whom it does, and no other is listed', () => {
  expect(sources.filter((file) => leaves.test(textOf(file))).toSorted()).toEqual(Object.keys(ways).toSorted())
})

it('a token is asked for by person alone, and files that go as nobody have none', () => {
  for (const file of sources) {
    const text = textOf(file)
    if (file !== 'session.ts')
      expect(/import \{[^}]*\bbearer\b[^}]*\}/.test(text), `${file} takes whoever’s token is there`).toBe(false)
    if (ways[file] === 'of a person') expect(text, file).toContain('bearerOf(')
    else if (file !== 'session.ts')
      expect(/bearerOf|(?<!`)[Aa]uthorization['"]?[:,]/.test(text), `${file} has a token`).toBe(false)
  }
})

it('a call that follows something else that was waited for says whose it is', () => {
  const unnamed = sources.flatMap((file) => {
    const text = textOf(file)
    if (!/import \{[^}]*\bsend\b[^}]*\} from '[./]*(api|send)\.ts'/.test(text)) return []
    return [...text.matchAll(/(?<![\w.])send\(/g)].flatMap(({ index }) => {
      const before = text.slice(text.slice(0, index).lastIndexOf('async'), index)
      // After a call of `send` nobody goes on whose person has left.
      const isLater = /\bawait (?!send\(|ask\()|\.then\([^]*$/.test(before.replace(/await\s*$/, '').slice(5))
      const isBegun = text.slice(0, index).includes('async') && !/\n(export )?const /.test(before)
      const call = text.slice(index, index + callLength(text.slice(index)))
      return isLater && isBegun && !/\bas\b|\bonce\b/.test(call) ? [`${file}: ${/\w+\.\w+/.exec(call)![0]}`] : []
    })
  })
  expect([...new Set(unnamed)].toSorted()).toEqual(Object.keys(pressedThen).toSorted())
})

/** Calls that only look as if they came after something else. */
const pressedThen = {
  'panel/accounts/person-dialog.tsx: accounts.update': 'the way back in a message, which goes with its person',
  'panel/assets/uploads.ts: assets.discard': 'either the take is awaited or this is called',
  'panel/board/use-moves.ts: projects.start': 'the press itself',
  'panel/board/use-moves.ts: projects.unschedule': 'the press itself',
  'panel/profile/security-card.tsx: security.removePasskey': 'the press itself',
  'panel/profile/security-card.tsx: security.removeProvider': 'the press itself',
  'panel/profile/security-card.tsx: security.removeTotp': 'the press itself',
  'security/passkey.ts: identity.passkeyStart': 'at the door, by nobody',
}

/** As far as the bracket that closes the call. */
const callLength = (text: string): number => {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')' && (depth -= 1) === 0) return at + 1
  }
  return text.length
}

const tokenOf = (person: string): string =>
  `h.${Buffer.from(JSON.stringify({ sub: person, at: (turn += 1) })).toString('base64url')}.s`
let turn = 0
const ofToken = (header: string | null): string =>
  header === null ? 'nobody' : JSON.parse(Buffer.from(header.split('.')[1]!, 'base64url').toString()).sub

type Asked = { path: string; by: string; id: string | null }
let asked: Asked[] = []
/** What the network says in its own place; undefined is the usual. */
let network: (path: string) => Promise<Response | undefined> = async () => undefined
const say = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const refused = (code: string, kind: string, status: number) => say({ code, kind, message: code }, status)

beforeAll(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
  vi.stubGlobal('location', { pathname: '/panel' })
  let here = ''
  line.ask = async (path, init) => {
    const headers = new Headers(init.headers)
    const by = ofToken(headers.get('authorization'))
    asked.push({ path, by, id: headers.get('x-request-id') })
    const said = await network(path)
    if (said) return said
    if (path === '/identity/sign-in/password') here = JSON.parse(init.body as string).email
    if (path.startsWith('/identity/')) return say({ idToken: tokenOf(here), expiresIn: 3600 })
    if (path === '/api/accounts/user/info') return say({ id: by, timezone: 'UTC' })
    return say({ done: true })
  }
})
beforeEach(async () => {
  network = async () => undefined
  await signInWithPassword('anna', 'x')
  asked = []
})
afterAll(async () => {
  await signOut()
  vi.unstubAllGlobals()
  globalThis.fetch = line.own
})

const call = projects.start
const input = { body: { projectId: 'p' } } as never
const calls = () => asked.filter(({ path }) => path.includes('/projects/')).map(({ by }) => by)
const boSignsIn = () => signInWithPassword('bo', 'x')
/** The next answer at such a path comes when it is told to; its request is out then. */
const hold = (part: string, answer?: () => Response) => {
  const [out, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  network = async (path) => {
    if (!path.includes(part) || !isFirst) return undefined
    isFirst = false
    out.resolve()
    await gate.promise
    return answer?.()
  }
  return { isOut: out.promise, go: gate.resolve }
}
const cutOff = () => {
  throw new TypeError('Failed to fetch')
}

it('a call whose answer comes after somebody else has signed in is given up, and nothing follows it', async () => {
  const held = hold('/projects/')
  const flow = (async () => {
    await send(call, input)
    await send(call, input)
  })()
  await held.isOut
  await boSignsIn()
  held.go()
  await expect(flow).rejects.toBeInstanceOf(PersonLeft)
  expect([personHere(), calls()]).toEqual(['bo', ['anna']])
})

it('a call that is refused with an ended token is not repeated as whoever has signed in', async () => {
  const held = hold('/projects/', () => refused('session.ended', 'unauthorized', 401))
  const sent = send(call, input)
  await held.isOut
  await boSignsIn()
  held.go()
  await expect(sent).rejects.toBeInstanceOf(PersonLeft)
  expect(calls()).toEqual(['anna'])
})

it('a call that waits for a person to show that it is still they is not sent as another', async () => {
  network = async (path) => (path.includes('/projects/') ? refused('session.not-fresh', 'forbidden', 403) : undefined)
  const stop = confirmBy(async () => {
    network = async () => undefined
    await boSignsIn()
    return true
  })
  await expect(send(call, input)).rejects.toBeInstanceOf(PersonLeft)
  stop()
  expect(calls()).toEqual(['anna'])
})

it('a call with an old token goes out with the new one of the same person', async () => {
  let isFirst = true
  network = async (path) => {
    if (!path.includes('/projects/') || !isFirst) return undefined
    isFirst = false
    return refused('session.ended', 'unauthorized', 401)
  }
  expect(await send(call, input)).toEqual({ done: true })
  expect(calls()).toEqual(['anna', 'anna'])
})

it('a call whose answer to a repeat comes after somebody else has signed in is given up, too', async () => {
  let turns = 0
  network = async (path) => {
    if (!path.includes('/projects/')) return undefined
    if ((turns += 1) === 1) return refused('session.ended', 'unauthorized', 401)
    await boSignsIn()
    return undefined
  }
  await expect(send(call, input)).rejects.toBeInstanceOf(PersonLeft)
  expect([personHere(), calls()]).toEqual(['bo', ['anna', 'anna']])
})

it('a call that was pressed by one person and lost on its way is not repeated as another', async () => {
  const button = pressedCalls()
  const run = () => button.run(input, (own) => send(call, input, own))
  network = async (path) => (path.includes('/projects/') ? cutOff() : undefined)
  expect([button.press(input), button.press(input)]).toEqual([true, false])
  const lost = await run().catch((error: unknown) => error)
  expect(isWorthRepeating(lost)).toBe(true)
  await boSignsIn()
  network = async () => undefined
  const left = await run().catch((error: unknown) => error)
  expect(left).toBeInstanceOf(PersonLeft)
  expect(isWorthRepeating(left)).toBe(false)
  button.end(input)
  expect(calls()).toEqual(['anna'])
  // What this one presses is theirs, under an id of its own.
  expect(button.press(input)).toBe(true)
  await run()
  const [first, last] = asked.filter(({ path }) => path.includes('/projects/'))
  expect([calls(), last!.id === first!.id]).toEqual([['anna', 'bo'], false])
})

it('of two calls of one button that are repeated in turns each keeps its request id', async () => {
  const button = pressedCalls()
  const other = { body: { projectId: 'q' } } as never
  const run = (one: never) => button.run(one, (own) => send(call, one, own)).catch(() => undefined)
  network = async (path) => (path.includes('/projects/') ? cutOff() : undefined)
  for (const one of [input, other, input, other]) await run(one)
  const [a, b, again, twice] = asked.map(({ id }) => id)
  expect([again, twice, a === b]).toEqual([a, b, false])
})

it('a call that was begun signed out goes as nobody, also when somebody has signed in by then', async () => {
  await signOut()
  const button = pressedCalls()
  button.press(input)
  await boSignsIn()
  await button.run(input, (own) => send(call, input, own))
  expect(calls()).toEqual(['nobody'])
})

it('a call for somebody who is not here is not sent at all', async () => {
  await boSignsIn()
  await expect(send(call, input, { as: 'anna' })).rejects.toBeInstanceOf(PersonLeft)
  expect(calls()).toEqual([])
})

it('a password is not shown with the token of whoever has signed in meanwhile', async () => {
  const held = hold('/nothing')
  const shown = confirmWithPassword({ password: 'of anna' } as never)
  await boSignsIn()
  held.go()
  await shown.catch(() => undefined)
  expect(asked.filter(({ path }) => path.includes('confirm')).map(({ by }) => by)).not.toContain('bo')
})

it('the live stream of one person is not opened as another', async () => {
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('removeEventListener', () => undefined)
  await boSignsIn()
  const stop = listen('anna')
  const own = listen('bo')
  await expect.poll(() => asked.some(({ path }) => path.startsWith('/api/events'))).toBe(true)
  stop()
  own()
  expect(asked.filter(({ path }) => path.startsWith('/api/events')).every(({ by }) => by === 'bo')).toBe(true)
})
