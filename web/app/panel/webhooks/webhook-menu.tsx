import { useState } from 'react'
import { KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react'
import type { WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { messages } from './messages.ts'
import { nameOf } from './parts.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { useWebhookActs } from './use-webhook-acts.ts'
import { WebhookDialog } from './webhook-dialog.tsx'

/** Test, pause, resume, edit, a new secret, delete: what the service says may be done now. */
export const WebhookMenu = ({ of: one, onDeleted }: { of: WebhookEndpoint; onDeleted?: () => void }) => {
  const [isEditing, setEditing] = useState(false)
  const acts = useWebhookActs(one.id, onDeleted ? { onDeleted } : {})
  const inMenu: Record<WebhookEndpoint['actions'][number], MenuAction> = {
    test: { label: messages.test, icon: Send, onAction: acts.test },
    pause: { label: messages.pause, icon: Pause, onAction: acts.pause },
    resume: { label: messages.resume, icon: Play, onAction: acts.resume },
  }
  return (
    <>
      <ActionMenu
        label={messages.actionsOf(nameOf(one))}
        isPending={acts.isPending}
        actions={[
          ...one.actions.map((action) => inMenu[action]),
          { label: messages.edit, icon: Pencil, onAction: () => setEditing(true) },
          {
            label: messages.rotate,
            icon: KeyRound,
            onAction: acts.rotate,
            confirm: { title: messages.rotateTitle, text: messages.rotateText, keep: messages.keepSecret },
          },
          {
            label: messages.delete,
            icon: Trash2,
            isDanger: true,
            onAction: acts.remove,
            confirm: { title: messages.deleteTitle, text: messages.deleteText, keep: messages.keep },
          },
        ]}
      />
      {isEditing && <WebhookDialog of={one} onClose={() => setEditing(false)} />}
      {acts.secret !== undefined && <SecretDialog secret={acts.secret} isSecond onClose={acts.forgetSecret} />}
    </>
  )
}
