import { useEffect, useState } from 'react'
import { msWithin } from '../../recorder/take-recorder.ts'

/** Bytes that this device has left for this site; null where it does not say. */
export const roomHere = async (): Promise<number | null> => {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
  return quota === undefined ? null : quota - (usage ?? 0)
}

/** How long a take of this stream may become on this device, ms; null where it does not say. Asked anew before each take. */
export const useRoom = (stream: MediaStream | null, isReady: boolean): number | null => {
  const [ms, setMs] = useState<number | null>(null)
  useEffect(() => {
    if (!stream || !isReady) return
    const picture = stream.getVideoTracks()[0]?.getSettings() ?? null
    void roomHere().then((bytes) => setMs(bytes === null ? null : msWithin(bytes, picture)))
  }, [stream, isReady])
  return ms
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
