import type { ReactNode } from 'react'
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch'
import { cx } from './cx.ts'

/** On or off, at once understood; `hint` says what changes. */
export const Switch = ({
  children,
  hint,
  className,
  ...props
}: Omit<SwitchProps, 'className' | 'style' | 'children'> & {
  children: ReactNode
  hint?: ReactNode
  className?: string
}) => (
  <AriaSwitch
    {...props}
    className={cx('touch flex cursor-pointer items-start gap-3 data-disabled:opacity-45', className)}
  >
    {({ isSelected, isFocusVisible }) => (
      <>
        <span
          className={cx(
            'mt-px flex h-5 w-9 shrink-0 rounded-full border p-0.5 transition-colors duration-100',
            isSelected ? 'border-primary bg-primary' : 'border-edge bg-sunken',
            isFocusVisible && 'outline-2 outline-offset-2 outline-primary',
          )}
        >
          <span
            className={cx(
              'aspect-square h-full rounded-full transition-transform duration-100',
              isSelected ? 'translate-x-4 bg-on-primary' : 'bg-edge',
            )}
          />
        </span>
        <span>
          <span className="block">{children}</span>
          {hint !== undefined && (
            <span className="block text-[0.8125rem] [overflow-wrap:anywhere] text-muted">{hint}</span>
          )}
        </span>
      </>
    )}
  </AriaSwitch>
)
