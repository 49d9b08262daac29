import type { Provider } from '@clear-to-post/contract/identity'
import { inTab } from '../storage.ts'

/**
 * The OAuth flow at Google or Apple in a window of its own, and how its end is told. A window that went to another site has lost
 * its opener (Cross-Origin-Opener-Policy), so the two speak over a channel of this origin; where no window may be opened,
 * or nobody listens any more, the page that comes back ends the flow itself.
 */
export type OAuthFlow = {
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
export type OAuthReturn = { state: string; code?: string; iss?: string; user?: string; error?: string }

/**
 * Starts the flow. `onBack` is called at most once, with what came back to this very flow; the answered function stops listening.
 * Call it from a press: browsers open windows for nothing else.
 */
export const startOAuth = (flow: Omit<OAuthFlow, 'state'>, onBack: (back: OAuthReturn) => void): (() => void) => {
  const state = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  // Before the window opens: it gets a copy, with which it can end the flow alone.
  inTab.keep(flowKey, JSON.stringify({ ...flow, state } satisfies OAuthFlow))
  const address = `/identity/${flow.provider}/start?${new URLSearchParams({ state, language: navigator.language })}`
  const window = open(address, 'sign-in', 'popup,width=480,height=680')
  if (window === null) {
    location.assign(address)
    return () => {}
  }
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'back' || data.back.state !== state) return
    channel.postMessage({ kind: 'taken', state } satisfies Message)
    channel.close()
    inTab.drop(flowKey)
    onBack(data.back)
  })
  return () => channel.close()
}

/** At the flow's end: whether the page that set out took over within `ms`. */
export const sendReturn = (back: OAuthReturn, ms = 1500): Promise<boolean> =>
  new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName)
    const end = (isTaken: boolean) => {
      channel.close()
      resolve(isTaken)
    }
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'taken' && data.state === back.state) end(true)
    })
    channel.postMessage({ kind: 'back', back } satisfies Message)
    setTimeout(() => end(false), ms)
  })

/** Keeps what came back for the page that ends the flow; null when this browser window never started one. */
export const storeReturn = (back: OAuthReturn): OAuthFlow | null => {
  const flow = currentFlow()
  if (flow?.state !== back.state) return null
  inTab.keep(backKey, JSON.stringify(back))
  return flow
}

/** What was kept for this purpose, once. */
export const takeReturn = (purpose: OAuthFlow['purpose']): { flow: OAuthFlow; back: OAuthReturn } | null => {
  const flow = currentFlow()
  const kept = inTab.read(backKey)
  if (flow?.purpose !== purpose || kept === null) return null
  inTab.drop(flowKey)
  inTab.drop(backKey)
  return { flow, back: JSON.parse(kept) as OAuthReturn }
}

type Message = { kind: 'back'; back: OAuthReturn } | { kind: 'taken'; state: string }
const channelName = 'sign-in'
const flowKey = 'oauth-flow'
const backKey = 'oauth-return'

const currentFlow = (): OAuthFlow | null => JSON.parse(inTab.read(flowKey) ?? 'null') as OAuthFlow | null
