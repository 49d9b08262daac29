import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'

/** Stands over a list while several of it are chosen: how many, what can be done to all of them, and the way to none. */
export const BulkFrame = ({
  chosen,
  none,
  onEnd,
  className,
  children,
}: {
  /** How many, in words. */
  chosen: string
  /** What the button says that chooses none. */
  none: string
  onEnd: () => void
  className?: string
  children: ReactNode
}) => (
  <div
    role="group"
    aria-label={chosen}
    className={cx(
      'sticky top-2 z-10 flex flex-wrap items-center gap-2 rounded-card border border-edge bg-surface p-3',
      className,
    )}
  >
    <p aria-live="polite" className="figures mr-auto font-medium">
      {chosen}
    </p>
    {children}
    <Button variant="quiet" icon={<X aria-hidden />} onPress={onEnd}>
      {none}
    </Button>
  </div>
)
