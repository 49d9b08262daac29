import { useSyncExternalStore } from 'react'
import { client } from '@clear-to-post/contract/client'
import { accounts, type Profile, type User } from '@clear-to-post/contract/accounts'
import { Refusal, refusal } from '@clear-to-post/contract/errors'
import { identity, type NextStep } from '@clear-to-post/contract/identity'
import type { CallAnswer, CallInput } from '@clear-to-post/contract/call'
import type { PanelAction } from '@clear-to-post/domain/panel'
import { paths } from './paths.ts'
import { forgetOtherRecorder } from './panel/record/kept-recorder.ts'
import { followZone } from './times.ts'
import { onDevice } from './storage.ts'

/**
 * Who is signed in (docs/specification/sign-in.md). The refresh token lives in an HttpOnly cookie; the ID token lives here,
 * in memory only. Tabs tell each other of every change, and refresh one at a time, because each refresh turns the cookie.
 */
export type Session = {
  isAuthenticating: boolean
  isAuthenticated: boolean
  user: Profile | null
  /** A sign-in that began here and needs one more step: a second factor, or setting one up. */
  step: NextStep | null
  /** The service could not be reached while the session was being determined; `retry` asks again. */
  isUnreachable: boolean
  /** Somebody was signed in here, and the service ended it. */
  hasEnded: boolean
  /** Somebody signed out here, and the service has not heard of it yet: it is asked again and again. */
  isSigningOut: boolean
}

export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession, currentSession)

/** The signed-in person; only below the panel's guard. */
export const useUser = (): Profile => {
  const { user } = useSession()
  if (user === null) throw new Error('useUser is only for signed-in pages')
  return user
}

/** Whether the signed-in person may do this; the service says so with their profile. */
export const useMay = (action: PanelAction): boolean => useUser().actions.includes(action)

export const currentSession = (): Session => state

/** Whose page this is at this moment: the id of who is signed in; null where nobody is. What is theirs is sent as theirs (`bearerOf`). */
export const personHere = (): string | null => state.user?.id ?? null

export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The bearer token, refreshed first when it ends within five minutes. Null when nobody is signed in. */
export const bearer = async (): Promise<string | null> => {
  if (token !== null && token.endsAt - Date.now() < refreshThreshold) await refresh()
  return token?.value ?? null
}

/** The same, of this person alone: null also where somebody else is signed in by now. What is somebody's is sent as theirs or not. */
export const bearerOf = async (userId: string): Promise<string | null> => {
  const value = await bearer()
  return value !== null && subjectOf(value) === userId ? value : null
}

/** Says who stands here while nobody is signed in: the recorder's person, whose files and takes the page holds. */
export const holdFor = (userId: string): void => {
  if (state.user === null) held = userId
}

/** After the service said that the session ended although our token looked fresh. True when there is a new token. */
export const renew = async (refused: string | null): Promise<boolean> => {
  if (token !== null && token.value !== refused) return true
  await refresh(true)
  return token !== null
}

/** Determines the session; called once when the page starts, and by "try again". */
export const begin = async (): Promise<void> => {
  forget()
  // At the door of a browser that nobody came in by, asking would only be refused.
  const isKnown = onDevice.read(hintKey) !== null || isLeaving()
  if (location.pathname === paths.login && !isKnown) return set(nobody)
  set({ isAuthenticating: true, isUnreachable: false })
  await refresh()
}

/** Signs in with what the service answers, or leaves a `step`. Throws its refusal. */
export const signInBy = (ask: (call: typeof send) => Promise<CallAnswer<typeof identity.password>>): Promise<void> =>
  locked(async () => acceptOrAsk(await ask(sendAfterSignOut)))

export const signInWithPassword = (email: string, password: string): Promise<void> =>
  signInBy((call) => call(identity.password, { body: { email, password } }))

export const signInWithCustomToken = (token: string): Promise<void> =>
  signInBy((call) => call(identity.customToken, { body: { token } }))

