import { useEffect, useState } from 'react'

/** A text or form that outlives a reload of this tab. `clear` once it was sent. */
export const useDraft = <T>(key: string, blank: T): [T, (value: T) => void, () => void] => {
  const [value, setValue] = useState<T>(() => kept(key) ?? blank)
  useEffect(() => {
    if (value !== blank) sessionStorage.setItem(key, JSON.stringify(value))
  }, [key, value, blank])
  const clear = () => {
    sessionStorage.removeItem(key)
    setValue(blank)
  }
  return [value, setValue, clear]
}

/** What was written under this key and not sent; null when nothing was. */
export const kept = <T>(key: string): T | null => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
  } catch {
    return null
  }
}
