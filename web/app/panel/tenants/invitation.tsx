import { Link as LinkIcon } from 'lucide-react'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { messages } from './messages.ts'

/** Where newcomers open their account: the sign-up page with the code filled in. */
const invitationLink = (code: string): string =>
  `${location.origin}${paths.login}?invitation=${encodeURIComponent(code)}`

/** Copies the link that invites into a tenant. */
export const CopyInvitation = ({ code, name, isSmall = false }: { code: string; name: string; isSmall?: boolean }) => {
  const copy = () =>
    void navigator.clipboard.writeText(invitationLink(code)).then(
      () => toast.success(messages.copied),
      () => toast.info(invitationLink(code), { duration: 12_000 }),
    )
  return isSmall ? (
    <IconButton label={messages.copyLinkOf(name)} onPress={copy} className="relative text-muted">
      <LinkIcon aria-hidden />
    </IconButton>
  ) : (
    <Button icon={<LinkIcon aria-hidden />} onPress={copy}>
      {messages.copyLink}
    </Button>
  )
}
