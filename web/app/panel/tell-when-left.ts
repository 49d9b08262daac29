import { useEffect, useRef } from 'react'
import { personHere } from '../session.ts'

type Held = { waits: boolean; tell: () => void }

/**
 * For what was pressed and goes once something else is there. Who leaves before that is asked by the browser; inside the panel
 * they are told that it did not go.
 */
export const useTellWhenLeft = (waits: boolean, tell: () => void): void => {
  const held = useRef<Held>({ waits, tell })
  held.current = { waits, tell }
  useEffect(() => watchLeaving(() => held.current), [])
}

/** Watches until it is left, which is what the answer does. */
export const watchLeaving = (held: () => Held): (() => void) => {
  const person = personHere()
  const ask = (event: BeforeUnloadEvent) => held().waits && event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => {
    removeEventListener('beforeunload', ask)
    // Not to whoever sits here next.
    if (held().waits && personHere() === person) held().tell()
  }
}
