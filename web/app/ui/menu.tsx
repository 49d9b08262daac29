import type { ReactNode, RefObject } from 'react'
import { Header } from 'react-aria-components/Header'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection,
  MenuTrigger,
  type MenuItemProps,
} from 'react-aria-components/Menu'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { Check } from 'lucide-react'
import { cx } from './cx.ts'
import { floating } from './floating.ts'
import type { Entered } from './use-opener.ts'

/** A button and what opens below it: `<Menu label="…" trigger={<IconButton …/>}><MenuItem onAction={…}>…</MenuItem></Menu>`. */
export const Menu = ({
  trigger,
  label,
  children,
  placement = 'bottom end',
  header,
}: {
  trigger: ReactNode
  label: string
  children: ReactNode
  placement?: PopoverProps['placement']
  header?: ReactNode
}) => (
  <MenuTrigger>
    {trigger}
    <Popover placement={placement} className={cx(floating, 'min-w-52')}>
      {header}
      <AriaMenu aria-label={label} className="p-1 outline-none">
        {children}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
)

/** A menu whose button stands on every page: it is loaded when somebody comes near that button (`useOpener`). */
export const OpenedMenu = ({
  button,
  entered,
  onClose,
  label,
  children,
  placement,
  header,
}: {
  button: RefObject<HTMLElement | null>
  /** Which of its entries has the focus. */
  entered: Entered
  onClose: () => void
  label: string
  children: ReactNode
  placement: PopoverProps['placement']
  header?: ReactNode
}) => (
  <Popover
    isOpen
    onOpenChange={onClose}
    triggerRef={button}
    aria-label={label}
    placement={placement}
    className={cx(floating, 'min-w-52')}
  >
    {header}
    <AriaMenu autoFocus={entered} onClose={onClose} aria-label={label} className="p-1 outline-none">
      {children}
    </AriaMenu>
  </Popover>
)

export const MenuItem = ({
  icon,
  children,
  isDanger = false,
  ...props
}: Omit<MenuItemProps, 'className' | 'style' | 'children'> & {
  icon?: ReactNode
  children: string
  isDanger?: boolean
}) => (
  <AriaMenuItem
    {...props}
    textValue={children}
    className={cx(
      'touch flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none data-disabled:opacity-45 data-focused:bg-sunken [&_svg]:size-4 [&_svg]:text-muted',
      isDanger && 'text-danger [&_svg]:text-danger',
    )}
  >
    {({ isSelected, selectionMode }) => (
      <>
        {icon}
        <span className="flex-1">{children}</span>
        {selectionMode !== 'none' && <Check aria-hidden className={cx('text-ink!', !isSelected && 'invisible')} />}
      </>
    )}
  </AriaMenuItem>
)

export const MenuLine = () => <Separator className="mx-1 my-1 h-px border-0 bg-line" />

export { MenuSection, Header as MenuHeader }
