import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { messages as keyMessages } from '../api-keys/messages.ts'
import { messages as invitationMessages } from '../invitations/messages.ts'
import { PageNav } from '../page-nav.tsx'
import { webhookWords } from '../webhooks/title.ts'
import { messages } from './messages.ts'

/** The pages about people, beside the name of each: the same row on all of them. */
export const PeopleNav = () => {
  const may = {
    invitations: useMay('user.invite'),
    keys: useMay('api-key.list'),
    webhooks: useMay('webhook.write'),
    consents: useMay('tenant.update'),
  }
  const pages = [
    { to: paths.people, label: messages.people },
    ...(may.invitations ? [{ to: paths.invitations, label: invitationMessages.title }] : []),
    ...(may.keys ? [{ to: paths.apiKeys, label: keyMessages.title }] : []),
    ...(may.webhooks ? [{ to: paths.webhooks, label: webhookWords.title }] : []),
    ...(may.consents ? [{ to: paths.consents, label: messages.consents }] : []),
  ]
  return <PageNav label={messages.pages} pages={pages} />
}
