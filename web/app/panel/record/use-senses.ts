import { useEffect, useRef, useState, type RefObject } from 'react'
import { checkLight, checkSound, type Check } from '../../recorder/checks.ts'
import { listenTo, lookAt } from './senses.ts'

/** What the microphone hears and the camera sees; checked while nothing is recorded. */
export const useSenses = (
  stream: MediaStream | null,
  video: RefObject<HTMLVideoElement | null>,
  isChecking: boolean,
) => {
  const ear = useRef<ReturnType<typeof listenTo> | null>(null)
  const [checks, setChecks] = useState<{ sound: Check; light: Check }>({ sound: null, light: null })
  useEffect(() => {
    if (!stream || stream.getAudioTracks().length === 0) return
    const heard = listenTo(stream)
    ear.current = heard
    heard.wake()
    return () => {
      ear.current = null
      heard.close()
    }
  }, [stream])
  useEffect(() => {
    if (!stream || !isChecking) return
    const look = lookAt()
    // The loudest of the last three seconds: whoever tests it says a word or two.
    let peaks: number[] = []
    const listening = setInterval(() => {
      const db = ear.current?.db()
      if (db !== undefined) peaks = [...peaks.slice(-29), db]
    }, 100)
    const checking = setInterval(() => {
      const sound = checkSound(peaks.length < 15 ? null : Math.max(...peaks))
      const light = checkLight(video.current ? look(video.current) : null)
      setChecks((before) => (before.sound === sound && before.light === light ? before : { sound, light }))
    }, 500)
    return () => {
      clearInterval(listening)
      clearInterval(checking)
    }
  }, [stream, isChecking, video])
  return { ...checks, db: () => ear.current?.db() ?? -100, wake: () => ear.current?.wake() }
}
