import type { CallAnswer } from '@clear-to-post/contract/call'
import type { accounts } from '@clear-to-post/contract/accounts'
import { inTab } from '../storage.ts'

/** What signs in beside a password that was just set anew, and what was taken away with the old one. */
export type Ways = Pick<CallAnswer<typeof accounts.changePassword>, 'kept' | 'removed'>

/** Keeps it for the profile, which shows it; whether there is anything to show. */
export const noteWays = (ways: Ways): boolean => {
  const hasSome = ways.kept.length + ways.removed.length > 0
  if (hasSome) inTab.keep(key, JSON.stringify(ways))
  else inTab.drop(key)
  dispatchEvent(new Event(key))
  return hasSome
}

export const notedWays = (): Ways | null => JSON.parse(inTab.read(key) ?? 'null') as Ways | null

export const forgetWays = (): void => {
  inTab.drop(key)
  dispatchEvent(new Event(key))
}

/** Hears when it changes; answers how to stop. */
export const followWays = (listener: () => void): (() => void) => {
  addEventListener(key, listener)
  return () => removeEventListener(key, listener)
}

const key = 'ways-after-reset'
