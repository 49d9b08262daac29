import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField'
import { Search, X } from 'lucide-react'
import { cx } from './cx.ts'
import { box } from './fields.tsx'

/** Words to look for. `onChange` follows a moment after the last letter, so that typing neither stutters nor fills the history. */
export const SearchField = ({
  label,
  value,
  onChange,
  className,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}) => {
  const [text, setText] = useState(value)
  const typedAt = useRef('')
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text.trim() === value) return
    // Who follows a link before the moment is over has left: the words must not call them back.
    const timer = setTimeout(() => location.pathname === typedAt.current && onChange(text.trim()), 250)
    return () => clearTimeout(timer)
  })
  return (
    <AriaSearchField
      aria-label={label}
      value={text}
      onChange={(typed) => {
        typedAt.current = location.pathname
        setText(typed)
      }}
      onClear={() => onChange('')}
      className={cx('relative', className)}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
      <Input
        placeholder={label}
        className={cx(
          box,
          'touch h-10 pr-11 pl-9 placeholder-shown:pr-3 placeholder-shown:text-ellipsis [&::-webkit-search-cancel-button]:hidden',
        )}
      />
      {text !== '' && (
        <Button className="touch absolute inset-y-0 right-0 my-auto grid size-9 place-items-center rounded-md text-muted hover:bg-sunken">
          <X aria-hidden className="size-4" />
        </Button>
      )}
    </AriaSearchField>
  )
}
