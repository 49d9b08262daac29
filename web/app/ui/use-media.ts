import { useSyncExternalStore } from 'react'

/** Whether a media query holds, now and when that changes. */
export const useMedia = (condition: string): boolean =>
  useSyncExternalStore(
    (changed) => {
      const media = matchMedia(condition)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(condition).matches,
  )
