import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  closeCamera,
  devices,
  failureOfCamera,
  openCamera,
  type CameraFailure,
  type Devices,
  type Wished,
} from '../../recorder/camera.ts'

export type Camera =
  | { state: 'opening' }
  | { state: 'open'; stream: MediaStream; devices: Devices; camera: string; microphone: string }
  | { state: 'failed'; failure: CameraFailure }

/** The camera and microphone of this page, open while it is. `open` opens others, or the same once more. */
export const useCamera = (wished: Wished) => {
  const [camera, setCamera] = useState<Camera>({ state: 'opening' })
  const stream = useRef<MediaStream | null>(null)
  const isOver = useRef(false)
  const open = async (ids: { camera?: string; microphone?: string } = {}) => {
    // Phones open one at a time.
    closeCamera(stream.current)
    stream.current = null
    try {
      const opened = await openCamera(wished, ids)
      if (isOver.current) return closeCamera(opened)
      stream.current = opened
      const [picture, sound] = [opened.getVideoTracks()[0], opened.getAudioTracks()[0]]
      setCamera({
        state: 'open',
        stream: opened,
        devices: await devices(),
        camera: picture?.label ?? '',
        microphone: sound?.label ?? '',
      })
    } catch (error) {
      if (!isOver.current) setCamera({ state: 'failed', failure: failureOfCamera(error) })
    }
  }
  const openFirst = useEffectEvent(() => open())
  useEffect(() => {
    isOver.current = false
    void openFirst()
    const again = () =>
      void devices().then((found) => setCamera((now) => (now.state === 'open' ? { ...now, devices: found } : now)))
    navigator.mediaDevices?.addEventListener('devicechange', again)
    return () => {
      isOver.current = true
      navigator.mediaDevices?.removeEventListener('devicechange', again)
      closeCamera(stream.current)
    }
  }, [])
  return { camera, open }
}
