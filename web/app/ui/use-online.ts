import { useSyncExternalStore } from 'react'

/** Whether the browser has a network, now and when that changes. It says nothing of the service. */
export const useOnline = (): boolean => useSyncExternalStore(hear, () => navigator.onLine)

const hear = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
