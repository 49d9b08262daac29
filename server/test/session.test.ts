import { createHash, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createPerson } from '../src/accounts/actions.ts'
import { sql } from '../src/kernel/database.ts'
import { openService, type Service } from './service.ts'

/**
 * The web app's session (docs/specification/sign-in.md) against the real service: each sentence of it, with real locks and a
 * real channel between tabs. A tab is the module loaded once more; the network between can be cut.
 */
type Tab = typeof import('../../web/app/session.ts')

let service: Service
const password = 'kettle-drum-41'
const jar = new Map<string, string>()
const asked: string[] = []
/** Answers in the service's place; null is a line that is cut, `silent` one on which nothing comes. */
let network: (path: string) => Response | null | 'silent' | undefined = () => undefined
/** Ends what waits for an answer, as the browser does when its time is over. */
let ends: { ms: number; end: () => void }[] = []
const withoutEnd: string[] = []
let timers: { run: () => void; ms: number }[] = []
const channels: BroadcastChannel[] = []

beforeAll(async () => {
  service = await openService()
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
  vi.stubGlobal('location', { pathname: '/panel' })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  setMaxListeners(50, document)
  const Channel = BroadcastChannel
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name)
        channels.push(this)
      }
    },
  )
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push(path)
    if (!init.signal) withoutEnd.push(path)
    const said = network(path)
    if (said === 'silent')
      return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal!.reason)))
    if (said === null) throw new TypeError('Failed to fetch')
    if (said) return said
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await service.app.inject({
      method: init.method as 'GET',
      url: path,
      headers: { ...(init.headers as Record<string, string>), cookie },
      ...(init.body ? { payload: init.body as string } : {}),
    })
    for (const { name, value } of response.cookies) {
      if (value) jar.set(name, value)
      else jar.delete(name)
    }
    return new Response(response.body, { status: response.statusCode })
  })
  // Timers of minutes run when the test runs them.
  const later = setTimeout
  vi.stubGlobal('setTimeout', ((run: () => void, ms = 0, ...more: never[]) => {
    if (ms < 12_000) return later(run, ms, ...more)
    timers.push({ run, ms })
    return 0
  }) as never)
})
beforeEach(() => {
  jar.clear()
  asked.length = 0
  timers = []
  ends = []
  withoutEnd.length = 0
  network = () => undefined
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const ending = new AbortController()
    ends.push({ ms, end: () => ending.abort(new DOMException('signal timed out', 'TimeoutError')) })
    return ending.signal
  })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  expect(withoutEnd, 'whoever else signs in waits for these').toEqual([])
  vi.restoreAllMocks()
  vi.useRealTimers()
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await service.close()
})

/** Node loads a module once for each address, so each tab asks under one of its own. */
const newTab = async (): Promise<Tab> => {
  tabs += 1
  return (await import(`../../web/app/session.ts?tab=${tabs}`)) as Tab
}
let tabs = 0
const newPerson = async () => {
  const email = `${randomUUID()}@session.test`
  const person = await service.database.asSystem((tx) =>
    createPerson(tx, { email, name: 'A Person', role: 'User', password }),
  )
  return { email, id: person.id }
}
const signedIn = async () => {
  const person = await newPerson()
  const tab = await newTab()
  await tab.signInWithPassword(person.email, password)
  return { person, tab }
}
const nobody = {
  isAuthenticating: false,
  isAuthenticated: false,
  user: null,
  step: null,
  isUnreachable: false,
  hasEnded: false,
  isSigningOut: false,
}
const refreshes = () => asked.filter((path) => path === '/identity/refresh').length
/** Holds back the answers at this address, and says how to let them come. */
const holdAnswers = (address: string) => {
  const ask = fetch
  const gate = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const answer = await ask(path, init)
    if (path === address) await gate.promise
    return answer
  })
  return () => {
    vi.stubGlobal('fetch', ask)
    gate.resolve()
  }
}
const becomes = (tab: Tab, state: object) => expect.poll(() => tab.currentSession()).toMatchObject(state)
const passMinutes = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })

test('a page’s session starts as authenticating, then follows the refresh cookie', async () => {
  const tab = await newTab()
  expect(tab.currentSession()).toEqual({ ...nobody, isAuthenticating: true })
  expect(await tab.bearer()).toBe(null)
  await tab.begin()
  expect(tab.currentSession()).toEqual(nobody)

  const { person } = await signedIn()
  const next = await newTab()
  expect(next.currentSession()).toMatchObject({ isAuthenticating: true, isAuthenticated: false, user: null })
  await next.begin()
  expect(next.currentSession()).toMatchObject({ ...nobody, isAuthenticated: true, user: { id: person.id } })
  expect((await next.bearer())!.split('.')).toHaveLength(3)
})

