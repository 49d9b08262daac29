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
  const hearDevices = useEffectEvent(() => {
    // What was missing may just have been plugged in.
    if (camera.state === 'failed' && camera.failure === 'missing') return void open()
    void devices().then((found) => setCamera((now) => (now.state === 'open' ? { ...now, devices: found } : now)))
  })
  useEffect(() => {
    isOver.current = false
    void openFirst()
    const again = () => hearDevices()
    navigator.mediaDevices?.addEventListener('devicechange', again)
    return () => {
      isOver.current = true
      navigator.mediaDevices?.removeEventListener('devicechange', again)
      current.current?.close()
    }
  }, [])
  return { camera, open }
}

/** Hears once that the camera, the microphone or a shared screen was taken away from what is `opened`. */
export const useGone = (opened: Opened | null, onGone: () => void): void => {
  const gone = useEffectEvent(onGone)
  useEffect(() => {
    if (!opened) return
    const tracks = [...opened.stream.getTracks(), ...(opened.screen ? [opened.screen] : [])]
    const deaf = () => {
      for (const track of tracks) track.removeEventListener('ended', hear)
    }
    // A camera with a microphone in it takes both along.
    const hear = () => {
      deaf()
      gone()
    }
    for (const track of tracks) track.addEventListener('ended', hear)
    return deaf
  }, [opened])
}
