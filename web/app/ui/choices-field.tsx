import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup'
import { X } from 'lucide-react'
import { ComboBox } from './combo-box.tsx'
import type { Option } from './select.tsx'

/** Several of many: each that is chosen is a tag, and the box offers the others. */
export const ChoicesField = <Value extends string>({
  label,
  hint,
  options,
  value,
  onChange,
  removeWords,
}: {
  label: string
  hint?: ReactNode
  options: readonly Option<Value>[]
  value: readonly Value[]
  onChange: (value: Value[]) => void
  /** What a screen reader says of the cross. */
  removeWords: (option: string) => string
}) => {
  // A box of its own for each choice: it is empty again afterwards.
  const [turn, setTurn] = useState(0)
  const chosen = options.filter((option) => value.includes(option.value))
  return (
    <div className="grid gap-2">
      <ComboBox
        key={turn}
        label={label}
        hint={hint}
        autoFocus={turn > 0}
        options={options.filter((option) => !value.includes(option.value))}
        value={null as Value | null}
        onChange={(added) => {
          onChange([...value, added])
          setTurn(turn + 1)
        }}
      />
      {chosen.length > 0 && (
        <TagGroup aria-label={label} onRemove={(keys) => onChange(value.filter((one) => !keys.has(one)))}>
          <TagList className="flex flex-wrap gap-1.5">
            {chosen.map((option) => (
              <Tag
                key={option.value}
                id={option.value}
                textValue={option.label}
                className="touch inline-flex h-7 cursor-default items-center gap-1 rounded-full bg-sunken pr-1 pl-3 text-[0.8125rem]"
              >
                {option.label}
                <Button
                  slot="remove"
                  aria-label={removeWords(option.label)}
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
