import { useEffect, useState } from 'react'
import { sizeWords } from '../../times.ts'

/** Room on this device in words where it is too little for ten minutes; null where it is enough or nobody knows. */
export const useRoom = (): string | null => {
  const [room, setRoom] = useState<string | null>(null)
  useEffect(() => {
    void navigator.storage?.estimate?.().then(({ quota, usage }) => {
      const left = (quota ?? Number.POSITIVE_INFINITY) - (usage ?? 0)
      if (left < 600e6) setRoom(sizeWords(left))
    })
  }, [])
  return room
}

/** What was recorded is safe either way; but a take goes on only where its page stays. */
export const useLeaveAsked = (isRunning: boolean): void => {
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
}
