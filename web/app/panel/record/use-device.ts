import { useEffect, useState } from 'react'
import { msWithin } from '../../recorder/take-recorder.ts'
import { spool } from '../../spool/open.ts'

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

/** `nothing`: a take lives as long as its page. `while-room`: a browser that runs low on storage may clear it. */
export type Keeping = 'kept' | 'while-room' | 'nothing'

/** Asks it to keep takes whatever happens; some browsers say nothing to that. */
export const isKeepingRefused = async (): Promise<boolean> =>
  (await navigator.storage?.persist?.().catch(() => undefined)) === false

/** How this browser keeps a take; null until it has said so. `wasRefused`: it was asked for more and said no. */
export const useKeeping = (wasRefused: boolean, isReady: boolean): Keeping | null => {
  const [keeping, setKeeping] = useState<Keeping | null>(null)
  useEffect(() => {
    if (isReady) void keepingHere(wasRefused).then(setKeeping)
  }, [wasRefused, isReady])
  return keeping
}

const keepingHere = async (wasRefused: boolean): Promise<Keeping> => {
  if ((await spool()).place === 'memory') return 'nothing'
  if (await navigator.storage?.persisted?.().catch(() => false)) return 'kept'
  const asked = await navigator.permissions?.query({ name: 'persistent-storage' }).catch(() => undefined)
  return wasRefused || asked?.state === 'denied' ? 'while-room' : 'kept'
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
