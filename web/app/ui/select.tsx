import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { cx } from './cx.ts'
import { Below, box, field, FieldLabel } from './fields.tsx'
import { floating } from './floating.ts'

export type Option<Value extends string> = {
  value: Value
  label: string
  /** To the right, in muted words. */
  detail?: ReactNode
  isDisabled?: boolean
}

/** One of a few. */
export const Select = <Value extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
  hint,
  error,
  placeholder,
  isDisabled,
  className,
}: {
  label: string
  hideLabel?: boolean
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  hint?: ReactNode
  error?: string | undefined
  placeholder?: string
  isDisabled?: boolean
  className?: string
}) => {
  const chosen = options.find((option) => option.value === value)
  return (
    <AriaSelect
      value={value}
      onChange={(key) => key !== null && onChange(key as Value)}
      {...(isDisabled === undefined ? {} : { isDisabled })}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(hideLabel ? { 'aria-label': label } : {})}
      isInvalid={error !== undefined}
      className={cx(field, className)}
    >
      {!hideLabel && <FieldLabel>{label}</FieldLabel>}
      <Button className={cx(box, 'touch flex h-10 items-center justify-between gap-2 px-3 text-left')}>
        <SelectValue className="min-w-0 flex-1 data-placeholder:text-muted">
          {({ defaultChildren, isPlaceholder }) =>
            isPlaceholder || chosen === undefined ? (
              defaultChildren
            ) : (
              <span className="flex justify-between gap-3">
                <span className="truncate">{chosen.label}</span>
                {chosen.detail !== undefined && <span className="shrink-0 text-muted">{chosen.detail}</span>}
              </span>
            )
          }
        </SelectValue>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
      </Button>
      <Below hint={hint} error={error} />
      <Popover className={cx(floating, 'min-w-(--trigger-width)')}>
        <ListBox className="max-h-80 overflow-auto p-1 outline-none">
          {options.map((option) => (
            <ListBoxItem
              key={option.value}
              id={option.value}
              textValue={option.label}
              {...(option.isDisabled === undefined ? {} : { isDisabled: option.isDisabled })}
              className="touch flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 data-disabled:text-muted data-focused:bg-sunken"
            >
              {({ isSelected }) => (
                <>
                  <Check aria-hidden className={cx('size-4 shrink-0', !isSelected && 'invisible')} />
                  <span className="flex-1">{option.label}</span>
                  {option.detail !== undefined && <span className="pl-4 text-muted">{option.detail}</span>}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
