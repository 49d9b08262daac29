import type { ComponentProps } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { useMay } from '../session.ts'
import { MenuItem, OpenedMenu } from '../ui/menu.tsx'
import type { Entry } from './entries.ts'
import { messages as countMessages } from './jobs/count-messages.ts'
import { useGivenUp } from './jobs/use-given-up.ts'
import { messages } from './messages.ts'

/** The rooms that the bar at the foot of a phone has no place for. */
export const MoreEntries = ({
  items,
  ...opened
}: Pick<ComponentProps<typeof OpenedMenu>, 'button' | 'entered' | 'onClose'> & { items: readonly Entry[] }) => {
  const navigate = useNavigate()
  const count = useGivenUp({
    enabled: useMay('job.settle') && items.some(({ to }) => to === paths.audit),
    everyMs: 60_000,
  })
  return (
    <OpenedMenu {...opened} label={messages.more} placement="top end">
      {items.map(({ to, label, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon aria-hidden />} onAction={() => void navigate({ to })}>
          {to === paths.audit && count > 0 ? countMessages.withGivenUp(label, count) : label}
        </MenuItem>
      ))}
    </OpenedMenu>
  )
}
