import { useState, type ReactNode } from 'react'
import { Download } from 'lucide-react'
import type { CallAnswer, CallInput, CallShape, PageRules } from '@clear-to-post/contract/call'
import { send } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { toastFailure } from '../ui/toasts.tsx'
import { useCompanyColumns } from './company-columns.ts'
import { csvOf, type CsvColumn } from './csv.ts'
import { messages } from './csv-messages.ts'

/** So many rows go into a file at most; a list that is longer is to be narrowed first. */
const most = 5000

type Item<C extends CallShape> = CallAnswer<C> extends { items: (infer One)[] } ? One : never

/** All that a list holds as it is narrowed now, as a file for a spreadsheet. */
export const CsvButton = <C extends CallShape & { page: PageRules }>({
  shape,
  asked,
  columns,
  name,
}: {
  shape: C
  asked: { orderBy?: string; wheres?: string[] }
  columns: readonly CsvColumn<Item<C>>[]
  /** Of the file, without its ending. */
  name: string
}) => {
  const [isPending, setPending] = useState(false)
  const shown = useCompanyColumns(columns)
  const press = async () => {
    setPending(true)
    try {
      const rows: Item<C>[] = []
      for (let cursor: string | null | undefined; cursor !== null && rows.length < most;) {
        const query = { ...asked, perPage: 100, ...(cursor === undefined ? {} : { cursor }) }
        const page = (await send(shape, { query } as unknown as CallInput<C>)) as {
          items: Item<C>[]
          nextCursor: string | null
        }
        rows.push(...page.items)
        cursor = page.nextCursor
      }
      saveCsv(name, csvOf(shown, rows))
    } catch (error) {
      toastFailure(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <Button icon={<Download aria-hidden />} isPending={isPending} onPress={() => void press()}>
      {messages.download}
    </Button>
  )
}

/** A table that is on the page already, as a file for a spreadsheet. */
export const CsvOfTable = <Row,>({
  rows,
  columns,
  name,
  label,
  children,
}: {
  rows: readonly Row[]
  columns: readonly CsvColumn<Row>[]
  /** Of the file, without its ending. */
  name: string
  label: string
  children: ReactNode
}) => {
  const shown = useCompanyColumns(columns)
  return (
    <Button
      size="small"
      aria-label={label}
      icon={<Download aria-hidden />}
      onPress={() => saveCsv(name, csvOf(shown, rows))}
    >
      {children}
    </Button>
  )
}

const saveCsv = (name: string, text: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  link.download = `${name}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
