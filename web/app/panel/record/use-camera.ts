import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Subject } from '../../recorder/format.ts'
import {
  devices,
  failureOfCamera,
  openCamera,
  type CameraFailure,
  type Devices,
  type Opened,
  type Wished,
} from '../../recorder/camera.ts'

export type Camera =
  | { state: 'opening' }
  | { state: 'open'; opened: Opened; devices: Devices; camera: string; microphone: string }
  | { state: 'failed'; failure: CameraFailure }

/** The camera and microphone of this page, open while it is. `open` opens others, or the same once more. */
export const useCamera = (wished: Wished & { subject: Subject }) => {
  const [camera, setCamera] = useState<Camera>({ state: 'opening' })
  const current = useRef<Opened | null>(null)
  const isOver = useRef(false)
  const open = async (ids: { camera?: string; microphone?: string } = {}, subject = wished.subject) => {
    // Phones open one at a time.
    current.current?.close()
    current.current = null
    try {
      const opened = await openCamera(wished, ids, subject)
      if (isOver.current) return opened.close()
      current.current = opened
      const [picture, sound] = [opened.stream.getVideoTracks()[0], opened.stream.getAudioTracks()[0]]
      setCamera({
        state: 'open',
        opened,
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
      current.current?.close()
    }
  }, [])
  return { camera, open }
}
