import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { Button } from './button.tsx'
import { SearchField } from './search-field.tsx'
import { Select } from './select.tsx'

/** What narrows a list, side by side: words to look for, choices, and the way back to all of it. */
export const FilterBar = ({
  search,
  words,
  onWords,
  clear,
  onClear,
  children,
}: {
  /** The words of the search field. */
  search: string
  words: string | undefined
  onWords: (words: string | undefined) => void
  /** The words of the button that clears; where there is only the search field, its own cross does. */
  clear?: string
  /** Absent where nothing is narrowed. */
  onClear?: (() => void) | undefined
  children?: ReactNode
}) => (
  <div role="search" className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
    <SearchField
      label={search}
      value={words ?? ''}
      onChange={(typed) => onWords(typed || undefined)}
      className="max-sm:col-span-2 sm:max-w-80 sm:min-w-60 sm:flex-1"
    />
    {children}
    {clear !== undefined && onClear && (
      <Button variant="quiet" icon={<X aria-hidden />} onPress={onClear}>
        {clear}
      </Button>
    )}
  </div>
)

/** A choice that narrows a list, or does not: undefined. */
export const FilterSelect = <Value extends string>({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string
  /** The words of not narrowing. */
  all: string
  value: Value | undefined
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}) => (
  <Select
    label={label}
    hideLabel
    className="sm:w-44"
    value={value ?? any}
    options={[{ value: any, label: all }, ...options]}
    onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
  />
)

const any = 'any'
