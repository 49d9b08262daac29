import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { statuses, statusValues, type Status } from '@clear-to-post/domain/workflow'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { editorsQuery } from '../accounts/use-people.ts'
import { messages } from './messages.ts'
import type { BoardSearch } from './search.ts'

type FilterProps = {
  search: BoardSearch
  onChange: (part: Partial<BoardSearch>) => void
  /** Absent where nothing is filtered. */
  onClear: (() => void) | undefined
}

/** Title, status, editor. All of it lives in the address. */
export const FilterBar = ({ search, onChange, onClear }: FilterProps) => {
  const editors = useQuery(editorsQuery)
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchField
        label={messages.search}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
        className="max-sm:w-full sm:w-60"
      />
      <Select
        label={messages.status}
        hideLabel
        className="max-sm:flex-1 sm:w-44"
        value={search.status === undefined ? all : String(search.status)}
        options={[
          { value: all, label: messages.allStatuses },
          ...statusValues.map((status) => ({ value: String(status), label: statuses[status] })),
        ]}
        onChange={(value) => onChange({ status: value === all ? undefined : (Number(value) as Status) })}
      />
      <Select
        label={messages.editor}
        hideLabel
        className="max-sm:flex-1 sm:w-44"
        value={search.editor ?? all}
        options={[
          { value: all, label: messages.allEditors },
          ...(editors.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(value) => onChange({ editor: value === all ? undefined : value })}
      />
      {onClear && (
        <Button variant="quiet" icon={<X aria-hidden />} onPress={onClear}>
          {messages.clear}
        </Button>
      )}
    </div>
  )
}

const all = 'all'
