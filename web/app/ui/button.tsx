import { useEffect, useRef, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'
import { LoaderCircle } from 'lucide-react'
import { base, buttonLook, looks, type ButtonLook } from './button-look.ts'
import { cx } from './cx.ts'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> &
  ButtonLook & {
    children: ReactNode
    /** Before the words. */
    icon?: ReactNode
    className?: string
    ref?: Ref<HTMLButtonElement>
  }

/** `isPending` shows a spinner, keeps the focus and ignores presses; prefer it to `isDisabled` while work runs. */
export const Button = ({ variant, size, icon, children, className, ...props }: ButtonProps) => {
  useQuietEnd(props.isPending === true)
  return (
    <AriaButton {...props} className={cx(buttonLook({ variant, size }), className)}>
      {({ isPending }) => (
        <>
          {isPending ? <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" /> : icon}
          {children}
        </>
      )}
    </AriaButton>
  )
}

// React Aria's announcer names a button that worked for seven seconds: a picture without a name once the button is gone.
const useQuietEnd = (isPending: boolean) => {
  const worked = useRef(false)
  useEffect(() => {
    if (isPending) worked.current = true
  }, [isPending])
  useEffect(
    () => () => {
      // Its first words come a tenth of a second late.
      if (worked.current) setTimeout(forgetGone, 150)
    },
    [],
  )
}

const forgetGone = () => {
  for (const said of document.querySelectorAll('[data-live-announcer] [aria-labelledby]'))
    if (document.getElementById(said.getAttribute('aria-labelledby')!.split(' ')[0]!) === null) said.remove()
}

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
  ref?: Ref<HTMLButtonElement>
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
