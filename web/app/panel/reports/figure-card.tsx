import { useState, type ReactNode } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { TableFrame } from '../../ui/data-table.tsx'
import { bodyRow, cell } from '../../ui/table-look.ts'
import { cx } from '../../ui/cx.ts'
import type { CsvColumn } from '../csv.ts'
import { CsvOfTable } from '../csv-button.tsx'
import { messages } from './messages.ts'

/** Figures as a picture, as a table, and as a file: one list of columns makes the last two. Without a picture it is the table. */
export const FigureCard = <Row,>({
  title,
  rows,
  columns,
  name,
  className,
  children,
}: {
  title: string
  rows: readonly Row[]
  columns: readonly CsvColumn<Row>[]
  /** Of the file, without its ending. */
  name: string
  className?: string
  /** The picture, or what is said in its place. */
  children?: ReactNode
}) => {
  const [isTable, setTable] = useState(false)
  const hasPicture = Boolean(children)
  return (
    <section
      aria-label={title}
      className={cx('grid content-start gap-3 rounded-card border border-line bg-surface p-4', className)}
    >
      <div className="flex items-start gap-2">
        <h2 className="min-w-0 flex-1 self-center text-base font-bold [overflow-wrap:anywhere]">{title}</h2>
        {hasPicture && (
          <ToggleButton
            isSelected={isTable}
            onChange={setTable}
            aria-label={`${messages.asTable}: ${title}`}
            className="touch h-8 rounded-control border border-line px-2.5 text-[0.8125rem] text-muted hover:border-edge data-selected:border-primary data-selected:bg-primary-tint data-selected:text-primary-text"
          >
            {messages.asTable}
          </ToggleButton>
        )}
        <CsvOfTable rows={rows} columns={columns} name={name} label={messages.csvOf(title)}>
          {messages.csv}
        </CsvOfTable>
      </div>
      {isTable || !hasPicture ? (
        <TableFrame
          label={title}
          heads={columns.map(({ title: head }, place) => ({ title: head, className: place > 0 ? 'text-right' : '' }))}
          narrow="never"
        >
          {rows.map((row, index) => (
            // The rows of a report have no ids and never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index} className={bodyRow}>
              {columns.map(({ title: head, text }, place) =>
                place === 0 ? (
                  <th key={head} scope="row" className={cx(cell, 'font-normal whitespace-nowrap')}>
                    {text(row)}
                  </th>
                ) : (
                  <td key={head} className={cx(cell, 'figures text-right')}>
                    {text(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </TableFrame>
      ) : (
        children
      )}
    </section>
  )
}
