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
  isSmall = false,
  className,
}: {
  title: string
  text?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  /** Within a card or a menu, which has its own frame and heading. */
  isSmall?: boolean
  className?: string
}) => (
  <div
    className={cx(
      'flex flex-col items-center text-center',
      isSmall ? 'gap-1 px-6 py-8' : 'gap-3 rounded-card border border-dashed border-edge/60 px-6 py-12',
      className,
    )}
  >
    {icon !== undefined && (
      <div className={cx('text-muted', isSmall ? '[&_svg]:size-6' : '[&_svg]:size-7')}>{icon}</div>
    )}
    {isSmall ? <p className="font-medium">{title}</p> : <h2 className="text-lg">{title}</h2>}
    {text !== undefined && <p className="max-w-sm text-muted">{text}</p>}
    {action !== undefined && <div className="mt-2">{action}</div>}
  </div>
)

/** It did not load: why, and again. */
export const ErrorState = ({
  error,
  onRetry,
  title = messages.failureTitle,
  isSmall = false,
  className,
}: {
  error: unknown
  onRetry: () => void
  title?: string | undefined
  /** Within a card or a menu: a line and its button. */
  isSmall?: boolean | undefined
  className?: string
}) =>
  isSmall ? (
    <div role="alert" className={cx('flex flex-wrap items-center gap-x-3 gap-y-2 p-4', className)}>
      <p className="text-danger">{title}</p>
      <Button size="small" onPress={onRetry} icon={<RotateCw aria-hidden />}>
        {messages.retry}
      </Button>
    </div>
  ) : (
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
  isSmall,
  children,
  className,
}: {
  /** A query with nothing to show. */
  answer: { error: unknown; refetch: () => unknown }
  /** The title when it failed. */
  failed?: string | undefined
  /** Within a card or a menu: a failure is a line. */
  isSmall?: boolean | undefined
  /** Skeletons in the shape of what comes. */
  children: ReactNode
  className?: string | undefined
}) =>
  error ? (
    <ErrorState title={failed} error={error} onRetry={() => void refetch()} isSmall={isSmall} />
  ) : (
    <Loading className={className}>{children}</Loading>
  )

/** What a query brings, in each of its states: on its way, failed, there. What is there stays when asking again fails. */
export const Loaded = <Data,>({
  answer,
  failed,
  loading,
  isSmall,
  className,
  children,
}: {
  answer: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** The title when it failed. */
  failed?: string
  /** Skeletons in the shape of what comes. */
  loading: ReactNode
  /** Within a card or a menu: a failure is a line. */
  isSmall?: boolean
  /** Of what wraps the skeletons. */
  className?: string
  children: (data: Data) => ReactNode
}) =>
  answer.data === undefined ? (
    <Awaiting answer={answer} failed={failed} isSmall={isSmall} className={className}>
      {loading}
    </Awaiting>
  ) : (
    children(answer.data)
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
