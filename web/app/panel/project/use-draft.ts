import { useState } from 'react'
import { currentSession } from '../../session.ts'
import { dropText, keepText, keptUnder, textKept } from '../../written.ts'

/**
 * A text or form of who is signed in that outlives a reload of this tab. `of` names what it is written about: where that becomes
 * another, its own words are taken, or its own beginning. `sent` once the service has it; `forget` where its writer throws it away.
 * `owner`: whose page it is, where nobody need be signed in.
 */
export const useDraft = <T>(
  of: string,
  blank: T,
  owner?: string,
): [value: T, write: (next: T | ((now: T) => T)) => void, sent: Sent<T>, forget: () => void] => {
  // Whose page it is, also in the moment in which they leave.
  const [person] = useState(() => owner ?? personHere())
  const take = () => ({ of, blank, value: kept<T>(of, person) ?? blank })
  const [held, setHeld] = useState(take)
  const draft = held.of === of ? held : take()
  if (draft !== held) setHeld(draft)
  // As it is kept: the form may have been drawn anew, or closed, since this one was.
  const now = (): T => kept<T>(of, person) ?? draft.blank
  const write = (next: T | ((now: T) => T)) => {
    const value = typeof next === 'function' ? (next as (now: T) => T)(now()) : next
    // What was deleted again is not kept either.
    if (value === draft.blank) dropText(person, of)
    else keepWritten(person, of, value)
    setHeld({ ...draft, value })
  }
  const sent: Sent<T> = (pressed, left = changedSince) => {
    const stays = left(now(), pressed) ?? draft.blank
    write(stays)
    return stays === draft.blank ? null : stays
  }
  return [draft.value, write, sent, () => write(draft.blank)]
}

/**
 * Takes away what was sent, as it stood at the press, and no other words: an answer may take half a minute, and people write on. Says
 * what stays, null when nothing does. `left` is what stays of what is written now; all of it, once a word differs, unless told.
 */
export type Sent<T> = (pressed: T, left?: (now: T, pressed: T) => T | null) => T | null

export const changedSince = <T>(now: T, pressed: T): T | null =>
  JSON.stringify(now) === JSON.stringify(pressed) ? null : now

/**
 * Of words that go out as a message: those that were written after the ones that went. All of them where these only begin alike:
 * “Yes” went, and “Yesterday…” was written anew.
 */
export const writtenSince = (now: string, pressed: string): string => {
  const went = pressed.trimEnd()
  const since = now.slice(went.length)
  return now.startsWith(went) && (since === '' || /^\s/.test(since)) ? since.trimStart() : now
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
