import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { forgetInTab } from '../../forget.ts'
import { signInWithPassword, signOut } from '../../session.ts'
import { watchLeaving } from '../tell-when-left.ts'
import { afterRemarks, isPosted, postRemark, takeBackRemark, type UnsentRemark } from './unsent-remarks.ts'
import { writtenUnder } from './use-draft.ts'

// A client takes `fetch` as it is made: it has to be the test's before the session is loaded.
const line = vi.hoisted(() => {
  const made: { comments: (id: string) => Promise<Response>; person: string; own: typeof fetch } = {
    comments: () => Promise.reject(new Error('Not yet')),
    person: '',
    own: globalThis.fetch,
  }
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    if (path.endsWith('/comments/')) return made.comments(new Headers(init.headers).get('x-request-id')!)
    if (path === '/identity/sign-in/password') made.person = JSON.parse(init.body as string).email
    const claims = Buffer.from(JSON.stringify({ sub: made.person })).toString('base64url')
    return path.startsWith('/identity/')
      ? Response.json({ idToken: `h.${claims}.s`, expiresIn: 3600 })
      : Response.json({ id: made.person, timezone: 'UTC' })
  }) as typeof fetch
  return made
})

/** As a browser's: its keys are its own. */
const tab: Record<string, string> = {}
const storage = (kept: Record<string, string>) =>
  new Proxy(kept, {
    get: (_, name: string) =>
      ({
        getItem: (key: string) => kept[key] ?? null,
        setItem: (key: string, value: string) => void (kept[key] = value),
        removeItem: (key: string) => void delete kept[key],
      })[name] ?? kept[name],
  })

beforeAll(() => {
  vi.stubGlobal('localStorage', storage({}))
  vi.stubGlobal('location', { pathname: '/panel' })
})
beforeEach(async () => {
  vi.stubGlobal('sessionStorage', storage(tab))
  for (const key of Object.keys(tab)) delete tab[key]
  await signInWithPassword('anna', 'x')
})
afterAll(async () => {
  await signOut()
  vi.unstubAllGlobals()
  globalThis.fetch = line.own
})

const remark = (id: string): UnsentRemark => ({
  id,
  projectId: 'p',
  cut: 1,
  atMs: 900,
  text: `Words of ${id}`,
  isInternal: false,
  createdAt: '2026-11-30T10:00:00.000Z',
})
const keyOf = (id: string, person = 'anna') => `written ${person} posting p ${id}`
const refused = (code: string) => Response.json({ code, kind: 'conflict', message: code }, { status: 409 })

it('a comment is sent where the tab can keep nothing, and what was not sent is still there to be tried again', async () => {
  const full = storage({})
  vi.stubGlobal(
    'sessionStorage',
    new Proxy(full, {
      get: (kept, name: string) =>
        name === 'setItem'
          ? () => {
              throw new DOMException('Full', 'QuotaExceededError')
            }
          : Reflect.get(kept, name),
    }),
  )
  const ids: string[] = []
  line.comments = async (id) => {
    ids.push(id)
    return refused('project.wrong-status')
  }
  await postRemark(remark('full'))
  expect([ids, writtenUnder('posting p ')]).toEqual([['full'], [remark('full')]])
  forgetInTab('anna')
  expect(writtenUnder('posting p '), 'whoever signs out leaves nothing').toEqual([])
  line.comments = async () => Response.json({ ...remark('full'), id: 'c1' })
  await postRemark(remark('full'))
  expect(writtenUnder('posting p ')).toEqual([])
})

it('a comment lies in the tab of its person until the service has it, and no longer', async () => {
  const answer = Promise.withResolvers<Response>()
  line.comments = () => answer.promise
  const sent = postRemark(remark('one'))
  expect(Object.keys(tab)).toEqual([keyOf('one')])
  answer.resolve(Response.json({ ...remark('one'), id: 'c1' }))
  await sent
  expect(Object.keys(tab)).toEqual([])
})

