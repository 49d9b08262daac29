import { useEffect } from 'react'
import { useUploads } from './uploads.ts'

/** Phones cut the network when their screen goes dark: it stays lit while a file leaves and the page is in view. */
export const useKeepAwake = (): void => {
  const isSending = useUploads().some(({ state }) => state === 'sending')
  useEffect(() => {
    if (!isSending || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isOver = false
    // Refused on low battery; the system takes it back whenever the page is hidden.
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void lock?.release()
    }
    void ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [isSending])
}
