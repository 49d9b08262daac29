import { Send, Undo2 } from 'lucide-react'
import { toast } from 'sonner'
import { invitations, type SentInvitation } from '@clear-to-post/contract/invitations'
import { queryClient, useCall } from '../../api.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { Nothing } from '../../ui/data-table.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Sends an invitation once more, or takes it back. */
export const InvitationMenu = ({ of: one }: { of: SentInvitation }) => {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['invitations'] })
  const again = useCall(invitations.sendAgain, {
    onSuccess: () => (refresh(), toast.success(messages.sentAgain(one.email))),
    onError: (error) => (refresh(), toastFailure(error)),
  })
  const withdraw = useCall(invitations.withdraw, {
    onSuccess: () => (refresh(), toast.success(messages.withdrawn(one.email))),
    onError: (error) => (refresh(), toastFailure(error)),
  })
  const input = { params: { invitationId: one.id } }
  const inMenu: Record<SentInvitation['actions'][number], MenuAction> = {
    send: { label: messages.sendAgain, icon: Send, onAction: () => again.mutate(input) },
    withdraw: {
      label: messages.withdraw,
      icon: Undo2,
      isDanger: true,
      onAction: () => withdraw.mutate(input),
      confirm: { title: messages.withdrawTitle(one.email), text: messages.withdrawText, keep: messages.keep },
    },
  }
  if (one.actions.length === 0) return <Nothing />
  return (
    <ActionMenu
      label={messages.actionsOf(one.email)}
      actions={one.actions.map((action) => inMenu[action])}
      isPending={again.isPending || withdraw.isPending}
    />
  )
}
