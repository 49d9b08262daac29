import { useEffect, useState } from 'react'

/** A picture of a local video's beginning as a blob address, or null while unknown and where this browser cannot play the format. */
export const useFirstFrame = (file: File | undefined): string | null => {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    setAddress(null)
    if (file !== undefined) void firstFrame(file).then((found) => isCurrent && setAddress(found))
    return () => void (isCurrent = false)
  }, [file])
  return address
}

const frames = new WeakMap<File, Promise<string | null>>()

const firstFrame = (file: File): Promise<string | null> => {
  const known = frames.get(file) ?? draw(file)
  frames.set(file, known)
  return known
}

const draw = async (file: File): Promise<string | null> => ((await isMovie(file)) ? play(file) : null)

/** By its first bytes: MP4 and QuickTime, Matroska and WebM, AVI. A browser would follow what a playlist points to. */
const isMovie = async (file: File): Promise<boolean> => {
  const head = new Uint8Array(
    await file
      .slice(0, 12)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  )
  const text = String.fromCharCode(...head)
  return (
    /^.{4}(ftyp|moov|mdat|wide|free|skip)/s.test(text) || text.startsWith('\x1A\x45\xDF\xA3') || text.startsWith('RIFF')
  )
}

const play = (file: File): Promise<string | null> =>
  new Promise((resolve) => {
    const video = document.createElement('video')
    const source = URL.createObjectURL(file)
    const end = (address: string | null) => {
      clearTimeout(timer)
      video.removeAttribute('src')
      video.load()
      URL.revokeObjectURL(source)
      resolve(address)
    }
    const timer = setTimeout(() => end(null), 8000)
    video.muted = true
    video.playsInline = true
    video.preload = 'auto'
    video.onerror = () => end(null)
    video.onloadeddata = () => {
      // A moment in: many recordings begin black.
      video.currentTime = Math.min(0.5, (video.duration || 1) / 2)
    }
    video.onseeked = () => {
      const scale = Math.min(1, 480 / Math.max(video.videoWidth, video.videoHeight))
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(video.videoWidth * scale)
      canvas.height = Math.round(video.videoHeight * scale)
      canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
      canvas.toBlob((blob) => end(blob ? URL.createObjectURL(blob) : null), 'image/jpeg', 0.8)
    }
    video.src = source
  })
