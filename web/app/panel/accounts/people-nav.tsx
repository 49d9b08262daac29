import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMay } from '../../session.ts'
import { messages as keyMessages } from '../api-keys/messages.ts'
import { messages as invitationMessages } from '../invitations/messages.ts'
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
  if (pages.length < 2) return null
  return (
    <nav
      aria-label={messages.pages}
      className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1 py-0.5 max-md:basis-full"
    >
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          className="touch flex h-8 shrink-0 items-center rounded-lg px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
