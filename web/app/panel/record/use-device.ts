import { useEffect, useRef, useState } from 'react'
import { msWithin, spareHere } from '../../recorder/take-recorder.ts'
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

/**
 * `nothing`: a take lives as long as its page. `full`: so it does, since the disk takes no more. `while-room`: a browser that
 * runs low on storage may clear it.
 */
export type Keeping = 'kept' | 'while-room' | 'nothing' | 'full'

/** A take in memory lives as long as its page. */
export const isInMemory = (keeping: Keeping | null): boolean => keeping === 'nothing' || keeping === 'full'

/** How this browser keeps the take that may begin now; null until that has been tried. Tried anew before each take. */
export const useKeeping = (isReady: boolean): Keeping | null => {
  const [keeping, setKeeping] = useState<Keeping | null>(null)
  const refused = useRef<Promise<boolean>>(undefined)
  useEffect(() => {
    if (!isReady) return
    // One of the browsers asks its owner: once a page, and beside the question about the camera, not in the middle of a take.
    const isRefused = () => (refused.current ??= isKeepingRefused())
    void keepingHere(isRefused).then(setKeeping)
  }, [isReady])
  return keeping
}

const keepingHere = async (isRefused: () => Promise<boolean>): Promise<Keeping> => {
  const takes = await spool()
  // A take on the disk would end with its first piece.
  await takes.choosePlace({ isUsedUp: ((await roomHere()) ?? Infinity) < spareHere })
  if (takes.place === 'memory')
    return takes.refusal instanceof DOMException && takes.refusal.name === 'QuotaExceededError' ? 'full' : 'nothing'
  if (await navigator.storage?.persisted?.().catch(() => false)) return 'kept'
  return (await isRefused()) ? 'while-room' : 'kept'
}

/** Asks it to keep takes whatever happens; some browsers say nothing to that. */
const isKeepingRefused = async (): Promise<boolean> =>
  (await navigator.storage?.persist?.().catch(() => undefined)) === false

/** What was recorded is safe either way; but a take goes on only where its page stays. */
export const useLeaveAsked = (isRunning: boolean): void => {
  useEffect(() => {
    if (!isRunning) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isRunning])
}
