import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from 'react'
import {
  Captions,
  CaptionsOff,
  Keyboard,
  Maximize,
  Minimize,
  Pause,
  Play,
  StepBack,
  StepForward,
  Volume2,
  VolumeX,
} from 'lucide-react'
import type { PlayerCaptions } from './player-captions.ts'
import { preciseClock, clock } from './player-time.ts'
import { speeds, type Playback } from './player-transport.ts'
import { words } from './player-words.ts'

type ControlsProps = {
  transport: Playback
  fullscreen?: { on: boolean; toggle: () => void } | undefined
  captions?: PlayerCaptions | undefined
  onHelp?: (() => void) | undefined
  /** More controls, between the time and the speed. */
  children?: ReactNode
}

/** The row under the ruler. Every control here has a key. */
export const PlayerControls = ({ transport, fullscreen, captions, onHelp, children }: ControlsProps) => {
  const { playing, muted, speed, duration } = useSyncExternalStore(transport.subscribe, transport.state)
  return (
    <div className="player-controls">
      <Control name={playing ? words.pause : words.play} shortcut="Space" onClick={transport.toggle} strong>
        {playing ? <Pause aria-hidden className="fill-current" /> : <Play aria-hidden className="fill-current" />}
      </Control>
      <Control name={words.frameBack} shortcut="←" onClick={() => transport.step(-1)} roomy>
        <StepBack aria-hidden />
      </Control>
      <Control name={words.frameOn} shortcut="→" onClick={() => transport.step(1)} roomy>
        <StepForward aria-hidden />
      </Control>
      <p className="player-time">
        <Now transport={transport} />
        <span aria-hidden> / </span>
        <span>{clock(duration)}</span>
      </p>
      <span className="grow" />
      {children}
      <label className="player-speed" title={`${words.speed} ([ ])`}>
        <span className="sr-only">{words.speed}</span>
        <select value={speed} onChange={(event) => transport.speed(Number(event.target.value))}>
          {[...new Set([...speeds, speed])].map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
      </label>
      {captions && (
        <Control name={words.captions(captions.shown?.name)} shortcut="V" onClick={captions.onNext}>
          {captions.shown ? <Captions aria-hidden /> : <CaptionsOff aria-hidden />}
        </Control>
      )}
      <Control name={muted ? words.unmute : words.mute} shortcut="M" onClick={() => transport.mute()}>
        {muted ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
      </Control>
      {onHelp && (
        <Control name={words.keys} shortcut="?" onClick={onHelp} roomy>
          <Keyboard aria-hidden />
        </Control>
      )}
      {fullscreen && (
        <Control
          name={fullscreen.on ? words.leaveFullscreen : words.fullscreen}
          shortcut="F"
          onClick={fullscreen.toggle}
        >
          {fullscreen.on ? <Minimize aria-hidden /> : <Maximize aria-hidden />}
        </Control>
      )}
    </div>
  )
}

type ControlProps = {
  name: string
  shortcut: string
  onClick: () => void
  strong?: boolean
  /** Only where there is room; its key and the ruler do the same. */
  roomy?: boolean
  children: ReactNode
}

const Control = ({ name, shortcut, onClick, strong, roomy, children }: ControlProps) => (
  <button
    type="button"
    className="player-control"
    data-strong={strong || undefined}
    data-roomy={roomy || undefined}
    aria-label={name}
    title={`${name} (${shortcut})`}
    onClick={onClick}
  >
    {children}
  </button>
)

// Written straight into the page: the time changes with every frame.
const Now = ({ transport }: { transport: Playback }) => {
  const text = useRef<HTMLElement>(null)
  useEffect(
    () =>
      transport.onTime((seconds) => {
        if (text.current) text.current.textContent = preciseClock(seconds)
      }),
    [transport],
  )
  return <strong ref={text}>{preciseClock(0)}</strong>
}

/** Full screen for a part of the page; undefined where the browser has none (the iPhone shows its own for the video). */
export const useFullscreen = (part: RefObject<HTMLElement | null>) => {
  const [on, setOn] = useState(false)
  useEffect(() => {
    const changed = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === part.current)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [part])
  const toggle = () => {
    if (document.fullscreenElement) return void document.exitFullscreen()
    if (document.fullscreenEnabled) return void part.current?.requestFullscreen().catch(() => {})
    const video: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null | undefined =
      part.current?.querySelector('video')
    video?.webkitEnterFullscreen?.()
  }
  return { on, toggle }
}
