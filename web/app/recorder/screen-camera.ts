import type { Joined } from './screen-camera-worker.ts'

/** Known to Chromium's browsers alone, and so not to the compiler's list. */
type FramesOf = new (from: { track: MediaStreamTrack }) => { readable: ReadableStream<VideoFrame> }
type TrackOfFrames = new (of: { kind: 'video' }) => MediaStreamTrack & { writable: WritableStream<VideoFrame> }
const browser = globalThis as { MediaStreamTrackProcessor?: FramesOf; MediaStreamTrackGenerator?: TrackOfFrames }

/**
 * Whether this browser joins a screen and a camera into one picture also while its page is behind other windows, as it is
 * while somebody shows them.
 */
export const canJoinScreen = (): boolean =>
  typeof navigator !== 'undefined' &&
  navigator.mediaDevices !== undefined &&
  'getDisplayMedia' in navigator.mediaDevices &&
  browser.MediaStreamTrackProcessor !== undefined &&
  browser.MediaStreamTrackGenerator !== undefined

/** One track of both: the screen in full, the camera in its corner, a picture for each of the camera's. A worker draws them. */
export const joinScreenAndCamera = (
  screen: MediaStreamTrack,
  camera: MediaStreamTrack,
): { track: MediaStreamTrack; close: () => void } => {
  const track = new browser.MediaStreamTrackGenerator!({ kind: 'video' })
  const frames = (of: MediaStreamTrack) => new browser.MediaStreamTrackProcessor!({ track: of }).readable
  const joined: Joined = { screen: frames(screen), camera: frames(camera), out: track.writable }
  const worker = new Worker(new URL('./screen-camera-worker.ts', import.meta.url), { type: 'module' })
  worker.postMessage(joined, [joined.screen, joined.camera, joined.out])
  return { track, close: () => worker.terminate() }
}