it('a comment that was refused stays, beside the next one, and is tried again under its own request id', async () => {
  const ids: string[] = []
  line.comments = async (id) => (ids.push(id), refused('project.wrong-status'))
  await Promise.all([postRemark(remark('one')), postRemark(remark('two'))])
  expect(Object.keys(tab).toSorted()).toEqual([keyOf('one'), keyOf('two')].toSorted())
  line.comments = async (id) => (ids.push(id), Response.json({ ...remark(id), id: `c ${id}` }))
  await postRemark(JSON.parse(tab[keyOf('one')]!) as UnsentRemark)
  expect([ids, Object.keys(tab)]).toEqual([['one', 'two', 'one'], [keyOf('two')]])
  takeBackRemark(remark('two'))
  expect(Object.keys(tab)).toEqual([])
})

it('a comment whose line breaks is repeated under its request id until it is answered', async () => {
  const ids: string[] = []
  line.comments = async (id) => {
    ids.push(id)
    if (ids.length === 1) throw new TypeError('Failed to fetch')
    return Response.json({ ...remark(id), id: 'c1' })
  }
  await postRemark(remark('one'))
  expect([ids, Object.keys(tab)]).toEqual([['one', 'one'], []])
})

it('a comment that others would read stays, and goes to those who read it now only when it is tried again', async () => {
  let tries = 0
  line.comments = async () => ((tries += 1), refused('project.other-readers'))
  await postRemark(remark('one'))
  expect([tries, JSON.parse(tab[keyOf('one')]!).isInternal]).toEqual([1, true])
})

it('a comment whose person has left meanwhile stays theirs', async () => {
  line.comments = async () => {
    await signInWithPassword('bo', 'x')
    throw new TypeError('Failed to fetch')
  }
  await postRemark(remark('one'))
  expect(Object.keys(tab)).toEqual([keyOf('one')])
  takeBackRemark(remark('one'))
  expect(Object.keys(tab)).toEqual([keyOf('one')])
})

it('a comment is known again among those that the service has by author, moment, words and time', () => {
  const posted = { ...remark('c1'), text: remark('one').text, authorId: 'anna', createdAt: '2026-11-30T09:58:00.000Z' }
  const isThere = (part: object) => isPosted(remark('one'), 'anna', [{ ...posted, ...part }] as never)
  expect(isThere({})).toBe(true)
  for (const part of [
    { authorId: 'bo' },
    { cut: 2 },
    { atMs: 901 },
    { text: 'x' },
    { createdAt: '2026-11-30T09:00:00.000Z' },
  ])
    expect(isThere(part), JSON.stringify(part)).toBe(false)
})

it('a step that comments belong to is taken once each of them is with the service or was taken back', async () => {
  let taken = 0
  const isTaken = (projectId = 'p') => afterRemarks(projectId, () => void taken++)
  const answer = Promise.withResolvers<Response>()
  line.comments = () => answer.promise
  const sent = postRemark(remark('one'))
  expect([isTaken(), isTaken('another video'), taken]).toEqual([false, true, 1])
  answer.resolve(Response.json({ ...remark('one'), id: 'c1' }))
  await sent
  expect([isTaken(), taken]).toEqual([true, 2])
  line.comments = async () => refused('project.wrong-status')
  await postRemark(remark('two'))
  expect([isTaken(), taken]).toEqual([false, 2])
  takeBackRemark(remark('two'))
  expect([isTaken(), taken]).toEqual([true, 3])
})

it('a press that still waits asks before its page is left, and is told of after; not to who comes next', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  let told = 0
  const held = { waits: false, tell: () => void told++ }
  const watch = () => watchLeaving(() => held)
  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const leave = watch()
  expect(asks()).toBe(false)
  held.waits = true
  expect(asks()).toBe(true)
  leave()
  expect([told, asks()]).toEqual([1, false])
  held.waits = false
  watch()()
  expect(told).toBe(1)
  held.waits = true
  const leaveLate = watch()
  await signInWithPassword('bo', 'x')
  leaveLate()
  expect(told).toBe(1)
})
