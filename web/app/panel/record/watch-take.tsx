import { useRef, type Ref } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Play, RotateCcw, TriangleAlert } from 'lucide-react'
import type { Ending } from '../../recorder/take-recorder.ts'
import type { Tried } from '../../recorder/tries.ts'
import { paths } from '../../paths.ts'
import { clockWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { useHeadingFocus } from '../use-heading-focus.ts'
import { messages } from './messages.ts'

/** A take is over: it is watched, then used, recorded anew or thrown away. */
export const WatchTake = ({
  url,
  isSound,
  ms,
  retakes,
  tried,
  ending,
  waits,
  anew,
  onSayAnew,
  onAnother,
  onThrowAway,
}: {
  url: string
  isSound: boolean
  ms: number
  /** How often it was begun again in the middle. */
  retakes: number
  /** The sentences that were read, and when each of their tries began. */
  tried: readonly Tried[]
  /** Why it ended by itself. */
  ending: Ending | undefined
  /** Nobody answers: what is said of when it is sent. */
  waits: string | null
  /** Of sentences that were said again afterwards: what is played of them. */
  anew: ReadonlyMap<string, string>
  onSayAnew: (sentence: string) => void
  onAnother: () => void
  onThrowAway: () => void
}) => {
  const navigate = useNavigate()
  const heading = useHeadingFocus()
  const player = useRef<HTMLMediaElement>(null)
  const goTo = (at: number) => {
    if (!player.current) return
    player.current.currentTime = Math.max(0, at / 1000 - 0.3)
    void player.current.play()
  }
  return (
    <div className="mx-auto flex w-full max-w-lg flex-1 flex-col gap-4 px-4 pb-6 lying:grid lying:max-w-5xl lying:content-start lying:grid-cols-2 lying:grid-rows-[auto_1fr] lying:gap-x-6">
      <div className="grid gap-4">
        <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
          {messages.watchTitle}
        </h2>
        {ending && <TakeEnding ending={ending} />}
        <p className="text-muted-on-night">
          {messages.watchText(clockWords(ms / 1000))}
          {retakes > 0 && ` ${messages.retakes(retakes)}.`}
        </p>
      </div>
      {isSound ? (
        <audio
          ref={player as Ref<HTMLAudioElement>}
          src={url}
          controls
          aria-label={messages.player}
          className="w-full lying:col-start-1 lying:row-span-2 lying:row-start-1"
        />
      ) : (
        <video
          ref={player as Ref<HTMLVideoElement>}
          src={url}
          controls
          playsInline
          aria-label={messages.player}
          className="max-h-[55dvh] w-full rounded-card bg-black lying:col-start-1 lying:row-span-2 lying:row-start-1 lying:max-h-[calc(100dvh-5rem)]"
        />
      )}
      {/* Parts of the one column, unless there are two: the button stays at the foot of it. */}
      <div className="contents lying:grid lying:content-start lying:gap-4">
        {tried.length > 0 && (
          <section aria-labelledby="tried" className="grid gap-2">
            <h3 id="tried" className="text-base">
              {messages.tried}
            </h3>
            <ol className="grid max-h-72 gap-1 overflow-y-auto">
              {tried.map(({ text, tries }) => (
                <li
                  key={tries[0]}
                  className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-white/5 px-3 py-2"
                >
                  <span className="min-w-40 flex-1 max-sm:basis-full">{text}</span>
                  {tries.map((at, n) => (
                    <Button
                      key={at}
                      variant="quiet"
                      size="small"
                      icon={<Play aria-hidden />}
                      className="text-on-night!"
                      onPress={() => goTo(at)}
                    >
                      {anew.has(text)
                        ? clockWords(Math.floor(at / 1000))
                        : messages.playTry(clockWords(Math.floor(at / 1000)), n + 1, tries.length)}
                    </Button>
                  ))}
                  {anew.has(text) && (
                    <Button
                      variant="quiet"
                      size="small"
                      icon={<Play aria-hidden />}
                      className="text-on-night!"
                      onPress={() => void new Audio(anew.get(text)).play()}
                    >
                      {messages.saidAnew}
                    </Button>
                  )}
                  <Button
                    variant="quiet"
                    size="small"
                    icon={<RotateCcw aria-hidden />}
                    className="text-on-night!"
                    aria-label={messages.sayAnewNamed(text)}
                    onPress={() => onSayAnew(text)}
                  >
                    {messages.sayAnew}
                  </Button>
                </li>
              ))}
            </ol>
          </section>
        )}
        {waits !== null && <p role="status">{waits}</p>}
        {waits === null && (
          <NextOfTake onPress={() => void navigate({ to: paths.newVideo, hash: 'video-files' })}>
            {messages.use}
          </NextOfTake>
        )}
        <div className="flex flex-wrap gap-2">
          <Button size="large" className="max-sm:w-full" onPress={onAnother}>
            {messages.recordAnother}
          </Button>
          <Button variant="quiet" size="large" className="text-on-night! max-sm:w-full sm:-ml-5" onPress={onThrowAway}>
            {messages.throwAway}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** What comes next with a take: in sight at the foot of the screen, however long the list above it is. */
export const NextOfTake = ({ onPress, children }: { onPress: () => void; children: string }) => (
  <div
    data-next-of-take
    className="sticky bottom-0 z-10 -mx-4 -my-2 bg-night px-4 py-2 pb-[calc(0.5rem+env(safe-area-inset-bottom))]"
  >
    <Button variant="primary" size="large" className="w-full" onPress={onPress}>
      {children}
    </Button>
  </div>
)

/** Why a take ended by itself. */
export const TakeEnding = ({ ending }: { ending: Ending }) => (
  <p role="alert" className="flex gap-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
    <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
    {messages.endings[ending]}
  </p>
)
