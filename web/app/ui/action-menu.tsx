import { useState, type ReactNode } from 'react'
import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** What may be done to a thing. With `confirm` it is asked first whether it is meant. */
export type MenuAction = {
  label: string
  icon: LucideIcon
  onAction: () => void
  isDanger?: boolean
  confirm?: { title: string; text: ReactNode; keep: string }
}

/** The button at the end of a row, the menu of what may be done to its thing, and the question before what cannot be undone. */
export const ActionMenu = ({
  label,
  actions,
  isPending = false,
  className,
}: {
  /** The button’s words, which name the thing. */
  label: string
  actions: readonly MenuAction[]
  isPending?: boolean
  className?: string
}) => {
  // The question is about the thing as it was when it was opened.
  const [asked, setAsked] = useState<MenuAction>()
  const [isAsking, setAsking] = useState(false)
  const ask = (action: MenuAction) => {
    setAsked(action)
    setAsking(true)
  }
  return (
    <>
      <Menu
        label={label}
        trigger={
          <IconButton label={label} isPending={isPending} className={className}>
            <EllipsisVertical aria-hidden />
          </IconButton>
        }
      >
        {actions.map((action) => {
          const { label: words, icon: Icon, onAction, isDanger = false, confirm } = action
          return (
            <MenuItem
              key={words}
              icon={<Icon aria-hidden />}
              isDanger={isDanger}
              onAction={confirm ? () => ask(action) : onAction}
            >
              {words}
            </MenuItem>
          )
        })}
      </Menu>
      {asked?.confirm && (
        <Confirm
          {...asked.confirm}
          confirm={asked.label}
          isOpen={isAsking}
          onOpenChange={setAsking}
          onConfirm={() => {
            setAsking(false)
            asked.onAction()
          }}
        />
      )}
    </>
  )
}
