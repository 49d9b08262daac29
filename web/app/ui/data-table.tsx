import type { ReactNode } from 'react'
import { ArrowUp } from 'lucide-react'
import { cx } from './cx.ts'
import { bodyRow, cell, headCell, table, tableFrame } from './table-look.ts'
import { rowFrame } from './listed.tsx'

export type Column<Row, Order extends string = string> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  headClassName?: string
  cellClassName?: string
  /** The order that a press on its head asks for. */
  order?: Order
  /** It names the company. */
  isCompany?: true
}

/** A dense table, on phones a list of cards. The first column names the row. */
export const DataTable = <Row extends { id: string }, Order extends string = string>({
  label,
  columns,
  rows,
  order,
  onOrder,
  onOpen,
  card,
  isStale = false,
}: {
  /** What the table holds, for who does not see it. */
  label: string
  columns: readonly (Column<Row, Order> | false)[]
  rows: readonly Row[]
  order?: Order
  onOrder?: (order: Order) => void
  /** A mouse may press anywhere on the line; a button in the first cell is for everybody. */
  onOpen?: ((row: Row) => void) | undefined
  card: (row: Row) => ReactNode
  /** The rows are still the answer to what was asked before. */
  isStale?: boolean | undefined
}) => {
  const shown = columns.filter((column) => column !== false)
  return (
    <div className={cx('transition-opacity', isStale && 'opacity-60')} aria-busy={isStale}>
      <div className={cx(tableFrame, 'max-md:hidden')}>
        <table className={table}>
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Head key={column.key} column={column} order={order} onOrder={onOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr
                key={row.id}
                className={cx(bodyRow, onOpen && 'cursor-pointer hover:bg-sunken/60')}
                onClick={() => onOpen?.(row)}
              >
                {shown.map(({ key, cell: content, cellClassName }, place) =>
                  place === 0 ? (
                    <th key={key} scope="row" className={cx(cell, 'font-normal', cellClassName)}>
                      {content(row)}
                    </th>
                  ) : (
                    <td key={key} className={cx(cell, cellClassName)}>
                      {content(row)}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className={cx(rowFrame, 'md:hidden')}>
        {rows.map((row) => (
          <li key={row.id} className="relative flex items-center gap-3 px-3 py-3">
            {card(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Heads over rows that draw their own cells; `narrow` hides the heads where the rows become blocks. */
export const TableFrame = ({
  label,
  heads,
  narrow,
  children,
}: {
  label: string
  heads: readonly { title: string; className?: string; isHidden?: boolean }[]
  narrow: 'max-md' | 'max-lg' | 'never'
  children: ReactNode
}) => (
  // Where it stays a table on phones, it is scrolled sideways, by the keyboard, too.
  <div className={tableFrame} {...(narrow === 'never' ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {})}>
    <table className={cx(table, blocks[narrow])}>
      <caption className="sr-only">{label}</caption>
      <thead className={hidden[narrow]}>
        <tr>
          {heads.map(({ title, className, isHidden }) => (
            <th key={title} scope="col" className={cx(headCell, className)}>
              {isHidden ? <span className="sr-only">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={blocks[narrow]}>{children}</tbody>
    </table>
  </div>
)

const Head = <Row, Order extends string>({
  column: { title, headClassName, order: own },
  order,
  onOrder,
}: {
  column: Column<Row, Order>
  order: Order | undefined
  onOrder: ((order: Order) => void) | undefined
}) =>
  own === undefined || !onOrder ? (
    <th scope="col" className={cx(headCell, headClassName)}>
      {title}
    </th>
  ) : (
    <th scope="col" aria-sort={order === own ? 'ascending' : undefined} className={cx(headCell, headClassName)}>
      <button
        type="button"
        onClick={() => onOrder(own)}
        className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink"
      >
        {title}
        <ArrowUp aria-hidden className={cx('size-3.5', order !== own && 'invisible')} />
      </button>
    </th>
  )

/** An empty cell. */
export const Nothing = () => (
  <span aria-hidden className="text-muted">
    –
  </span>
)

const blocks = { 'max-md': 'max-md:block', 'max-lg': 'max-lg:block', never: '' }
const hidden = { 'max-md': 'max-md:hidden', 'max-lg': 'max-lg:hidden', never: '' }
