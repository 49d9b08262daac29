import { useRef, type ReactNode } from 'react'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { cx } from './cx.ts'
import { useBeyond } from './use-beyond.ts'

/**
 * Places beside each other, of which a narrow screen shows some: an arrow at the edge says that there are more and brings
 * them, and the one where somebody is, stands in view. (For fingers and pointers: whoever goes by keys or hears the page
 * meets all of them.)
 */
export const ScrollRow = ({ children, className }: { children: ReactNode; className?: string }) => {
  const row = useRef<HTMLDivElement>(null)
  const beyond = useBeyond(row, 'x')
  const move = (direction: 1 | -1) =>
    row.current!.scrollBy({ left: (direction * row.current!.clientWidth * 2) / 3, behavior: 'smooth' })
  return (
    <div className={cx('relative min-w-0', className)}>
      <div
        ref={row}
        className="relative overflow-x-auto [scrollbar-width:none] [&_:is(a,[role=tab])]:-outline-offset-2"
      >
        {children}
      </div>
      {beyond.before && <Arrow at="before" onPress={() => move(-1)} />}
      {beyond.after && <Arrow at="after" onPress={() => move(1)} />}
    </div>
  )
}

const Arrow = ({ at, onPress }: { at: 'before' | 'after'; onPress: () => void }) => {
  const Icon = at === 'before' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={onPress}
      className={cx(
        'absolute inset-y-0 flex w-14 items-center text-ink',
        at === 'before'
          ? 'left-0 bg-linear-to-r from-surface from-50% to-transparent'
          : 'right-0 justify-end bg-linear-to-l from-surface from-50% to-transparent',
      )}
    >
      <Icon className="size-5" />
    </button>
  )
}
