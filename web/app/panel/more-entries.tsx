import type { ComponentProps } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { MenuItem, OpenedMenu } from '../ui/menu.tsx'
import type { Entry } from './entries.ts'
import { messages } from './messages.ts'

/** The rooms that the bar at the foot of a phone has no place for. */
export const MoreEntries = ({
  items,
  ...opened
}: Pick<ComponentProps<typeof OpenedMenu>, 'button' | 'entered' | 'onClose'> & { items: readonly Entry[] }) => {
  const navigate = useNavigate()
  return (
    <OpenedMenu {...opened} label={messages.more} placement="top end">
      {items.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon aria-hidden />} onAction={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
    </OpenedMenu>
  )
}
