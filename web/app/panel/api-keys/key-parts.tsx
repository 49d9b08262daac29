import { Ban } from 'lucide-react'
import { toast } from 'sonner'
import { apiKeys, type ApiKey } from '@clear-to-post/contract/api-keys'
import { queryClient, useCall } from '../../api.ts'
import { agoWords } from '../../times.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

export const KeyState = ({ of: { state } }: { of: ApiKey }) => (
  <Badge tone={state === 'good' ? 'good' : state === 'over' ? 'warn' : 'plain'}>{messages.states[state]}</Badge>
)

/** The first letters of the key, by which its owner knows it. */
export const Prefix = ({ of: { prefix } }: { of: ApiKey }) => (
  <code className="font-mono text-[0.8125rem] text-muted">{messages.begins(prefix)}</code>
)

export const usedWords = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt === null ? messages.neverUsed : messages.used(agoWords(lastUsedAt))

export const scopeWords = ({ scopes }: ApiKey): string => scopes.map((scope) => messages.scopes[scope]).join(' · ')

/** Ends a key that is good, after a question. */
export const KeyMenu = ({ of: one }: { of: ApiKey }) => {
  const revoke = useCall(apiKeys.revoke, {
    onSuccess: () => toast.success(messages.revoked(one.name)),
    onError: toastFailure,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  return (
    one.state === 'good' && (
      <ActionMenu
        label={messages.revokeOf(one.name)}
        isPending={revoke.isPending}
        actions={[
          {
            label: messages.revoke,
            icon: Ban,
            isDanger: true,
            onAction: () => revoke.mutate({ params: { keyId: one.id } }),
            confirm: { title: messages.revokeTitle(one.name), text: messages.revokeText, keep: messages.keep },
          },
        ]}
      />
    )
  )
}
