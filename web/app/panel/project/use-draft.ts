import { useState } from 'react'
import { currentSession } from '../../session.ts'
import { dropText, keepText, keptUnder, textKept } from '../../written.ts'

/**
 * A text or form of who is signed in that outlives a reload of this tab. `of` names what it is written about: where that becomes
 * another, its own words are taken, or its own beginning. `clear` once it was sent. `owner`: whose page it is, where nobody need be
 * signed in.
 */
export const useDraft = <T>(of: string, blank: T, owner?: string): [T, (value: T) => void, () => void] => {
  // Whose page it is, also in the moment in which they leave.
  const [person] = useState(() => owner ?? personHere())
  const take = () => ({ of, blank, value: kept<T>(of, person) ?? blank })
  const [held, setHeld] = useState(take)
  const draft = held.of === of ? held : take()
  if (draft !== held) setHeld(draft)
  const write = (value: T) => {
    // What was deleted again is not kept either.
    if (value === draft.blank) dropText(person, of)
    else keepWritten(person, of, value)
    setHeld({ ...draft, value })
  }
  return [draft.value, write, () => write(draft.blank)]
}

/** What was written under this key and not sent; null when nothing was. */
export const kept = <T>(of: string, person = personHere()): T | null => {
  try {
    return JSON.parse(textKept(person, of) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** Keeps something that this person wrote, until it is dropped. */
export const keepWritten = (person: string, of: string, value: unknown): void =>
  keepText(person, of, JSON.stringify(value))

export const dropWritten = dropText

/** All that is kept of who is here under keys that begin so, in no order. */
export const writtenUnder = <T>(beginning: string): T[] =>
  keptUnder(personHere(), beginning).flatMap((of) => kept<T>(of) ?? [])

const personHere = (): string => currentSession().user?.id ?? ''
