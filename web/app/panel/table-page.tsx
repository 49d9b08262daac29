import type { ComponentProps, ReactNode } from 'react'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { PeopleLoading } from '../ui/listed.tsx'
import { useCompanyColumns } from './company-columns.ts'
import { ListPage } from './list-page.tsx'

/** A list page whose rows are a table, on phones cards: a room brings a query, columns, a card and its words. */
export const TablePage = <Item extends { id: string }>({
  label,
  columns,
  card,
  count = 6,
  ...page
}: Omit<ComponentProps<typeof ListPage<Item>>, 'children' | 'loading'> & {
  /** What the table holds, for who does not see it. */
  label: string
  columns: readonly Column<Item>[]
  card: (item: Item) => ReactNode
  /** How many lines stand there while it loads. */
  count?: number
}) => {
  const shown = useCompanyColumns(columns)
  return (
    <ListPage {...page} loading={<PeopleLoading count={count} />}>
      {(items) => (
        <DataTable label={label} rows={items} columns={shown} isStale={page.list.isPlaceholderData} card={card} />
      )}
    </ListPage>
  )
}
