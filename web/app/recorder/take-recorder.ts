import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { Spool } from '../spool/spool.ts'
import type { Format } from './format.ts'

/** Why a take ended without being asked to: what there is of it is safe. */
export type Ending = 'unplugged' | 'unshared' | 'full' | 'longest' | 'away' | 'fault'

export type TakeRecorder = {
  pause: () => void
  goOn: () => void
  /** Ends the take; kept when all of it is safe. */
  stop: () => Promise<void>
  /** How long it is, ms, without its pauses. */
  ms: () => number
  /** It is being recorded at this moment: neither paused nor over. */
  isRunning: () => boolean
}

/** From here on a take ends by itself: the room that the service keeps for one, less what is in flight. */
const spareBytes = 8 * 1024 * 1024
/** And by so much of the device's own room that is left: what is safe is noted and sent from there, too. */
export const spareHere = 24 * 1024 * 1024

/**
 * At Stop a browser drops the pictures that wait in its encoder, on a slow machine half a second of them, and their sound stays. So
 * a take is paused first: no more come in, and those that wait are encoded. Chromium lets ten wait, of fifteen a second.
 */
const encodingMs = 700

/**
 * Records `stream` into the spool, a piece each second or two. It never fails as a whole: whatever happens to camera, disk or
 * page, the take ends with what is safe, and `onEnd` says why.
 */
export const recordTake = (
  spool: Spool,
  id: string,
  {
    stream,
    screen,
    format,
    mostBytes,
    mostMs,
    roomHere,
    log,
    onSafe,
    onEnd,
  }: {
    stream: MediaStream
    /** What is shared beside the camera: the take ends with it. */
    screen?: MediaStreamTrack | undefined
    format: Format
    mostBytes: number
    mostMs: number
    /** How many bytes this device has left; null where it does not say. */
    roomHere?: () => Promise<number | null>
    /** What was noted of the take so far: it is kept with each piece. */
    log?: () => TakeLog
    onSafe?: (bytes: number) => void
    onEnd: (why: Ending) => void
  },
): TakeRecorder => {
  const settings = stream.getVideoTracks()[0]?.getSettings()
  const recorder = new MediaRecorder(stream, {
    mimeType: format.mimeType,
    videoBitsPerSecond: bitsFor((settings?.width ?? 1080) * (settings?.height ?? 1920)),
    audioBitsPerSecond: soundBits,
    // A fragment ends at a key frame: without this one a crash would lose minutes.
    videoKeyFrameIntervalDuration: 1000,
  } as MediaRecorderOptions)
  let doneMs = 0
  let runningSince: number | null = null
  let isOver = false
  let last: Promise<unknown> = Promise.resolve()
  const over = Promise.withResolvers<void>()
  const ms = () => doneMs + (runningSince === null ? 0 : performance.now() - runningSince)
  const rest = () => {
    doneMs = ms()
    runningSince = null
  }

  const end = (why: Ending | null) => {
    if (isOver) return
    isOver = true
    rest()
    stopListening()
    if (recorder.state === 'inactive') void finish()
    // A page that is left, or a disk that failed, may have no moment more.
    else if (why === 'away' || why === 'fault' || document.visibilityState === 'hidden') recorder.stop()
    else void stopWhenEncoded()
    if (why) onEnd(why)
  }
  const stopWhenEncoded = async () => {
    if (recorder.state === 'recording') recorder.pause()
    await new Promise((resolve) => setTimeout(resolve, encodingMs))
    if (recorder.state !== 'inactive') recorder.stop()
  }
  const finish = async () => {
    await last.catch(() => undefined)
    await spool.end(id)
    over.resolve()
  }

  recorder.addEventListener('dataavailable', ({ data }) => {
    // Some browsers give out empty pieces.
    if (data.size === 0) return
    const written = spool.append(id, data, ms(), log?.())
    last = written
    written.then(
      (bytes) => {
        onSafe?.(bytes)
        if (bytes > mostBytes - spareBytes || ms() > mostMs) end('longest')
        // In time: a disk that is full would take the end of the take, and the notes that say what is safe.
        else
          void Promise.all([spool.hasRoom(), roomHere?.()]).then(
            ([hasRoom, left]) => (!hasRoom || (left ?? Infinity) < spareHere) && end('full'),
          )
      },
      (error: unknown) => {
        console.error('A piece of the take could not be written', error)
        end(error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'fault')
      },
    )
  })
  recorder.addEventListener('stop', () => {
    if (!isOver) end('unplugged')
    void finish()
  })
  recorder.addEventListener('error', () => end('fault'))

  const unplugged = () => end('unplugged')
  const unshared = () => end('unshared')
  screen?.addEventListener('ended', unshared)
  // A phone takes camera and microphone away from a page that is left.
  const away = () => {
    if (document.visibilityState === 'hidden' && recorder.state === 'recording') recorder.requestData()
  }
  const muted = () => {
    if (document.visibilityState === 'hidden') end('away')
  }
  for (const track of stream.getTracks()) {
    track.addEventListener('ended', unplugged)
    track.addEventListener('mute', muted)
  }
  document.addEventListener('visibilitychange', away)
  addEventListener('pagehide', away)
  const stopListening = () => {
    screen?.removeEventListener('ended', unshared)
    for (const track of stream.getTracks()) {
      track.removeEventListener('ended', unplugged)
      track.removeEventListener('mute', muted)
    }
    document.removeEventListener('visibilitychange', away)
    removeEventListener('pagehide', away)
  }

  recorder.start(format.everyMs)
  runningSince = performance.now()
  return {
    ms,
    isRunning: () => runningSince !== null,
    pause: () => {
      if (recorder.state !== 'recording') return
      recorder.pause()
      rest()
      // What was said before the pause is safe during it.
      recorder.requestData()
    },
    goOn: () => {
      if (recorder.state !== 'paused') return
      recorder.resume()
      runningSince = performance.now()
    },
    stop: () => {
      end(null)
      return over.promise
    },
  }
}

const soundBits = 128_000

/** How long a take of such a picture (none for a voice alone) may become in so many bytes of this device, ms. */
export const msWithin = (bytes: number, picture: { width?: number; height?: number } | null): number => {
  const bits = soundBits + (picture ? bitsFor((picture.width ?? 1080) * (picture.height ?? 1920)) : 0)
  return (Math.max(0, bytes - spareHere) * 8000) / bits
}

/** 8 Mbit/s in full HD, and less in smaller pictures. */
const bitsFor = (pixels: number): number => Math.round(Math.min(8e6, Math.max(1.5e6, (8e6 * pixels) / (1080 * 1920))))
