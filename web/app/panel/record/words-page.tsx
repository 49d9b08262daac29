import { useEffect, useRef } from 'react'
import { ALargeSmall, FlipHorizontal2, Pause, Play, RotateCcw, X } from 'lucide-react'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { useAwake } from '../../ui/use-awake.ts'
import { useOnline } from '../../ui/use-online.ts'
import { messages } from './messages.ts'
import { Prompter, type PrompterHandle } from './prompter.tsx'
import { useRecorderLink } from './prompter-link.ts'
import { useSettings } from './settings.ts'
import { Named, RecordButton } from './take-controls.tsx'
import { useRecordKeys } from './use-record-keys.ts'

/** A second device: it holds the words of a recorder that is open elsewhere, and is its remote control. */
export const WordsPage = () => {
  const { state, isHeard, press } = useRecorderLink()
  const { settings, change } = useSettings()
  const prompter = useRef<PrompterHandle>(null)
  const phase = state?.phase ?? 'gone'
  const isRunning = phase === 'recording' || phase === 'paused'
  const isBusy = phase === 'waiting' || phase === 'counting' || phase === 'saving'
  useAwake(state !== null)
  useEffect(() => {
    // Between two looks the words move here as they do there.
    const handle = prompter.current
    if (!state || !handle) return
    if (Math.abs(handle.place().word - state.word) > (state.isMoving ? 2 : 0)) handle.goTo(state.word)
  }, [state])
  const pauseOrGoOn = () => press(phase === 'recording' ? 'pause' : 'go-on')
  const start = () => press(isRunning ? 'stop' : 'start')
  useRecordKeys({
    r: () => state && isHeard && !isBusy && start(),
    p: () => isRunning && isHeard && pauseOrGoOn(),
    b: () => isRunning && isHeard && press('again'),
  })
  const words = phase in messages.phases ? messages.phases[phase as keyof typeof messages.phases] : ''
  const isOnline = useOnline()
  return (
    <div className="flex h-dvh flex-col bg-night text-on-night">
      <title>{`${messages.wordsTitle} · Clear to Post`}</title>
      <header className="flex h-14 shrink-0 items-center gap-3 px-3">
        <LinkButton
          to={paths.newVideo}
          variant="quiet"
          size="small"
          icon={<X aria-hidden />}
          className="text-on-night!"
        >
          {messages.closeWords}
        </LinkButton>
        <h1 className="sr-only">{messages.wordsTitle}</h1>
        <div role="status" className="ml-auto flex items-center gap-2 text-sm">
          {isRunning && isHeard && (
            <span
              aria-hidden
              className={cx('size-2.5 rounded-full bg-coral', phase === 'recording' && 'animate-pulse')}
            />
          )}
          {!state ? messages.noRecorder : isHeard ? words : messages.unheard}
        </div>
      </header>
      {state && !isHeard && (
        <p role="alert" className="mx-auto w-full max-w-3xl shrink-0 px-4 pb-2 text-sm">
          {messages.unheardText}
        </p>
      )}
      <div className="min-h-0 flex-1 px-2 lying:mr-28">
        {state === null ? (
          <p className="mx-auto grid h-full max-w-md place-content-center px-6 text-center text-muted-on-night">
            {isOnline ? messages.noRecorderText : messages.noNetworkForWords}
          </p>
        ) : state.text === '' ? (
          <p className="mx-auto grid h-full max-w-md place-content-center px-6 text-center text-muted-on-night">
            {messages.noScript}
          </p>
        ) : (
          <Prompter
            isTall
            text={state.text}
            settings={{ ...settings, mode: 'steady', wordsAMinute: state.wordsAMinute, width: 'wide' }}
            takeMs={() => (state.isMoving && isHeard ? 0 : null)}
            db={() => -100}
            handle={prompter}
            onWord={(word) => press('word', word)}
          />
        )}
      </div>
      <div className="mx-auto grid w-full max-w-3xl gap-2 px-4 pt-4 lying:absolute lying:inset-y-0 lying:right-0 lying:w-28 lying:content-center pb-[calc(1.75rem+env(safe-area-inset-bottom))]">
        <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 lying:grid-cols-1 lying:gap-7 lying:justify-items-center">
          <div className="flex justify-end">
            {isRunning ? (
              <Named
                label={phase === 'recording' ? messages.pause : messages.goOn}
                icon={phase === 'recording' ? <Pause aria-hidden /> : <Play aria-hidden />}
                isDisabled={!isHeard}
                onPress={pauseOrGoOn}
              />
            ) : (
              <Named
                label={messages.nextSize}
                words={messages.nextSizeWords}
                icon={<ALargeSmall aria-hidden />}
                onPress={() => change({ size: sizes[(sizes.indexOf(settings.size) + 1) % 3]! })}
              />
            )}
          </div>
          <RecordButton
            isNamed
            isRunning={isRunning}
            isDisabled={state === null || !isHeard || isBusy || phase === 'watch'}
            onPress={start}
          />
          <div className="flex">
            {isRunning ? (
              <Named
                label={messages.again}
                icon={<RotateCcw aria-hidden />}
                isDisabled={!isHeard}
                onPress={() => press('again')}
              />
            ) : (
              <Named
                label={messages.mirror}
                words={messages.mirrorWords}
                icon={<FlipHorizontal2 aria-hidden />}
                onPress={() => change({ isMirrored: !settings.isMirrored })}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  )
}

const sizes = ['small', 'medium', 'large'] as const