test('a failed user lookup is logged, and nobody is signed in', async () => {
  await signedIn()
  const tab = await newTab()
  network = (path) =>
    path === '/api/accounts/user/info'
      ? Response.json({ message: 'Broken', kind: 'unexpected' }, { status: 500 })
      : undefined
  await tab.begin()
  expect(tab.currentSession()).toEqual(nobody)
  expect(console.error).toHaveBeenCalledWith('The user info lookup failed', expect.anything())
})

test('a wrong password is refused with one message, and changes nothing', async () => {
  const tab = await newTab()
  await tab.begin()
  await expect(tab.signInWithPassword('nobody@session.test', password)).rejects.toThrow('Invalid Email or Password')
  expect(tab.currentSession()).toEqual(nobody)
})

test('a sign-in with a second factor leads to the second step, without a session', async () => {
  const { email, id } = await newPerson()
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into totp (person_id, secret, confirmed_at) values (${id}, '\\x00', now())`),
  )
  const tab = await newTab()
  await tab.signInWithPassword(email, password)
  expect(tab.currentSession()).toMatchObject({ isAuthenticated: false, user: null, step: { step: 'second-factor' } })
  expect([await tab.bearer(), jar.size]).toEqual([null, 0])
  tab.forgetStep()
  expect(tab.currentSession()).toEqual(nobody)
})

test('signing out clears the session first, then signs out of the service, in every tab', async () => {
  const { tab, person } = await signedIn()
  const other = await newTab()
  await other.begin()
  const goodbyes: unknown[] = []
  other.onSignedOut((why, userId) => goodbyes.push([why, userId]))
  const leaving = tab.signOut()
  expect(tab.currentSession()).toEqual(nobody)
  expect(asked).not.toContain('/identity/sign-out')
  await leaving
  expect(asked).toContain('/identity/sign-out')
  await becomes(other, nobody)
  expect(goodbyes).toEqual([['chosen', person.id]])
  expect(await other.bearer()).toBe(null)
  expect(jar.has('ctp_refresh')).toBe(false)

  // An unreachable service does not keep a person signed in, and hears of the sign-out later.
  const second = await signedIn()
  const reachable = network
  network = () => null
  await second.tab.signOut()
  expect(second.tab.currentSession()).toEqual({ ...nobody, isSigningOut: true })
  const reloaded = await newTab()
  await reloaded.begin()
  expect(reloaded.currentSession()).toEqual({ ...nobody, isSigningOut: true })
  expect(jar.has('ctp_refresh')).toBe(true)
  network = reachable
  await becomes(second.tab, nobody)
  expect(jar.has('ctp_refresh')).toBe(false)
})

test('a sign-out without an answer has an end: the next sign-in goes on, and the session before ends', async () => {
  for (const where of ['here', 'in another tab']) {
    ends = []
    const { tab, person } = await signedIn()
    const next = await newPerson()
    asked.length = 0
    network = (path) => (path === '/identity/sign-out' ? 'silent' : undefined)
    const leaving = tab.signOut()
    await expect.poll(() => asked).toEqual(['/identity/sign-out'])
    const door = where === 'here' ? tab : await newTab()
    const signingIn = door.signInWithPassword(next.email, password)
    const { ms, end } = ends.at(-1)!
    expect(ms).toBeLessThanOrEqual(10_000)
    network = () => undefined
    end()
    await Promise.all([leaving, signingIn])
    expect(asked.slice(0, 3), where).toEqual(['/identity/sign-out', '/identity/sign-out', '/identity/sign-in/password'])
    await becomes(tab, { isAuthenticated: true, isSigningOut: false, user: { id: next.id } })
    const open = await service.database.asSystem((tx) =>
      tx.rows(sql<{ person_id: string }>`
        select person_id from session_family where person_id in (${person.id}, ${next.id}) and revoked_at is null`),
    )
    expect(open, where).toEqual([{ person_id: next.id }])
  }
})

test('a sign-in goes on where the sign-out before it is never answered, and is its own', async () => {
  const { tab } = await signedIn()
  const next = await newPerson()
  network = (path) => (path === '/identity/sign-out' ? 'silent' : undefined)
  const leaving = tab.signOut()
  const signOuts = () => asked.filter((path) => path === '/identity/sign-out').length
  await expect.poll(signOuts).toBe(1)
  const signingIn = tab.signInWithPassword(next.email, password)
  ends.at(-1)!.end()
  await expect.poll(signOuts).toBe(2)
  ends.at(-1)!.end()
  await Promise.all([leaving, signingIn])
  await becomes(tab, { isAuthenticated: true, isSigningOut: false, user: { id: next.id } })
  expect(await tab.renew(await tab.bearer())).toBe(true)
})

test('a second step stands, also where the sign-out before it was to be told again', async () => {
  const { tab } = await signedIn()
  const { email, id } = await newPerson()
  await service.database.asSystem((tx) =>
    tx.count(sql`insert into totp (person_id, secret, confirmed_at) values (${id}, '\\x00', now())`),
  )
  network = (path) => (path === '/identity/sign-out' ? null : undefined)
  await tab.signOut()
  network = () => undefined
  await tab.signInWithPassword(email, password)
  // It would be told again after three seconds.
  await new Promise((resume) => setTimeout(resume, 4000))
  expect(tab.currentSession()).toMatchObject({ user: null, step: { step: 'second-factor' } })
})

test('a sign-out while the session is renewed, here or in another tab, holds', async () => {
  for (const where of ['here', 'in another tab']) {
    passMinutes(0)
    const { tab, person } = await signedIn()
    const renewing = where === 'here' ? tab : await newTab()
    if (renewing !== tab) await renewing.begin()
    await becomes(renewing, { user: { id: person.id } })
    asked.length = 0
    passMinutes(56)
    const letCome = holdAnswers('/identity/refresh')
    const renewal = renewing.bearer()
    await expect.poll(refreshes).toBe(1)
    const goodbyes: unknown[] = []
    renewing.onSignedOut((why, userId) => goodbyes.push([why, userId]))
    const leaving = tab.signOut()
    letCome()
    expect([await renewal]).toEqual([null])
    await leaving
    expect(asked, where).toContain('/identity/sign-out')
    expect(jar.has('ctp_refresh'), where).toBe(false)
    await becomes(renewing, nobody)
    expect(tab.currentSession(), where).toEqual(nobody)
    expect(goodbyes, where).toEqual([['chosen', person.id]])
    vi.useRealTimers()
  }
})

test('an unreachable service hears later of a sign-out during a renewal, too', async () => {
  passMinutes(0)
  const { tab } = await signedIn()
  passMinutes(56)
  const letCome = holdAnswers('/identity/refresh')
  const renewal = tab.bearer()
  await expect.poll(refreshes).toBe(1)
  network = (path) => (path === '/identity/sign-out' ? null : undefined)
  const leaving = tab.signOut()
  letCome()
  await Promise.all([renewal, leaving])
  expect(tab.currentSession()).toEqual({ ...nobody, isSigningOut: true })
  network = () => undefined
  vi.useRealTimers()
  await becomes(tab, nobody)
  expect(jar.has('ctp_refresh')).toBe(false)
})

test('a sign-out during a confirmation of who sits here holds', async () => {
  const { tab } = await signedIn()
  const letCome = holdAnswers('/identity/confirm')
  const confirming = tab.confirmWithPassword({ password })
  await expect.poll(() => asked).toContain('/identity/confirm')
  const leaving = tab.signOut()
  letCome()
  await Promise.all([confirming, leaving])
  expect(asked).toContain('/identity/sign-out')
  expect(tab.currentSession()).toEqual(nobody)
})

test('a sign-out while the page asks for its person is not undone by the answer', async () => {
  const { tab: first, person } = await signedIn()
  asked.length = 0
  const letCome = holdAnswers('/api/accounts/user/info')
  const tab = await newTab()
  const beginning = tab.begin()
  await expect.poll(() => asked).toContain('/api/accounts/user/info')
  const leaving = first.signOut()
  await new Promise((resolve) => setTimeout(resolve, 100))
  letCome()
  await Promise.all([beginning, leaving])
  await becomes(tab, nobody)
  expect([first.hasLeft(person.id), await tab.bearer()]).toEqual([true, null])

  const second = await signedIn()
  asked.length = 0
  const letAnewCome = holdAnswers('/api/accounts/user/info')
  const reading = second.tab.readUserAnew()
  await expect.poll(() => asked).toContain('/api/accounts/user/info')
  const leavingAnew = second.tab.signOut()
  letAnewCome()
  await Promise.all([reading, leavingAnew])
  expect(second.tab.currentSession()).toEqual(nobody)
})

test('a word of another tab from before a sign-out signs nobody in', async () => {
  const { tab } = await signedIn()
  const value = (await tab.bearer())!
  network = (path) => (path === '/identity/sign-out' ? null : undefined)
  await tab.signOut()
  const late = new BroadcastChannel('session')
  late.postMessage({ kind: 'signed-in', value, endsAt: Date.now() + 3_600_000 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  late.close()
  expect(asked.filter((path) => path === '/api/accounts/user/info')).toHaveLength(1)
  expect(tab.currentSession()).toEqual({ ...nobody, isSigningOut: true })
  network = () => undefined
  await becomes(tab, nobody)
})

test('a token is renewed within five minutes of its end, not before, and once for all tabs', async () => {
  // The clock does not move during the test.
  passMinutes(0)
  const { tab } = await signedIn()
  const tabs = [tab, await newTab(), await newTab()]
  await Promise.all(tabs.slice(1).map((one) => one.begin()))
  await expect.poll(async () => new Set(await Promise.all(tabs.map((one) => one.bearer()))).size).toBe(1)
  const before = await tab.bearer()
  const count = refreshes()
  passMinutes(54.9)
  expect(await tab.bearer()).toBe(before)
  expect(refreshes()).toBe(count)
  passMinutes(0.2)
  const after = await Promise.all(tabs.map((one) => one.bearer()))
  expect(refreshes()).toBe(count + 1)
  expect(new Set(after).size).toBe(1)
  expect(after[0]).not.toBe(before)
})

test('a page renews its token five minutes before the end, or when it becomes visible', async () => {
  const { tab } = await signedIn()
  const timer = timers.find(({ ms }) => Math.round(ms / 60_000) === 55)
  expect(timers.map(({ ms }) => Math.round(ms / 60_000))).toContain(55)
  const before = await tab.bearer()
  passMinutes(55.1)
  timer!.run()
  await expect.poll(() => tab.bearer()).not.toBe(before)
  const count = refreshes()
  passMinutes(58)
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(refreshes).toBe(count + 1)
})

test('a refused renewal ends the session, and an unreachable network does not', async () => {
  const { tab, person } = await signedIn()
  const goodbyes: unknown[] = []
  tab.onSignedOut((why) => goodbyes.push(why))
  timers = []
  passMinutes(56)
  network = () => null
  await tab.bearer()
  expect(tab.currentSession()).toMatchObject({ isAuthenticated: true, user: { id: person.id } })
  expect(timers.map(({ ms }) => ms)).toContain(15_000)
  network = () => undefined
  await service.database.asSystem((tx) =>
    tx.count(sql`update session_family set revoked_at = now() where person_id = ${person.id}`),
  )
  expect(await tab.bearer()).toBe(null)
  expect(tab.currentSession()).toEqual({ ...nobody, hasEnded: true })
  expect(goodbyes).toEqual(['ended'])
  // Without a network at the start the session is “unreachable”, and is asked for again.
  const later = await newTab()
  network = () => null
  await later.begin()
  expect(later.currentSession()).toEqual({ ...nobody, isUnreachable: true })
})

/** The service does what is asked at this address, and neither its answer nor its cookie comes. Says how that ends. */
const loseAnswers = (address: string) => {
  const ask = fetch
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const kept = new Map(jar)
    const answer = await ask(path, init)
    if (path !== address) return answer
    jar.clear()
    for (const [name, value] of kept) jar.set(name, value)
    throw new TypeError('Failed to fetch')
  })
  return () => vi.stubGlobal('fetch', ask)
}
const secondsPass = (seconds: number) =>
  service.database.asSystem((tx) =>
    tx.count(sql`update refresh_token set rotated_at = rotated_at - make_interval(secs => ${seconds})`),
  )

test('a renewal whose answers are lost goes on when the line is back, however late, also after a reload', async () => {
  const { tab, person } = await signedIn()
  const isIn = { isAuthenticated: true, user: { id: person.id } }
  passMinutes(56)
  const before = jar.get('ctp_refresh')
  const hear = loseAnswers('/identity/refresh')
  await tab.bearer()
  hear()
  network = () => null
  await secondsPass(20)
  await tab.bearer()
  network = () => undefined
  expect([jar.get('ctp_refresh'), tab.currentSession()]).toMatchObject([before, isIn])
  expect(await tab.bearer()).not.toBe(null)
  expect(tab.currentSession()).toMatchObject(isIn)

  // A tab that is closed while it opens, and opened again.
  const hearAgain = loseAnswers('/identity/refresh')
  await (await newTab()).begin()
  hearAgain()
  await secondsPass(86_400)
  const next = await newTab()
  await next.begin()
  expect(next.currentSession()).toMatchObject(isIn)
})

test('a browser that dies before it has written the renewed cookie down comes back signed in, also twice', async () => {
  const { person } = await signedIn()
  const before = jar.get('ctp_refresh')!
  for (let times = 0; times < 3; times++) {
    const tab = await newTab()
    await tab.begin()
    expect(tab.currentSession()).toMatchObject({ isAuthenticated: true, user: { id: person.id } })
    expect(jar.get('ctp_refresh')).not.toBe(before)
    jar.set('ctp_refresh', before)
    await secondsPass(60)
  }
})

test('a renewal shows no secret that would answer it once more', async () => {
  const { tab } = await signedIn()
  const sent: { secretHash: string; secrets: string[] }[] = []
  const ask = fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    if (path === '/identity/refresh') sent.push(JSON.parse(init.body as string) as (typeof sent)[number])
    return ask(path, init)
  })
  for (let times = 0; times < 3; times++) await tab.renew(await tab.bearer())
  vi.stubGlobal('fetch', ask)
  const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
  expect(new Set(sent.map(({ secretHash }) => secretHash)).size).toBe(3)
  for (const { secretHash, secrets } of sent) expect(secrets.map(hashOf)).not.toContain(secretHash)
  expect(sent[2]!.secrets.map(hashOf)).toEqual([sent[1]!.secretHash])
})

test('a sign-in in one tab signs in all tabs, and another person’s sign-in clears the last one’s data', async () => {
  const waiting = await newTab()
  await waiting.begin()
  const count = refreshes()
  const { person } = await signedIn()
  await becomes(waiting, { isAuthenticated: true, user: { id: person.id } })
  expect(refreshes()).toBe(count)
  const gone: string[] = []
  waiting.onSignedOut((_why, userId) => gone.push(userId))
  const other = await signedIn()
  await becomes(waiting, { isAuthenticated: true, user: { id: other.person.id } })
  expect(gone).toEqual([person.id])
})

test('somebody else’s sign-in ends who records here without a network, and their own keeps it', async () => {
  const kept = () => (JSON.parse(localStorage.getItem('recorder-person') ?? 'null') as { id: string } | null)?.id
  const [one, other] = [await newPerson(), await newPerson()]
  localStorage.setItem('recorder-person', JSON.stringify({ id: one.id, name: 'One' }))
  const tab = await newTab()
  await tab.signInWithPassword(one.email, password)
  expect(kept()).toBe(one.id)
  await (await newTab()).signInWithPassword(other.email, password)
  expect(kept()).toBe(undefined)
})

test('files held for one person are let go when another signs in, and never sent with that one’s token', async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  network = () => null
  // A recorder that opened without a network.
  const tab = await newTab()
  await tab.begin()
  tab.holdFor(one.id)
  const left: string[] = []
  tab.onSignedOut((why, id) => void left.push(`${why} ${id}`))
  network = () => undefined
  await (await newTab()).signInWithPassword(one.email, password)
  await becomes(tab, { isAuthenticated: true })
  expect(left).toEqual([])
  expect(await tab.bearerOf(one.id)).not.toBe(null)
  await (await newTab()).signInWithPassword(other.email, password)
  await becomes(tab, { isAuthenticated: true, user: { id: other.id } })
  expect(left).toEqual([`ended ${one.id}`])
  expect(await tab.bearerOf(one.id)).toBe(null)
  expect(await tab.bearerOf(other.id)).toBe(await tab.bearer())
})

test('a session that merely ended leaves what is held for its person, until another one signs in', async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  const tab = await newTab()
  await tab.signInWithPassword(one.email, password)
  await service.database.asSystem((tx) =>
    tx.count(sql`update session_family set revoked_at = now() where person_id = ${one.id}`),
  )
  await tab.renew(await tab.bearer())
  await becomes(tab, { hasEnded: true, user: null })
  const left: string[] = []
  tab.onSignedOut((why, id) => void left.push(`${why} ${id}`))
  await tab.signInWithPassword(other.email, password)
  expect(left).toEqual([`ended ${one.id}`])
})
