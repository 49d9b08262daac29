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
    {hasNothing && <Said kind="warn">{messages.nothing}</Said>}
    {hasStream && <SoundSaid check={sound} />}
    {light && light in messages.checks.light && (
      <Said kind={light === 'good' ? 'good' : 'warn'}>
        {messages.checks.light[light as keyof typeof messages.checks.light]}
      </Said>
    )}
    {room !== null && <Said kind="warn">{messages.little(room)}</Said>}
  </div>
)

const SoundSaid = ({ check }: { check: Check }) =>
  check === null || !(check in messages.checks.sound) ? (
    <Said kind="muted">{messages.checks.soundUnknown}</Said>
  ) : (
    <Said kind={check === 'good' ? 'good' : 'warn'}>
      {messages.checks.sound[check as keyof typeof messages.checks.sound]}
    </Said>
  )

const Said = ({ kind, children }: { kind: 'good' | 'warn' | 'muted'; children: string }) => (
  <span className={cx('inline-flex items-center gap-1.5', kind === 'muted' && 'text-muted-on-night')}>
    {kind === 'good' && <CircleCheck aria-hidden className="size-4 text-[#60bd7d]" />}
    {kind === 'warn' && <TriangleAlert aria-hidden className="size-4 text-[#d69e3c]" />}
    {children}
  </span>
)