/** Shows by password, and second step if they have one, that it is still they who sit here; for ten minutes the token says so. Throws the service's refusal. */
export const confirmWithPassword = async (body: CallInput<typeof identity.confirm>['body']): Promise<void> => {
  const person = personHere()
  const value = await bearer()
  await locked(async () => {
    // A password is shown with the token of whoever wrote it.
    if (value === null || subjectOf(value) !== person || personHere() !== person) throw refusal('session.ended')
    await goOn(await clientWith(value)(identity.confirm, { body }))
  })
}

/** Back to the first step. */
export const forgetStep = (): void => set({ step: null })

/** The signed-in person as the service shows them after a change. */
export const changedUser = (user: User): void => {
  if (state.user?.id !== user.id) return
  const { tenantName, companyLicences, isEmailVerified, rooms, actions, termsDue } = state.user
  const ofCompany = { ...(tenantName && { tenantName }), ...(companyLicences && { companyLicences }) }
  set({ user: { isEmailVerified, rooms, actions, termsDue, ...user, ...ofCompany } })
}

/** Reads who is signed in anew, with a token of their new company or role. Throws the service's refusal. */
export const readUserAnew = async (): Promise<void> => {
  await refresh(true)
  if (token === null) return
  const user = await clientWith(token.value)(accounts.info, {})
  if (state.user?.id === user.id) set({ user })
}

/** The signed-in person has shown that their address is theirs. */
export const addressVerified = (): void => {
  if (state.user !== null) set({ user: { ...state.user, isEmailVerified: true } })
}

/**
 * Ends this session, or every session of this person. The panel is cleared first; where the service does not answer it is
 * asked again until it does, also after a reload, and nobody is signed in by the cookie meanwhile.
 */
export const signOut = async ({ everywhere = false } = {}): Promise<void> => {
  const last = token?.value ?? null
  onDevice.keep(signOutKey, everywhere ? 'everywhere' : 'here')
  clear('chosen')
  channel?.postMessage({ kind: 'signed-out' } satisfies Told)
  await locked(() => endSession(last)).catch((error: unknown) => {
    console.error('Sign-out did not reach the service', error)
    set({ isSigningOut: true })
    again(3000)
  })
}

/** Whether this person chose to leave, and the service or this browser has not done with it yet. */
export const hasLeft = (userId: string): boolean => isLeaving() || onDevice.read(leaverKey + userId) !== null

/** Runs after the session was cleared: `chosen` by the person, here or in another tab, or `ended` by itself. */
export const onSignedOut = (listener: (why: Goodbye, userId: string) => void): (() => void) => {
  goodbyes.add(listener)
  return () => void goodbyes.delete(listener)
}

const hintKey = 'session-hint'
/** The secret of a renewal whose answer is not there, and that of the last one that was answered (`askToRenew`). */
const askingKey = 'session-asking'
const askedKey = 'session-asked'
/** With the id of a person of whom this browser has still to forget what it keeps; as in browser-stores.ts. */
const leaverKey = 'forget '
/** There while a sign-out has not reached the service: `here` or `everywhere`. */
const signOutKey = 'session-sign-out'
const refreshThreshold = 5 * 60_000
const nobody: Session = {
  isAuthenticating: false,
  isAuthenticated: false,
  user: null,
  step: null,
  isUnreachable: false,
  hasEnded: false,
  isSigningOut: false,
}
type Goodbye = 'chosen' | 'ended'
type Accepted = { idToken: string; expiresIn: number }
type Told = { kind: 'signed-in'; value: string; endsAt: number } | { kind: 'signed-out' }

let state: Session = { ...nobody, isAuthenticating: true }
/** Whose things this page holds: of the signed-in person, also after a session that merely ended; or as `holdFor` said. */
let held: string | null = null
let token: { value: string; endsAt: number } | null = null
let refreshing: Promise<void> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const goodbyes = new Set<(why: Goodbye, userId: string) => void>()
// Not in the service either, which prerenders pages.
const channel =
  typeof document === 'undefined' || typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session')

/**
 * What is asked here has an end, answered or not: every tab waits for its turn. A renewal or a sign-in on a slow line may take
 * long; a sign-out keeps the next person waiting, and is told again.
 */
