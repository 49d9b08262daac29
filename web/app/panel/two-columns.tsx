import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'

/** Cards of a page one below the other, and on a wide screen in two columns, each of them a child; in one where the other is empty. */
export const TwoColumns = ({
  className,
  children: [first, second],
}: {
  className?: string
  children: readonly [ReactNode, ReactNode]
}) => (
  <div
    className={cx(
      'grid grid-cols-[minmax(0,1fr)] gap-5 wide:items-start wide:not-has-[>:empty]:grid-cols-2',
      className,
    )}
  >
    <div className={column}>{first}</div>
    <div className={column}>{second}</div>
  </div>
)

const column = 'contents empty:hidden wide:grid wide:grid-cols-[minmax(0,1fr)] wide:gap-5'
