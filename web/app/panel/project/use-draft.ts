import { useEffect, useState } from 'react'
import { currentSession } from '../../session.ts'

/** A text or form of who is signed in that outlives a reload of this tab. `clear` once it was sent. */
export const useDraft = <T>(of: string, blank: T): [T, (value: T) => void, () => void] => {
  // Whose page it is, also in the moment in which they leave.
  const [person] = useState(personHere)
  const key = keyOf(person, of)
  const [value, setValue] = useState<T>(() => kept(of) ?? blank)
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
export const kept = <T>(of: string): T | null => {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(personHere(), of)) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Whoever signs in next in this tab finds nothing of others. */
const keyOf = (person: string, of: string): string => `written ${person} ${of}`
const personHere = (): string => currentSession().user?.id ?? ''
