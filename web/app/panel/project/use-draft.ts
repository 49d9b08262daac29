import { useEffect, useState } from 'react'
import { currentSession } from '../../session.ts'

/**
 * A text or form of who is signed in that outlives a reload of this tab. `clear` once it was sent. `owner`: whose page it is, where
 * nobody need be signed in.
 */
export const useDraft = <T>(of: string, blank: T, owner?: string): [T, (value: T) => void, () => void] => {
  // Whose page it is, also in the moment in which they leave.
  const [person] = useState(() => owner ?? personHere())
  const key = keyOf(person, of)
  const [value, setValue] = useState<T>(() => kept(of, person) ?? blank)
  useEffect(() => {
    // What was deleted again is not kept either.
    if (value === blank) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(value))
  }, [key, value, blank])
  const clear = () => {
    sessionStorage.removeItem(key)
    setValue(blank)
  }
  return [value, setValue, clear]
}

/** What was written under this key and not sent; null when nothing was. */
export const kept = <T>(of: string, person = personHere()): T | null => {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(person, of)) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Keeps something that this person wrote, until it is dropped. */
export const keepWritten = (person: string, of: string, value: unknown): void =>
  sessionStorage.setItem(keyOf(person, of), JSON.stringify(value))

export const dropWritten = (person: string, of: string): void => sessionStorage.removeItem(keyOf(person, of))

/** All that is kept of who is here under keys that begin so, in no order. */
export const writtenUnder = <T>(beginning: string): T[] => {
  const whole = keyOf(personHere(), beginning)
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(whole))
    .flatMap((key) => kept<T>(beginning + key.slice(whole.length)) ?? [])
}

/** Whoever signs in next in this tab finds nothing of others. */
const keyOf = (person: string, of: string): string => `written ${person} ${of}`
const personHere = (): string => currentSession().user?.id ?? ''
