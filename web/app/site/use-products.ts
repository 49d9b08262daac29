import { useCallback, useEffect, useState } from 'react'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { send } from '../send.ts'
import { useSession } from '../session.ts'
import type { Product } from './plan-cards.tsx'

/**
 * What may be chosen (docs/specification/pages.md): loading until the products have come or failed; waits for the session
 * to be determined, and asks again when it changes. With a token the person's own list, else the public one. A failure is
 * only logged: the list stays empty. `lookAgain` asks once more.
 */
export const useProducts = (): {
  isLoading: boolean
  hasFailed: boolean
  products: Product[]
  isOwn: boolean
  lookAgain: () => void
} => {
  const { isAuthenticating, isAuthenticated, user } = useSession()
  const [state, setState] = useState({ isLoading: true, hasFailed: false, products: [] as Product[], isOwn: false })
  const [looks, setLooks] = useState(0)
  const lookAgain = useCallback(() => setLooks((last) => last + 1), [])
  const who = user?.id
  useEffect(() => {
    if (isAuthenticating) return
    const stop = new AbortController()
    setState((last) => ({ ...last, isLoading: true }))
    send(isAuthenticated ? subscriptions.products : subscriptions.publicProducts, {}, { signal: stop.signal })
      .then((found) => ({
        hasFailed: false,
        products: found.toSorted((a, b) => a.metadata.position - b.metadata.position),
      }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) console.error('Failed to load products', error)
        return { hasFailed: true, products: [] }
      })
      .then((found) => {
        if (!stop.signal.aborted) setState({ isLoading: false, ...found, isOwn: isAuthenticated })
      })
    return () => stop.abort()
  }, [isAuthenticating, isAuthenticated, who, looks])
  return { ...state, lookAgain }
}
