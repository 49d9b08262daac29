import { Link as LinkIcon } from 'lucide-react'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { useCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** Where newcomers open their account: the sign-up page with the code filled in. */
const invitationLink = (code: string): string =>
  `${location.origin}${paths.login}?invitation=${encodeURIComponent(code)}`

/** Copies the link that invites into a tenant. The code is asked for now, from whoever is shown to be at their device. */
export const CopyInvitation = ({
  tenant: { id, name },
  isSmall = false,
}: {
  tenant: Pick<Tenant, 'id' | 'name'>
  isSmall?: boolean
}) => {
  const ask = useCall(tenants.inviteCode, {
    onSuccess: ({ inviteCode }) => void copyText(invitationLink(inviteCode), messages.copied, { isRead: false }),
    onError: toastFailure,
  })
  const copy = () => ask.mutate({ params: { tenantId: id } })
  return isSmall ? (
    <IconButton label={messages.copyLinkOf(name)} onPress={copy} className="relative text-muted">
      <LinkIcon aria-hidden />
    </IconButton>
  ) : (
    <Button icon={<LinkIcon aria-hidden />} isPending={ask.isPending} onPress={copy}>
      {messages.copyLink}
    </Button>
  )
}
