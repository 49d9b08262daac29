import type { ReactNode, RefObject } from 'react'
import { Mic } from 'lucide-react'
import type { Subject } from '../../recorder/format.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** What the camera sees, as a mirror, with what stands over it: the words below the lens, the outline of a head, the count. */
export const TakeStage = ({
  video,
  onShape,
  subject,
  hasOutline,
  isOpening,
  isWaiting,
  count,
  children,
}: {
  video: RefObject<HTMLVideoElement | null>
  /** Hears whether the picture is wider than high, and again when somebody turns the device. */
  onShape: (isWide: boolean) => void
  subject: Subject
  hasOutline: boolean
  isOpening: boolean
  /** For a voice or a clap. */
  isWaiting: boolean
  /** Seconds to the beginning; null where none are counted. */
  count: number | null
  children: ReactNode
}) => (
  <div className="relative mx-auto flex w-full min-h-40 max-w-3xl flex-1 justify-center overflow-hidden bg-black sm:rounded-card lying:h-[calc(100dvh-3.5rem)] lying:min-h-0">
    <video
      ref={video}
      autoPlay
      muted
      playsInline
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => onShape(videoWidth > videoHeight)}
      aria-label={subject === 'screen' ? messages.screenView : messages.view}
      className={cx(
        'absolute inset-0 size-full object-contain',
        subject === 'camera' && '-scale-x-100',
        subject === 'sound' && 'invisible',
      )}
    />
    {subject === 'sound' && (
      <p className="absolute inset-0 grid place-content-center justify-items-center gap-3 px-8 pt-40 text-center text-muted-on-night">
        <Mic aria-hidden className="size-10" />
        {messages.soundAlone}
      </p>
    )}
    <div className="relative z-10 w-full px-2 pt-2">{children}</div>
    {hasOutline && <HeadOutline />}
    {isWaiting && (
      <p
        role="status"
        className="absolute inset-0 z-20 grid place-items-center px-8 pt-40 text-center text-2xl font-bold text-white [text-shadow:0_0_24px_#000]"
      >
        {messages.waitsForVoice}
      </p>
    )}
    {count !== null && (
      <p
        role="alert"
        aria-label={messages.startsIn(count)}
        className="figures absolute inset-0 z-20 grid place-items-center text-9xl font-bold text-white [text-shadow:0_0_24px_#000]"
      >
        {count}
      </p>
    )}
    {isOpening && (
      <p role="status" className="absolute inset-0 grid place-items-center px-8 text-center">
        {messages.opening}
      </p>
    )}
  </div>
)

/** In a tall picture as feeds show it: where a head fills it, and the line below which captions and the apps' own words stand. */
const HeadOutline = () => (
  <svg aria-hidden viewBox="0 0 90 160" className="pointer-events-none absolute inset-0 size-full text-white/50">
    <g fill="none" stroke="currentColor" strokeWidth="0.6" strokeDasharray="2 1.6">
      <ellipse cx="45" cy="60" rx="19" ry="26" />
      <path d={`M4 ${captionsFrom}h82`} />
    </g>
  </svg>
)

/** Of 160: the lowest 28 % belong to the apps (edit/src/safe-area.ts), and captions stand in the quarter above. */
const captionsFrom = 104
