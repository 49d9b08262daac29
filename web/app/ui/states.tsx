import type { ReactNode } from 'react'
import { RotateCw } from 'lucide-react'
import { failureWords } from '../failures.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { messages } from './messages.ts'

/** Nothing here yet, and the one thing to do about it. */
export const EmptyState = ({
  title,
  text,
  action,
  icon,
  className,
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  className?: string
}) => (
  <div
    className={cx(
      'flex flex-col items-center gap-3 rounded-card border border-dashed border-edge/60 px-6 py-12 text-center',
      className,
    )}
  >
    {icon !== undefined && <div className="text-muted [&_svg]:size-7">{icon}</div>}
    <h2 className="text-lg">{title}</h2>
    {text !== undefined && <p className="max-w-sm text-muted">{text}</p>}
    {action !== undefined && <div className="mt-2">{action}</div>}
  </div>
)

/** It did not load: why, and again. */
export const ErrorState = ({
  error,
  onRetry,
  title = messages.failureTitle,
  className,
}: {
  error: unknown
  onRetry: () => void
  title?: string | undefined
  className?: string
}) => (
  <div
    role="alert"
    className={cx(
      'flex flex-col items-center gap-3 rounded-card border border-line bg-surface px-6 py-12 text-center',
      className,
    )}
  >
    <h2 className="text-lg">{title}</h2>
    <p className="max-w-sm text-muted">{failureWords(error)}</p>
    <Button onPress={onRetry} icon={<RotateCw aria-hidden />} className="mt-2">
      {messages.retry}
    </Button>
  </div>
)

/** What stands where an answer is not yet: its skeleton, or why it did not come and another try. */
export const Awaiting = ({
  answer: { error, refetch },
  failed,
  children,
  className,
}: {
  /** A query with nothing to show. */
  answer: { error: unknown; refetch: () => unknown }
  /** The title when it failed. */
  failed?: string
  /** Skeletons in the shape of what comes. */
  children: ReactNode
  className?: string
}) =>
  error ? (
    <ErrorState title={failed} error={error} onRetry={() => void refetch()} />
  ) : (
    <Loading className={className}>{children}</Loading>
  )

/** A grey block in the shape of what comes; give it the size of the thing. */
export const Skeleton = ({ className }: { className: string }) => <div className={cx('skeleton', className)} />

/** Wraps skeletons, so that a screen reader hears one word instead of silence. */
export const Loading = ({ children, className }: { children: ReactNode; className?: string | undefined }) => (
  <div role="status" className={className}>
    <span className="sr-only">{messages.loading}</span>
    <div aria-hidden>{children}</div>
  </div>
)
