import { useEffect, useRef } from 'react'
import { isNowhere } from '../use-heading-focus.ts'

/** Each step of a recording takes the button of the one before away; whoever pressed it stands at the next one's. */
export const useStepFocus = (phase: string, canStart: boolean) => {
  const next = useRef<HTMLButtonElement>(null)
  const before = useRef(phase)
  const hasBegun = useRef(false)
  useEffect(() => {
    if (phase !== before.current) hasBegun.current = true
    before.current = phase
    if (hasBegun.current && isNowhere()) next.current?.focus({ preventScroll: true })
  }, [phase, canStart])
  return next
}
