import type { ReactNode, Ref } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField'
import { cx } from './cx.ts'
import { messages } from './messages.ts'

type FieldProps = Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> & {
  label: string
  /** Below the box, before anything is wrong. */
  hint?: ReactNode
  /** What is wrong and what to do; its presence marks the field invalid. */
  error?: string | undefined
  placeholder?: string
  className?: string
}

/** One line of text, its label, hint and error. */
export const TextField = ({
  label,
  hint,
  error,
  placeholder,
  className,
  inputRef,
  ...props
}: FieldProps & { inputRef?: Ref<HTMLInputElement> }) => (
  <AriaTextField {...props} isInvalid={error !== undefined} className={cx(field, className)}>
    <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>
    <Input ref={inputRef} placeholder={placeholder} className={cx(box, 'touch h-10 px-3')} />
    <Below hint={hint} error={error} />
  </AriaTextField>
)

/** Several lines; grows with its text up to half the window. */
export const TextArea = ({
  label,
  hint,
  error,
  placeholder,
  className,
  rows = 4,
  areaRef,
  ...props
}: FieldProps & { rows?: number; areaRef?: Ref<HTMLTextAreaElement> }) => (
  <AriaTextField {...props} isInvalid={error !== undefined} className={cx(field, className)}>
    <FieldLabel isRequired={props.isRequired}>{label}</FieldLabel>
    <AriaTextArea
      ref={areaRef}
      rows={rows}
      placeholder={placeholder}
      className={cx(box, 'field-sizing-content max-h-[50dvh] min-h-24 resize-y px-3 py-2')}
    />
    <Below hint={hint} error={error} />
  </AriaTextField>
)

/** The label above a control; says "optional" where a field may stay empty. */
export const FieldLabel = ({ children, isRequired }: { children: ReactNode; isRequired?: boolean | undefined }) => (
  <Label className={labelLook}>
    {children}
    {isRequired === false && <span className="font-normal text-muted"> {messages.optional}</span>}
  </Label>
)

/** Hint or error below a control. */
export const Below = ({ hint, error }: { hint?: ReactNode; error?: string | undefined }) => (
  <>
    {error === undefined && hint !== undefined && (
      <Text slot="description" className="text-[0.8125rem] [overflow-wrap:anywhere] text-muted">
        {hint}
      </Text>
    )}
    <FieldError className="text-[0.8125rem] [overflow-wrap:anywhere] text-danger">{error}</FieldError>
  </>
)

export const field = 'flex flex-col gap-1.5'
export const labelLook = 'text-[0.8125rem] font-medium text-ink'
/** 16 px on phones: a smaller box makes iOS zoom the page. */
export const box =
  'w-full rounded-control border border-edge bg-surface text-ink placeholder:text-muted max-md:text-base hover:border-ink/60 data-focused:border-primary data-focused:outline-2 data-focused:-outline-offset-1 data-focused:outline-primary data-invalid:border-danger data-disabled:opacity-50'
