import { Ban, Pause, Play, Trash2 } from 'lucide-react'
import type { Trigger } from '@clear-to-post/contract/notifications'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { messages } from './messages.ts'
import { useTriggerActs } from './use-triggers.ts'

/** Pause, resume, cancel, delete: what the service says may be done now. */
export const TriggerMenu = ({ trigger, onDeleted }: { trigger: Trigger; onDeleted?: () => void }) => {
  const { title, actions } = trigger
  const acts = useTriggerActs(trigger, onDeleted ? { onDeleted } : {})
  const inMenu: Record<Trigger['actions'][number], MenuAction | null> = {
    edit: null,
    pause: { label: messages.pause, icon: Pause, onAction: acts.pause },
    resume: { label: messages.resume, icon: Play, onAction: acts.resume },
    cancel: {
      label: messages.cancel,
      icon: Ban,
      onAction: acts.cancel,
      confirm: { title: messages.cancelTitle(title), text: messages.cancelText, keep: messages.keep },
    },
    delete: {
      label: messages.delete,
      icon: Trash2,
      isDanger: true,
      onAction: acts.remove,
      confirm: { title: messages.deleteTitle(title), text: messages.deleteText, keep: messages.keep },
    },
  }
  return (
    <ActionMenu
      label={messages.actionsOf(title)}
      actions={actions.flatMap((action) => inMenu[action] ?? [])}
      isPending={acts.isPending}
    />
  )
}
