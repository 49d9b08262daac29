/**
 * Sends a video that stands to its moment once more after the first jump since it was loaded. A browser that is sent there while it
 * still brings its first picture sometimes keeps that one for good (decision 436).
 */
export const seekTwice = (video: HTMLVideoElement, signal: AbortSignal): void => {
  let isNew = true
  video.addEventListener('loadstart', () => (isNew = true), { signal })
  video.addEventListener(
    'seeked',
    () => {
      if (!isNew) return
      isNew = false
      // The moment itself would be no jump; a thousandth of a second is within the same picture.
      if (video.paused) video.currentTime += 0.001
    },
    { signal },
  )
}
