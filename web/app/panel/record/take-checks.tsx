import { CircleCheck, HardDrive, ScanFace, TriangleAlert } from 'lucide-react'
import type { Check } from '../../recorder/checks.ts'
import { lengthWords } from '../../times.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'
import { isInMemory, type Keeping } from './use-device.ts'

/** What is said before a take: whether one is heard and seen well, how long a take the device has room for, and how it keeps one. */
export const TakeChecks = ({
  sound,
  light,
  frame,
  hasStream,
  hasNothing,
  roomMs,
  keeping,
}: {
  sound: Check
  light: Check
  /** Whether the picture is upright where it should be; null where no head is to be in it. */
  frame: 'upright' | 'lying' | null
  hasStream: boolean
  /** The last take held nothing. */
  hasNothing: boolean
  /** Null: nobody knows. */
  roomMs: number | null
  keeping: Keeping | null
}) => (
  <div
    role="status"
    className="flex flex-wrap gap-x-4 gap-y-1 text-sm sm:justify-center lying:justify-start short:text-[0.8125rem] short:leading-4.5"
  >
    {hasNothing && <CheckLine kind="warn">{messages.nothing}</CheckLine>}
    {hasStream && <SoundCheck check={sound} />}
    {light && light in messages.checks.light && (
      <CheckLine kind={light === 'good' ? 'good' : 'warn'}>
        {messages.checks.light[light as keyof typeof messages.checks.light]}
      </CheckLine>
    )}
    {frame === 'lying' && <CheckLine kind="warn">{messages.checks.lying}</CheckLine>}
    {frame === 'upright' && (
      <CheckLine kind="muted" icon={<ScanFace aria-hidden className="size-4 shrink-0" />}>
        {messages.checks.frame}
      </CheckLine>
    )}
    {hasStream && roomMs !== null && !isInMemory(keeping) && <Room ms={roomMs} />}
    {keeping === 'nothing' && <CheckLine kind="warn">{messages.keepsNothing}</CheckLine>}
    {keeping === 'full' && <CheckLine kind="warn">{messages.keepsNothingFull}</CheckLine>}
    {keeping === 'while-room' && <CheckLine kind="muted">{messages.keepsWhileRoom}</CheckLine>}
  </div>
)

const Room = ({ ms }: { ms: number }) => {
  const length = ms > 2 * hour ? messages.hours : lengthWords(Math.round(ms / 60_000) * 60 || Math.floor(ms / 1000))
  return ms < hour / 6 ? (
    <CheckLine kind="warn">{messages.little(length)}</CheckLine>
  ) : (
    <CheckLine kind="muted" icon={<HardDrive aria-hidden className="size-4 shrink-0" />}>
      {messages.room(length)}
    </CheckLine>
  )
}
const hour = 3600_000

const SoundCheck = ({ check }: { check: Check }) =>
  check === null || !(check in messages.checks.sound) ? (
    <CheckLine kind="muted">{messages.checks.soundUnknown}</CheckLine>
  ) : (
    <CheckLine kind={check === 'good' ? 'good' : 'warn'}>
      {messages.checks.sound[check as keyof typeof messages.checks.sound]}
    </CheckLine>
  )

const CheckLine = ({
  kind,
  icon,
  children,
}: {
  kind: 'good' | 'warn' | 'muted'
  icon?: React.ReactNode
  children: string
}) => (
  <span className={cx('inline-flex items-center gap-1.5 short:items-start', kind === 'muted' && 'text-muted-on-night')}>
    {icon}
    {kind === 'good' && <CircleCheck aria-hidden className="size-4 shrink-0 text-[#60bd7d]" />}
    {kind === 'warn' && <TriangleAlert aria-hidden className="size-4 shrink-0 text-[#d69e3c]" />}
    {children}
  </span>
)
