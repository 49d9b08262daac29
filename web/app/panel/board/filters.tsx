import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { SearchField } from 'react-aria-components/SearchField'
import { Search, X } from 'lucide-react'
import { statuses, statusValues, type Status } from '@clear-to-post/domain/workflow'
import { Button as PlainButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { box } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import { editorsQuery } from '../people/use-people.ts'
import { messages } from './messages.ts'
import type { BoardSearch } from './search.ts'

type FilterProps = { search: BoardSearch; onChange: (part: Partial<BoardSearch>) => void }

/** Title, status, editor. All of it lives in the address. */
export const FilterBar = ({ search, onChange }: FilterProps) => {
  const editors = useQuery(editorsQuery)
  const isFiltered = search.q !== undefined || search.status !== undefined || search.editor !== undefined
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <TitleSearch value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
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
      {isFiltered && (
        <PlainButton
          variant="quiet"
          icon={<X aria-hidden />}
          onPress={() => onChange({ q: undefined, status: undefined, editor: undefined })}
        >
          {messages.clear}
        </PlainButton>
      )}
    </div>
  )
}

// The address follows a moment after the last letter, so that typing neither stutters nor fills the history.
const TitleSearch = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text.trim()), 250)
    return () => clearTimeout(timer)
  })
  return (
    <SearchField
      aria-label={messages.search}
      value={text}
      onChange={setText}
      className="relative max-sm:w-full sm:w-60"
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <Input
        placeholder={messages.search}
        className={cx(box, 'touch h-10 pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden')}
      />
      {text !== '' && (
        <Button className="absolute top-1/2 right-1 grid size-8 -translate-y-1/2 place-items-center rounded-md text-muted hover:bg-sunken">
          <X aria-hidden className="size-4" />
        </Button>
      )}
    </SearchField>
  )
}

const all = 'all'
