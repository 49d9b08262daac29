import { clock } from '../../ui/player-time.ts'
import { messages } from './messages.ts'

/** Leads to a moment of the video, in seconds, and shows it; where it is not in the video (null) the words say so. */
export const MomentButton = ({
  at,
  label,
  onPress,
}: {
  at: number | null
  /** What the button does, in words with the moment, for who does not see what stands beside it. */
  label: (clock: string) => string
  onPress: () => void
}) =>
  at === null ? (
    <span className="py-1.5 text-[0.8125rem] text-muted">{messages.notInVideo}</span>
  ) : (
    <button
      type="button"
      className="touch figures rounded-md px-2 py-1 font-mono text-[0.8125rem] text-primary-text hover:bg-sunken"
      aria-label={label(clock(at))}
      onClick={onPress}
    >
      {clock(at)}
    </button>
  )
