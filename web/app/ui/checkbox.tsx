import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox'
import { Check, Minus } from 'lucide-react'
import { cx } from './cx.ts'

export const Checkbox = ({
  children,
  className,
  ...props
}: Omit<CheckboxProps, 'className' | 'style' | 'children'> & { children: ReactNode; className?: string }) => (
  <AriaCheckbox
    {...props}
    className={cx(
      'group touch inline-flex cursor-pointer outline-none items-center gap-2.5 data-disabled:opacity-45',
      className,
    )}
  >
    {({ isSelected, isIndeterminate, isFocusVisible }) => (
      <>
        <span
          className={cx(
            'grid size-4.5 shrink-0 place-items-center rounded-[5px] border [&_svg]:size-3.5',
            isSelected || isIndeterminate ? 'border-primary bg-primary text-on-primary' : 'border-edge bg-surface',
            isFocusVisible && 'outline-2 outline-offset-2 outline-primary',
          )}
        >
          {isIndeterminate ? (
            <Minus aria-hidden strokeWidth={3} />
          ) : isSelected ? (
            <Check aria-hidden strokeWidth={3} />
          ) : null}
        </span>
        {children}
      </>
    )}
  </AriaCheckbox>
)
