import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { Check } from '../../recorder/checks.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** What is said before a take: whether one is heard and seen well, and whether the device has room (`room`: how little). */
export const TakeChecks = ({
  sound,
  light,
  hasStream,
  hasNothing,
  room,
}: {
  sound: Check
  light: Check
  hasStream: boolean
  /** The last take held nothing. */
  hasNothing: boolean
  room: string | null
}) => (
  <div role="status" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
    {hasNothing && <CheckLine kind="warn">{messages.nothing}</CheckLine>}
    {hasStream && <SoundCheck check={sound} />}
    {light && light in messages.checks.light && (
      <CheckLine kind={light === 'good' ? 'good' : 'warn'}>
        {messages.checks.light[light as keyof typeof messages.checks.light]}
      </CheckLine>
    )}
    {room !== null && <CheckLine kind="warn">{messages.little(room)}</CheckLine>}
  </div>
)

const SoundCheck = ({ check }: { check: Check }) =>
  check === null || !(check in messages.checks.sound) ? (
    <CheckLine kind="muted">{messages.checks.soundUnknown}</CheckLine>
  ) : (
    <CheckLine kind={check === 'good' ? 'good' : 'warn'}>
      {messages.checks.sound[check as keyof typeof messages.checks.sound]}
    </CheckLine>
  )

const CheckLine = ({ kind, children }: { kind: 'good' | 'warn' | 'muted'; children: string }) => (
  <span className={cx('inline-flex items-center gap-1.5', kind === 'muted' && 'text-muted-on-night')}>
    {kind === 'good' && <CircleCheck aria-hidden className="size-4 text-[#60bd7d]" />}
    {kind === 'warn' && <TriangleAlert aria-hidden className="size-4 text-[#d69e3c]" />}
    {children}
  </span>
)
