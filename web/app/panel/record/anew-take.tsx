import { Button } from '../../ui/button.tsx'
import type { Ending } from '../../recorder/take-recorder.ts'
import { useHeadingFocus } from '../use-heading-focus.ts'
import { messages } from './messages.ts'
import { NextOfTake, TakeEnding } from './watch-take.tsx'

/** One sentence was said again: it is watched, then kept in place of the one in the take, said once more or dropped. */
export const AnewTake = ({
  sentence,
  url,
  isSound,
  ending,
  onKeep,
  onOnceMore,
  onDrop,
}: {
  sentence: string
  url: string
  isSound: boolean
  /** Why it ended by itself. */
  ending: Ending | undefined
  onKeep: () => void
  onOnceMore: () => void
  onDrop: () => void
}) => {
  const heading = useHeadingFocus()
  return (
    <div className="mx-auto flex w-full max-w-lg flex-1 flex-col gap-4 px-4 pb-6">
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        {messages.anewTitle}
      </h2>
      {ending && <TakeEnding ending={ending} />}
      <p className="text-muted-on-night">{sentence}</p>
      {isSound ? (
        <audio src={url} controls autoPlay aria-label={messages.playAnew} className="w-full" />
      ) : (
        <video
          src={url}
          controls
          autoPlay
          playsInline
          aria-label={messages.playAnew}
          className="max-h-[55dvh] w-full rounded-card bg-black"
        />
      )}
      <NextOfTake onPress={onKeep}>{messages.keepAnew}</NextOfTake>
      <div className="flex flex-wrap gap-2">
        <Button size="large" className="max-sm:w-full" onPress={onOnceMore}>
          {messages.onceMore}
        </Button>
        <Button variant="quiet" size="large" className="text-on-night! max-sm:w-full" onPress={onDrop}>
          {messages.dropAnew}
        </Button>
      </div>
    </div>
  )
}
