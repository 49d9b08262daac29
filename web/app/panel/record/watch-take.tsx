import { useNavigate } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Ending } from '../../recorder/take-recorder.ts'
import { paths } from '../../paths.ts'
import { clockWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'

/** A take is over: it is watched, then used, recorded anew or thrown away. */
export const WatchTake = ({
  url,
  isSound,
  ms,
  retakes,
  ending,
  isAway,
  onAnother,
  onThrowAway,
}: {
  url: string
  isSound: boolean
  ms: number
  /** How often it was begun again in the middle. */
  retakes: number
  /** Why it ended by itself. */
  ending: Ending | undefined
  /** Nobody answers: it is sent later. */
  isAway: boolean
  onAnother: () => void
  onThrowAway: () => void
}) => {
  const navigate = useNavigate()
  return (
    <div className="mx-auto grid w-full max-w-lg flex-1 content-start gap-4 px-4 pb-6">
      <h2 className="text-lg">{messages.watchTitle}</h2>
      {ending && (
        <p role="alert" className="flex gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {messages.endings[ending]}
        </p>
      )}
      <p className="text-muted-on-night">
        {messages.watchText(clockWords(ms / 1000))}
        {retakes > 0 && ` ${messages.retakes(retakes)}.`}
      </p>
      {isSound ? (
        <audio src={url} controls aria-label={messages.player} className="w-full" />
      ) : (
        <video
          src={url}
          controls
          playsInline
          aria-label={messages.player}
          className="max-h-[55dvh] w-full rounded-card bg-black"
        />
      )}
      {isAway && <p role="status">{messages.waitsHere}</p>}
      <div className="flex flex-wrap gap-2">
        {!isAway && (
          <Button
            variant="primary"
            size="large"
            className="max-sm:w-full"
            onPress={() => void navigate({ to: paths.newVideo })}
          >
            {messages.use}
          </Button>
        )}
        <Button size="large" className="max-sm:w-full" onPress={onAnother}>
          {messages.recordAnother}
        </Button>
        <Button variant="quiet" size="large" className="text-on-night! max-sm:w-full" onPress={onThrowAway}>
          {messages.throwAway}
        </Button>
      </div>
    </div>
  )
}
