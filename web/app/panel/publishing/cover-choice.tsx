import { useRef } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { messages } from './messages.ts'

/** Which picture of the video stands before it is played; off, the network chooses. */
export const CoverChoice = ({
  label,
  video,
  lastMs,
  value,
  onChange,
}: {
  /** Whose cover it is. */
  label: string
  video: string | undefined
  /** How long the video is; null where that is not known, and no cover is chosen. */
  lastMs: number | null
  value: number | undefined
  onChange: (coverMs: number | undefined) => void
}) => {
  const picture = useRef<HTMLVideoElement>(null)
  if (lastMs === null) return null
  const show = (ms: number) => {
    if (picture.current) picture.current.currentTime = ms / 1000
  }
  return (
    <div className="grid gap-2">
      <Checkbox isSelected={value !== undefined} onChange={(isOn) => onChange(isOn ? 0 : undefined)}>
        {messages.chooseCover}
      </Checkbox>
      {value !== undefined && (
        <div className="flex items-center gap-3 pl-7">
          {video !== undefined && (
            <video
              ref={picture}
              src={video}
              muted
              playsInline
              preload="metadata"
              aria-hidden
              tabIndex={-1}
              className="h-32 max-w-24 rounded-control bg-sunken object-contain"
              onLoadedMetadata={() => show(value)}
            />
          )}
          <label className="grid min-w-0 flex-1 gap-1">
            <span className="text-[0.8125rem] text-muted">{messages.coverAt((value / 1000).toFixed(1))}</span>
            <input
              type="range"
              min={0}
              max={Math.max(0, lastMs - 100)}
              step={100}
              value={value}
              aria-label={`${messages.cover}: ${label}`}
              aria-valuetext={messages.coverAt((value / 1000).toFixed(1))}
              className="touch w-full accent-primary"
              onChange={({ target }) => {
                show(Number(target.value))
                onChange(Number(target.value))
              }}
            />
          </label>
        </div>
      )}
    </div>
  )
}
