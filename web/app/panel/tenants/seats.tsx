import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/** How full a company is: a bar and its words. */
export const Seats = ({ used, allowed, className }: { used: number; allowed: number; className?: string }) => {
  const part = allowed > 0 ? Math.min(1, used / allowed) : 1
  return (
    <span className={cx('grid gap-1', className)}>
      <span className="figures text-[0.8125rem]">{messages.seatsUsed(used, allowed)}</span>
      <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-sunken">
        <span
          className={cx('block h-full rounded-full', part >= 1 ? 'bg-danger' : part >= 0.9 ? 'bg-warn' : 'bg-primary')}
          style={{ width: `${part * 100}%` }}
        />
      </span>
    </span>
  )
}