const answerWithin = { signOut: 5000, others: 30_000 }
const clientWith = (value: string | null, withinMs = answerWithin.others) =>
  client({
    origin: '',
    token: () => value,
    fetch: (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(withinMs) }),
  })
const send = clientWith(null)
/** A sign-out that the service has not heard of is told first: a sign-in takes the cookie by which it would end that session. */
const sendAfterSignOut = (async (shape, input, options) => {
  await endSession(null).catch((error: unknown) => console.error('Sign-out did not reach the service', error))
  return send(shape, input, options)
}) as typeof send

const refresh = (force = false): Promise<void> => {
  const before = token
  const isDone = () => token !== null && (force ? token !== before : token.endsAt - Date.now() > refreshThreshold)
  const asked = Date.now()
  refreshing ??= locked(async () => {
    if (isLeaving()) return stayOut(null)
    // Another tab may have refreshed while we waited for our turn; its word travels slower than the lock.
    if (!isDone() && Number(onDevice.read(turnedKey)) >= asked) await nextWord(1000)
    if (isDone()) return
    await goOn(await askToRenew())
  })
    .catch((error: unknown) => {
      if (isLeaving()) {
        clear('chosen')
        set({ isSigningOut: true })
        return again(3000)
      }
      // Only an answer ends a session. A lost network must not: uploads wait for it and go on.
      if (error instanceof Refusal && error.kind === 'unauthorized') {
        // Somebody may have signed in, here or in another tab, while we asked.
        if (token === before) clear('ended')
      } else if (state.user === null) set({ ...nobody, step: state.step, isUnreachable: true })
      else again(15_000)
    })
    .finally(() => (refreshing = null))
  return refreshing
}

/**
 * Where the answer is lost, or the browser dies before it has written the new cookie down, it is asked again with the cookie of
 * before, which counts as stolen but for the secret of the request that exchanged it (server/src/identity/families.ts). Each
 * request has a new one, kept until the next one was answered; only its hash is sent, so whoever saw the request cannot repeat it.
 */
const askToRenew = async (): Promise<Accepted> => {
  const unanswered = onDevice.read(askingKey)
  const secret = unanswered ?? base64url(crypto.getRandomValues(new Uint8Array(32)))
  onDevice.keep(askingKey, secret)
  const secrets = [onDevice.read(askedKey), unanswered].filter((one) => one !== null)
  const answer = await send(identity.refresh, { body: { ...(await hashed(secret)), secrets } })
  onDevice.keep(askedKey, secret)
  if (onDevice.read(askingKey) === secret) onDevice.drop(askingKey)
  return answer
}

/** Browsers hash on https, and on this device, alone; elsewhere an answer that is lost for long ends the session. */
const hashed = async (secret: string): Promise<{ secretHash?: string }> =>
  'subtle' in crypto
    ? { secretHash: base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret)))) }
    : {}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A new token of the session that is there, which stays ended where somebody signed out meanwhile, here or in another tab. */
const goOn = (answer: Accepted): Promise<void> => (isLeaving() ? stayOut(answer.idToken) : accept(answer))

const isLeaving = (): boolean => onDevice.read(signOutKey) !== null

/** Another tab's own word that somebody signed out may come later than what it left for all to read. */
const stayOut = async (value: string | null): Promise<void> => {
  await endSession(value)
  clear('chosen')
}

/** Tells the service of a sign-out that it has not heard of. Throws where it could not be reached or could not do it. */
const endSession = async (value: string | null): Promise<void> => {
  const from = onDevice.read(signOutKey)
  if (from === null) return
  await clientWith(value, answerWithin.signOut)(identity.signOut, { body: { everywhere: from === 'everywhere' } })
  onDevice.drop(signOutKey)
  if (state.isSigningOut) set({ isSigningOut: false })
}

const acceptOrAsk = async (answer: CallAnswer<typeof identity.password>): Promise<void> => {
  if ('idToken' in answer) {
    // Whoever signs in now has a new session, which an old sign-out must not end.
    onDevice.drop(signOutKey)
    return accept(answer)
  }
  // Whoever was signed in here is not, until this one is.
  if (token !== null) clear('ended')
  // What was to be asked again of who left would end the step.
  clearTimeout(timer)
  set({ ...nobody, step: answer })
}

