import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup'
import { X } from 'lucide-react'
import { TextField } from './fields.tsx'

/** Short words, each a tag. Enter or a comma ends one; Backspace in the empty box takes the last one back. */
export const TagsField = ({
  label,
  value,
  onChange,
  hint,
  placeholder,
  most,
  longest,
  removeWords,
}: {
  label: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  hint?: ReactNode
  placeholder?: string
  most: number
  longest: number
  /** What a screen reader says of the cross. */
  removeWords: (tag: string) => string
}) => {
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const found = text
      .split(',')
      .map((one) => one.trim().slice(0, longest))
      .filter((one) => one !== '')
    const all = [...new Set([...value, ...found])].slice(0, most)
    if (all.length !== value.length) onChange(all)
    setTyped('')
  }
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        hint={hint}
        placeholder={placeholder ?? ''}
        isRequired={false}
        value={typed}
        onChange={(text) => (text.includes(',') ? add(text) : setTyped(text))}
        onBlur={() => add(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && typed.trim() !== '') {
            event.preventDefault()
            add(typed)
            return
          }
          if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
          // Escape closes what is around it.
          event.continuePropagation()
        }}
        isDisabled={value.length >= most && typed === ''}
      />
      {value.length > 0 && (
        <TagGroup
          aria-label={label}
          onRemove={(keys) => onChange(value.filter((tag) => !keys.has(tag)))}
          className="-mt-0.5"
        >
          <TagList className="flex flex-wrap gap-1.5">
            {value.map((tag) => (
              <Tag
                key={tag}
                id={tag}
                textValue={tag}
                className="touch inline-flex h-7 cursor-default items-center gap-1 rounded-full bg-sunken pr-1 pl-3 text-[0.8125rem]"
              >
                {tag}
                <Button
                  slot="remove"
                  aria-label={removeWords(tag)}
                  className="grid size-6 place-items-center rounded-full text-muted hover:text-ink max-md:size-9"
                >
                  <X aria-hidden className="size-3.5" />
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </div>
  )
}
