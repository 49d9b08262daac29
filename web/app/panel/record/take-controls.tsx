import type { ReactNode, Ref } from 'react'
import { Pause, Play, RotateCcw, ScrollText, Settings2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** The red button, and one on either side: the script and the settings before a take, pause and “again” while it runs. */
export const TakeControls = ({
  phase,
  canStart,
  hasScript,
  onStart,
  onStop,
  onCancelCount,
  onPause,
  onAgain,
  onScript,
  onSettings,
  nextRef,
}: {
  phase: 'ready' | 'waiting' | 'counting' | 'recording' | 'paused' | 'saving'
  canStart: boolean
  hasScript: boolean
  onStart: () => void
  onStop: () => void
  onCancelCount: () => void
  /** Pauses, or goes on. */
  onPause: () => void
  onAgain: () => void
  onScript: () => void
  onSettings: () => void
  /** The button of this step. */
  nextRef: Ref<HTMLButtonElement>
}) => {
  const isRunning = phase === 'recording' || phase === 'paused'
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3">
      <div className="flex justify-end gap-2">
        {isRunning ? (
          <Named
            label={phase === 'recording' ? messages.pause : messages.goOn}
            icon={phase === 'recording' ? <Pause aria-hidden /> : <Play aria-hidden />}
            onPress={onPause}
          />
        ) : (
          <Named
            label={hasScript ? messages.changeScript : messages.writeScript}
            icon={<ScrollText aria-hidden />}
            onPress={onScript}
          />
        )}
      </div>
      {phase === 'counting' || phase === 'waiting' ? (
        <Button ref={nextRef} size="large" onPress={onCancelCount}>
          {messages.cancelCount}
        </Button>
      ) : (
        <RecordButton
          buttonRef={nextRef}
          isRunning={isRunning}
          isDisabled={!canStart || phase === 'saving'}
          onPress={isRunning ? onStop : onStart}
        />
      )}
      <div className="flex gap-2">
        {isRunning ? (
          <Named label={messages.again} icon={<RotateCcw aria-hidden />} onPress={onAgain} />
        ) : (
          <Named label={messages.settings} icon={<Settings2 aria-hidden />} onPress={onSettings} />
        )}
      </div>
    </div>
  )
}

/** The red button: a disc to begin, a square to end. */
export const RecordButton = ({
  buttonRef,
  isRunning,
  isDisabled,
  isNamed = false,
  onPress,
}: {
  buttonRef?: Ref<HTMLButtonElement> | undefined
  isRunning: boolean
  isDisabled: boolean
  /** Whether its word stands below it. */
  isNamed?: boolean
  onPress: () => void
}) => {
  const label = isRunning ? messages.stop : messages.start
  return (
    <div className="relative">
      <IconButton
        {...(buttonRef === undefined ? {} : { ref: buttonRef })}
        label={label}
        isDisabled={isDisabled}
        onPress={onPress}
        className="size-18! rounded-full! border-4 border-white bg-transparent! hover:bg-white/10!"
      >
        <span aria-hidden className={cx('bg-[#e5342b]', isRunning ? 'size-7 rounded-md' : 'size-14 rounded-full')} />
      </IconButton>
      {isNamed && <Below>{label}</Below>}
    </div>
  )
}

/** Its words stand below it, where they take nothing from the row's height. */
export const Named = ({
  label,
  words = label,
  icon,
  isDisabled = false,
  onPress,
}: {
  label: string
  /** Seen, where the label is too long for it: the label holds them. */
  words?: string
  icon: ReactNode
  isDisabled?: boolean
  onPress: () => void
}) => (
  <div className="relative grid w-24 justify-items-center">
    <IconButton
      label={label}
      isDisabled={isDisabled}
      onPress={onPress}
      className="size-12! rounded-full! bg-white/10! text-on-night! hover:bg-white/20!"
    >
      {icon}
    </IconButton>
    <Below>{words}</Below>
  </div>
)

const Below = ({ children }: { children: string }) => (
  <span
    aria-hidden
    className="absolute inset-x-0 top-full mt-1 text-center text-xs leading-none whitespace-nowrap text-muted-on-night"
  >
    {children}
  </span>
)
