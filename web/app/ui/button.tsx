import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import { cx } from './cx.ts'

export type ButtonLook = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
}

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> &
  ButtonLook & {
    children: ReactNode
    /** Before the words. */
    icon?: ReactNode
    className?: string
  }

/** `isPending` shows a spinner, keeps the focus and ignores presses; prefer it to `isDisabled` while work runs. */
export const Button = ({ variant, size, icon, children, className, ...props }: ButtonProps) => (
  <AriaButton {...props} className={cx(buttonLook({ variant, size }), className)}>
    {({ isPending }) => (
      <>
        {isPending ? <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" /> : icon}
        {children}
      </>
    )}
  </AriaButton>
)

/** A square button with a picture only; `label` is what a screen reader says. */
export const IconButton = ({
  label,
  children,
  variant = 'quiet',
  className,
  ...props
}: Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'aria-label'> & {
  label: string
  children: ReactNode
  variant?: ButtonLook['variant']
  className?: string
}) => (
  <AriaButton
    {...props}
    aria-label={label}
    className={cx(base, looks[variant], 'touch size-9 [&_svg]:size-4.5', className)}
  >
    {children}
  </AriaButton>
)

const LinkButtonAnchor = ({
  variant,
  size,
  icon,
  children,
  className,
  ref,
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & ButtonLook & { icon?: ReactNode; ref?: Ref<HTMLAnchorElement> }) => (
  <a {...props} ref={ref} className={cx(buttonLook({ variant, size }), className)}>
    {icon}
    {children}
  </a>
)

/** A link of the router that looks like a button: `<LinkButton to={paths.newVideo}>`. */
export const LinkButton: LinkComponent<typeof LinkButtonAnchor> = createLink(LinkButtonAnchor)

/** A plain link out of the router (downloads) that looks like a button. */
export const AnchorButton = LinkButtonAnchor

export const buttonLook = ({ variant = 'secondary', size = 'medium' }: ButtonLook): string =>
  cx(base, looks[variant], sizes[size])

const base =
  'touch inline-flex shrink-0 items-center justify-center gap-2 rounded-control border text-center font-medium select-none transition-colors duration-100 data-disabled:opacity-45 data-pending:cursor-progress [&_svg]:shrink-0'

const looks = {
  primary:
    'border-transparent bg-primary text-on-primary hover:bg-primary-hover data-pressed:bg-primary-hover data-disabled:bg-primary',
  secondary: 'border-edge/60 bg-surface text-ink hover:bg-sunken data-pressed:bg-sunken',
  quiet: 'border-transparent text-ink hover:bg-sunken data-pressed:bg-sunken',
  danger: 'border-transparent bg-danger text-on-primary hover:bg-danger-hover data-pressed:bg-danger-hover',
} satisfies Record<NonNullable<ButtonLook['variant']>, string>

const sizes = {
  small: 'h-8 px-3 text-[0.8125rem] [&_svg]:size-4',
  medium: 'h-9 px-4 text-sm [&_svg]:size-4',
  large: 'h-11 px-5 text-[0.9375rem] [&_svg]:size-4.5',
} satisfies Record<NonNullable<ButtonLook['size']>, string>
