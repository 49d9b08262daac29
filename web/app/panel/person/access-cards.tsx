import { useQuery } from '@tanstack/react-query'
import type { Person } from '@clear-to-post/contract/accounts'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { providers as providerNames } from '@clear-to-post/contract/identity'
import { invitations } from '@clear-to-post/contract/invitations'
import { security } from '@clear-to-post/contract/security'
import { query, usePages } from '../../api.ts'
import { dayWords, whenWords } from '../../times.ts'
import { Listed } from '../../ui/listed.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { KeyMenu, KeyState, Prefix, usedWords } from '../api-keys/key-parts.tsx'
import { messages as keyMessages } from '../api-keys/messages.ts'
import { InvitationMenu } from '../invitations/invitation-menu.tsx'
import { InvitationState, Sent } from '../invitations/invitation-row.tsx'
import { Card, Facts } from './card.tsx'
import { messages } from './messages.ts'

/** What somebody signs in with. */
export const WaysInCard = ({ person: { id } }: { person: Person }) => {
  const ways = useQuery(query(security.ofPerson, { params: { userId: id } }))
  return (
    <Card id="access" title={messages.access}>
      <Loaded answer={ways} failed={messages.accessFailed} isSmall loading={<Skeleton className="h-28" />}>
        {({ hasPassword, hasApp, passkeys, recoveryCodesLeft, providers, isRequired, lastSignIn }) => (
          <Facts
            of={[
              [messages.lastSignIn, lastSignIn === undefined ? messages.unknown : whenWords(lastSignIn)],
              [messages.password, hasPassword ? messages.hasOne : messages.none],
              [messages.providers, providers.map((one) => providerNames[one]).join(', ') || messages.none],
              [messages.secondStep, isRequired ? messages.demanded : messages.optional],
              [messages.app, hasApp ? messages.hasOne : messages.none],
              [messages.passkeys, String(passkeys)],
              [messages.recoveryCodes, hasApp || passkeys > 0 ? String(recoveryCodesLeft) : ''],
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

/** Their keys for programs, and the end of each. */
export const KeysCard = ({ person: { id } }: { person: Person }) => {
  const list = usePages(apiKeys.ofCompany, { perPage: 5, wheres: [`ownerId:eq:${id}`] })
  return (
    <Card id="keys" title={messages.keys}>
      <Listed
        list={list}
        failed={messages.keysFailed}
        isSmall
        loading={<Skeleton className="h-8" />}
        empty={<p className="text-muted">{messages.noKeys}</p>}
      >
        {(items) => (
          <ul className="grid gap-3">
            {items.map((one) => (
              <li key={one.id} className="flex items-start justify-between gap-3">
                <div className="grid min-w-0 gap-0.5">
                  <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                    <span className="[overflow-wrap:anywhere]">{one.name}</span>
                    <KeyState of={one} />
                  </p>
                  <Prefix of={one} />
                  <p className="text-[0.8125rem] text-muted">
                    {keyMessages.wasUntil(dayWords(one.endsAt))}, {usedWords(one)}
                  </p>
                </div>
                <KeyMenu of={one} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}

/** The invitations that went to their address. */
export const InvitationsCard = ({ person: { email } }: { person: Person }) => {
  const list = usePages(invitations.list, { perPage: 5, wheres: [`email:eq:${email}`] })
  return (
    <Card id="invitations" title={messages.invitation}>
      <Listed
        list={list}
        failed={messages.invitationFailed}
        isSmall
        loading={<Skeleton className="h-8" />}
        empty={<p className="text-muted">{messages.noInvitation}</p>}
      >
        {(items) => (
          <ul className="grid gap-3">
            {items.map((one) => (
              <li key={one.id} className="flex items-start justify-between gap-3">
                <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
                  <InvitationState of={one} />
                  <Sent of={one} />
                  <span className="[overflow-wrap:anywhere]">{one.invitedBy}</span>
                </p>
                <InvitationMenu of={one} />
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
