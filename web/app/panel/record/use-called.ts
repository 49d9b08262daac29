import { useEffect, useEffectEvent } from 'react'
import { listenFor, untouched, type Waiting } from '../../recorder/hands-free.ts'

/** While it waits, a voice or a clap calls once. `db`: how loud the microphone is right now. */
export const useCalled = (isWaiting: boolean, db: () => number, onCalled: () => void): void => {
  const call = useEffectEvent(onCalled)
  const level = useEffectEvent(db)
  useEffect(() => {
    if (!isWaiting) return
    let waiting: Waiting = untouched
    let before = performance.now()
    const timer = setInterval(() => {
      const now = performance.now()
      const next = listenFor(waiting, level(), now - before)
      waiting = next
      before = now
      if (!next.isCalled) return
      clearInterval(timer)
      call()
    }, lookMs)
    return () => clearInterval(timer)
  }, [isWaiting])
}

/** A clap is over in less than a tenth of a second. */
const lookMs = 25
