import { useState } from 'react'
import { Ban, Ellipsis, Pause, Play, Trash2 } from 'lucide-react'
import type { Trigger } from '@clear-to-post/contract/notifications'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { messages } from './messages.ts'
import { useTriggerActs } from './use-triggers.ts'

/** Pause, resume, cancel, delete: what the service says may be done now. */
export const TriggerMenu = ({ trigger, onDeleted }: { trigger: Trigger; onDeleted?: () => void }) => {
  const { title, actions } = trigger
  const acts = useTriggerActs(trigger, onDeleted ? { onDeleted } : {})
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null)
  const answer = (act: () => void) => () => {
    setAsking(null)
    act()
  }
  return (
    <>
      <Menu
        label={messages.actionsOf(title)}
        trigger={
          <IconButton label={messages.actionsOf(title)} isPending={acts.isPending}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        {actions.includes('pause') && (
          <MenuItem icon={<Pause aria-hidden />} onAction={acts.pause}>
            {messages.pause}
          </MenuItem>
        )}
        {actions.includes('resume') && (
          <MenuItem icon={<Play aria-hidden />} onAction={acts.resume}>
            {messages.resume}
          </MenuItem>
        )}
        {actions.includes('cancel') && (
          <MenuItem icon={<Ban aria-hidden />} onAction={() => setAsking('cancel')}>
            {messages.cancel}
          </MenuItem>
        )}
        {actions.includes('delete') && (
          <MenuItem icon={<Trash2 aria-hidden />} isDanger onAction={() => setAsking('delete')}>
            {messages.delete}
          </MenuItem>
        )}
      </Menu>
      <Confirm
        title={messages.cancelTitle(title)}
        text={messages.cancelText}
        confirm={messages.cancel}
        keep={messages.keep}
        isOpen={asking === 'cancel'}
        onOpenChange={() => setAsking(null)}
        onConfirm={answer(acts.cancel)}
      />
      <Confirm
        title={messages.deleteTitle(title)}
        text={messages.deleteText}
        confirm={messages.delete}
        keep={messages.keep}
        isOpen={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        onConfirm={answer(acts.remove)}
      />
    </>
  )
}
