import { useSyncExternalStore } from 'react'
import type { Receipt } from '@clear-to-post/contract/removals'

/** The receipt of the account that was just deleted here, until it was read. It outlives the session, which is gone. */
let kept: Receipt | null = null
const listeners = new Set<() => void>()

export const keepReceipt = (receipt: Receipt | null): void => {
  kept = receipt
  for (const listener of listeners) listener()
}

export const useReceipt = (): Receipt | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => kept,
  )

/**
 * The page that shows it. Only who deletes an account needs it; it is asked for before the account is gone, because its
 * code must not be missing afterwards.
 */
export const loadReceiptPage = () => import('./receipt-page.tsx')