const accept = async ({ idToken, expiresIn }: Accepted): Promise<void> => {
  token = { value: idToken, endsAt: Date.now() + expiresIn * 1000 }
  onDevice.keep(turnedKey, String(Date.now()))
  channel?.postMessage({ kind: 'signed-in', ...token } satisfies Told)
  await welcome()
}

const welcome = async (): Promise<void> => {
  if (token === null) return
  // A token that lives shorter than the threshold must not refresh in a circle.
  again(Math.max(30_000, token.endsAt - Date.now() - refreshThreshold))
  const id = subjectOf(token.value)
  if (state.user !== null && state.user.id === id) return set({ isAuthenticating: false })
  // Another person signed in, in another tab: nothing of the last one may stay on screen.
  const last = held
  held = id
  if (last !== null && last !== id) {
    set({ ...nobody, isAuthenticating: true })
    for (const listener of goodbyes) listener('ended', last)
  }
  try {
    const user = await clientWith(token.value)(accounts.info, {})
    // Whoever signed out while we asked is not brought back by the answer.
    if (token === null || subjectOf(token.value) !== id) return
    hint(true)
    onDevice.drop(leaverKey + user.id)
    forgetOtherRecorder(user.id)
    set({ ...nobody, isAuthenticated: true, user })
  } catch (error) {
    console.error('The user info lookup failed', error)
    if (error instanceof Refusal) set(nobody)
    else throw error
  }
}

const clear = (why: Goodbye): void => {
  token = null
  clearTimeout(timer)
  hint(false)
  const last = state.user
  set({ ...nobody, hasEnded: why === 'ended' && last !== null })
  if (last === null) return
  if (why === 'chosen') {
    held = null
    onDevice.keep(leaverKey + last.id, '')
  }
  for (const listener of goodbyes) listener(why, last.id)
  if (why === 'chosen') forget(last.id)
}

/** What this browser keeps of who chose to leave; where the page ends before it is forgotten, the next one goes on. */
const forget = (leaver?: string): void => {
  if (!onDevice.keys().some((key) => key.startsWith(leaverKey))) return
  void import('./forget.ts')
    .then(({ forgetInTab, forgetLeavers }) => {
      if (leaver !== undefined) forgetInTab(leaver)
      return forgetLeavers()
    })
    .catch((error: unknown) => console.error('Something is still to be forgotten here', error))
}

const again = (ms: number): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void refresh(), ms)
}

const set = (change: Partial<Session>): void => {
  state = { ...state, ...change }
  followZone(state.user?.timezone)
  for (const listener of listeners) listener()
}

// Public pages read this to know whether asking for a session is worth it. It proves nothing.
const hint = (signedIn: boolean): void => {
  if (signedIn) onDevice.keep(hintKey, '1')
  else onDevice.drop(hintKey)
}

/** The next thing that another tab says, or `ms` without one. */
const nextWord = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    channel?.addEventListener('message', () => resolve(), { once: true })
    setTimeout(resolve, ms)
  })

// When the cookie was turned last, by whichever tab.
const turnedKey = 'session-turned'

const locked = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('session', work) : work()

const subjectOf = (jwt: string): string | null => {
  try {
    const claims = JSON.parse(atob(jwt.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: string }
    return claims.sub ?? null
  } catch {
    return null
  }
}

channel?.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.kind === 'signed-out') return clear('chosen')
  // Said before its tab knew that somebody signed out here; a sign-in takes that away first.
  if (isLeaving()) return
  token = { value: data.value, endsAt: data.endsAt }
  void welcome().catch(() => {})
})

// Timers sleep with the laptop; a page that wakes checks its token at once.
if (typeof document !== 'undefined')
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && token !== null) void bearer()
  })

/**
 * A page that the browser kept whole and shows again (its way back) heard nothing meanwhile: whoever was signed in may have left,
 * and somebody else come.
 */
const shownAgain = (): void => {
  if (state.user === null) return
  if (onDevice.read(hintKey) === null) clear('ended')
  else void renew(token?.value ?? null)
}

if (typeof addEventListener !== 'undefined')
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) shownAgain()
  })
