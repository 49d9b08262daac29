import type { Provider } from '@clear-to-post/contract/identity'

/**
 * The walk to Google or Apple in a window of its own, and how its end is told. A window that went to another site has lost
 * its opener (Cross-Origin-Opener-Policy), so the two speak over a channel of this origin; where no window may be opened,
 * or nobody listens any more, the page that comes back ends the walk itself.
 */
export type Walk = {
  state: string
  provider: Provider
  /** What it is for: signing in, or connecting an account that is signed in. */
  purpose: 'sign-in' | 'connect'
  /** Of a sign-up. */
  invitationCode?: string | undefined
  /** Where one wanted to go. */
  next?: string | undefined
}

/** What came back: a code, or an error's name. */
export type Back = { state: string; code?: string; iss?: string; user?: string; error?: string }

/**
 * Sets out. `onBack` is called at most once, with what came back to this very walk; the answered function stops listening.
 * Call it from a press: browsers open windows for nothing else.
 */
export const setOut = (walk: Omit<Walk, 'state'>, onBack: (back: Back) => void): (() => void) => {
  const state = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  // Before the window opens: it gets a copy, with which it can end the walk alone.
  sessionStorage.setItem(walkKey, JSON.stringify({ ...walk, state } satisfies Walk))
  const address = `/identity/${walk.provider}/start?${new URLSearchParams({ state, language: navigator.language })}`
  const window = open(address, 'sign-in', 'popup,width=480,height=680')
  if (window === null) {
    location.assign(address)
    return () => {}
  }
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.kind !== 'back' || data.back.state !== state) return
    channel.postMessage({ kind: 'taken', state } satisfies Told)
    channel.close()
    sessionStorage.removeItem(walkKey)
    onBack(data.back)
  })
  return () => channel.close()
}

/** At the walk's end: whether the page that set out took over within `ms`. */
export const handBack = (back: Back, ms = 1500): Promise<boolean> =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    const end = (isTaken: boolean) => {
      channel.close()
      resolve(isTaken)
    }
    channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if (data.kind === 'taken' && data.state === back.state) end(true)
    })
    channel.postMessage({ kind: 'back', back } satisfies Told)
    setTimeout(() => end(false), ms)
  })

/** Keeps what came back for the page that ends the walk; null when this browser window never set out. */
export const keepBack = (back: Back): Walk | null => {
  const walk = walkOf()
  if (walk?.state !== back.state) return null
  sessionStorage.setItem(backKey, JSON.stringify(back))
  return walk
}

/** What was kept for this purpose, once. */
export const takeBack = (purpose: Walk['purpose']): { walk: Walk; back: Back } | null => {
  const walk = walkOf()
  const kept = sessionStorage.getItem(backKey)
  if (walk?.purpose !== purpose || kept === null) return null
  sessionStorage.removeItem(walkKey)
  sessionStorage.removeItem(backKey)
  return { walk, back: JSON.parse(kept) as Back }
}

type Told = { kind: 'back'; back: Back } | { kind: 'taken'; state: string }
const channelName = 'sign-in'
const walkKey = 'walk'
const backKey = 'walk-back'

const walkOf = (): Walk | null => JSON.parse(sessionStorage.getItem(walkKey) ?? 'null') as Walk | null
