import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Check, ChevronsUpDown } from 'lucide-react'
import { cx } from './cx.ts'
import { Below, box, field, FieldLabel } from './fields.tsx'
import { floating } from './floating.ts'
import { messages } from './messages.ts'
import type { Option } from './select.tsx'

/** One of many: type a part of it. */
export const ComboBox = <Value extends string>({
  label,
  options,
  value,
  onChange,
  hint,
  error,
  autoFocus = false,
  className,
}: {
  label: string
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  hint?: ReactNode
  error?: string | undefined
  autoFocus?: boolean
  className?: string
}) => (
  <AriaComboBox
    defaultItems={options}
    value={value}
    onChange={(key) => key !== null && onChange(key as Value)}
    menuTrigger="focus"
    isInvalid={error !== undefined}
    className={cx(field, className)}
  >
    <FieldLabel>{label}</FieldLabel>
    <Group className="relative">
      <Input
        autoFocus={autoFocus}
        onFocus={(event) => event.currentTarget.select()}
        className={cx(box, 'touch h-10 pr-11 pl-3 text-ellipsis')}
      />
      <Button className="touch absolute inset-y-0 right-0 grid w-10 place-items-center text-muted">
        <ChevronsUpDown aria-hidden className="size-4" />
      </Button>
    </Group>
    <Below hint={hint} error={error} />
    <Popover className={cx(floating, 'w-(--trigger-width) min-w-56')}>
      <ListBox<Option<Value>>
        className="max-h-72 overflow-auto p-1 outline-none"
        renderEmptyState={() => <p className="px-3 py-2 text-muted">{messages.nothingFits}</p>}
      >
        {(option) => (
          <ListBoxItem
            id={option.value}
            textValue={option.label}
            className="touch flex cursor-default items-center gap-2 rounded-md px-2 py-1.5 data-focused:bg-sunken"
          >
            {({ isSelected }) => (
              <>
                <Check aria-hidden className={cx('size-4 shrink-0', !isSelected && 'invisible')} />
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{option.label}</span>
                {option.detail !== undefined && <span className="pl-4 text-muted">{option.detail}</span>}
              </>
            )}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  </AriaComboBox>
)
