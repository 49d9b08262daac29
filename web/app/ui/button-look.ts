import { cx } from './cx.ts'

export type ButtonLook = {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
}

/** The classes of a button, for a link that is not the router's. */
export const buttonLook = ({ variant = 'secondary', size = 'medium' }: ButtonLook): string =>
  cx(base, looks[variant], sizes[size])

export const base =
  'touch inline-flex shrink-0 items-center justify-center gap-2 rounded-control border text-center font-medium select-none transition-colors duration-100 data-disabled:opacity-45 data-pending:cursor-progress [&_svg]:shrink-0'

export const looks = {
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
