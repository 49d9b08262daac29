import { useEffect } from 'react'

/** The screen stays lit while `isNeeded` and the page is in view: phones cut camera and network when it goes dark. */
export const useAwake = (isNeeded: boolean): void => {
  useEffect(() => {
    if (!isNeeded || !('wakeLock' in navigator)) return
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
  }, [isNeeded])
}
