import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { NumberField as AriaNumberField, type NumberFieldProps } from 'react-aria-components/NumberField'
import { Minus, Plus } from 'lucide-react'
import { cx } from './cx.ts'
import { Below, field, FieldLabel } from './fields.tsx'
import { messages } from './messages.ts'

/** A whole number with a step up and down; arrow keys do the same. */
export const NumberField = ({
  label,
  hideLabel = false,
  hint,
  error,
  className,
  ...props
}: Omit<NumberFieldProps, 'className' | 'style' | 'children'> & {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | undefined
  className?: string
}) => (
  <AriaNumberField
    {...props}
    {...(hideLabel ? { 'aria-label': label } : {})}
    formatOptions={{ maximumFractionDigits: 0 }}
    isInvalid={error !== undefined}
    className={cx(field, className)}
  >
    {!hideLabel && <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>}
    <Group className="flex w-fit items-stretch rounded-control border border-edge bg-surface hover:border-ink/60 data-focus-within:border-primary data-focus-within:outline-2 data-focus-within:-outline-offset-1 data-focus-within:outline-primary data-invalid:border-danger data-disabled:opacity-50">
      <Button slot="decrement" aria-label={messages.less} className={step}>
        <Minus aria-hidden className="size-4" />
      </Button>
      <Input className="touch figures h-9.5 w-16 border-x border-line bg-transparent text-center outline-none max-md:text-base" />
      <Button slot="increment" aria-label={messages.more} className={step}>
        <Plus aria-hidden className="size-4" />
      </Button>
    </Group>
    <Below hint={hint} error={error} />
  </AriaNumberField>
)

const step =
  'touch grid w-9 place-items-center text-muted first:rounded-l-[7px] last:rounded-r-[7px] hover:bg-sunken hover:text-ink data-disabled:opacity-45'
