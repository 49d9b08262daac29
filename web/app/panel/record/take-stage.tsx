import { useState, type ReactNode, type RefObject } from 'react'
import { Mic } from 'lucide-react'
import type { Subject } from '../../recorder/format.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/**
 * What is said over what the camera sees: the words in a strip of their own right below the lens, then the picture as a mirror,
 * whose outline of a head nothing covers.
 */
export const TakeStage = ({
  video,
  onShape,
  subject,
  hasOutline,
  isOpening,
  isWaiting,
  count,
  beside,
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
  /** What stands beside the picture where there is no room below it. */
  beside: ReactNode
  /** The words. */
  children: ReactNode
}) => {
  const [shape, setShape] = useState(9 / 16)
  return (
    <div className="mx-auto flex w-full max-w-3xl min-w-0 flex-1 flex-col gap-2 lying:h-[calc(100dvh-3.5rem)]">
      <div className="shrink-0 px-2 empty:hidden">{children}</div>
      <div className="flex min-h-32 flex-1">
        <div className="relative grid min-w-0 flex-1 place-items-center overflow-hidden bg-black [container-type:size] sm:rounded-card">
          {/* As large as the room lets it be, in its own shape: the outline lies on the picture, not on the room around it. */}
          <div className="relative" style={{ aspectRatio: shape, width: `min(100cqw, ${100 * shape}cqh)` }}>
            <video
              ref={video}
              autoPlay
              muted
              playsInline
              onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
                if (videoHeight > 0) setShape(videoWidth / videoHeight)
                onShape(videoWidth > videoHeight)
              }}
              aria-label={subject === 'screen' ? messages.screenView : messages.view}
              className={cx(
                'size-full object-contain',
                subject === 'camera' && '-scale-x-100',
                subject === 'sound' && 'invisible',
              )}
            />
            {hasOutline && <HeadOutline />}
          </div>
          {subject === 'sound' && (
            <p className="absolute inset-0 grid place-content-center justify-items-center gap-3 px-8 text-center text-muted-on-night">
              <Mic aria-hidden className="size-10" />
              {messages.soundAlone}
            </p>
          )}
          {isWaiting && (
            <p
              role="status"
              className="absolute inset-0 grid place-items-center px-8 text-center text-2xl font-bold text-white [text-shadow:0_0_24px_#000]"
            >
              {messages.waitsForVoice}
            </p>
          )}
          {count !== null && (
            <p
              role="alert"
              aria-label={messages.startsIn(count)}
              className="figures absolute inset-0 grid place-items-center text-[min(8rem,70cqh)] leading-none font-bold text-white [text-shadow:0_0_24px_#000]"
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
        {beside && <div className="w-40 shrink-0 self-center px-3">{beside}</div>}
      </div>
    </div>
  )
}

/** In a tall picture as feeds show it: where a head fills it, and the line below which captions and the apps' own words stand. */
const HeadOutline = () => (
  <svg aria-hidden viewBox="0 0 90 160" data-outline className="pointer-events-none absolute inset-0 size-full">
    {/* Seen on a bright wall and on a dark one. */}
    {(['stroke-black/45', 'stroke-white/80'] as const).map((stroke, n) => (
      <g
        key={stroke}
        fill="none"
        className={stroke}
        strokeWidth={n === 0 ? 1.4 : 0.6}
        strokeDasharray={n === 0 ? undefined : '2 1.6'}
      >
        <ellipse cx="45" cy="60" rx="19" ry="26" />
        <path d={`M4 ${captionsFrom}h82`} />
      </g>
    ))}
  </svg>
)

/** Of 160: the lowest 28 % belong to the apps (edit/src/safe-area.ts), and captions stand in the quarter above. */
const captionsFrom = 104
