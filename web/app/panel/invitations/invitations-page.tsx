import { useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { MailPlus, Send, Undo2, UserPlus } from 'lucide-react'
import { toast } from 'sonner'
import { invitations, type SentInvitation } from '@clear-to-post/contract/invitations'
import { queryClient, useCall, usePages } from '../../api.ts'
import { paths } from '../../paths.ts'
import { dayWords } from '../../times.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { DataTable, Nothing, type Column } from '../../ui/data-table.tsx'
import { FilterBar, FilterSelect } from '../../ui/filter-bar.tsx'
import { PeopleLoading } from '../../ui/listed.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { ListPage } from '../list-page.tsx'
import { useFilters } from '../use-filters.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { messages as people } from '../accounts/messages.ts'
import { messages } from './messages.ts'

const route = getRouteApi('/panel/people/invitations')

/** Who was invited by e-mail: send again, take back, invite more. */
export const InvitationsPage = () => {
  const { search, change, isFiltered, clear } = useFilters(route.useSearch())
  const list = usePages(invitations.list, {
    perPage: 50,
    wheres: [
      ...(search.show === 'all' ? [] : ['isOpen:eq:true']),
      ...(search.q === undefined ? [] : [`email:contains:${search.q}`]),
    ],
  })
  return (
    <ListPage
      words={messages}
      icon={MailPlus}
      beside={
        <LinkButton variant="quiet" size="small" to={paths.people}>
          {messages.toPeople}
        </LinkButton>
      }
      create={<InviteButton />}
      filter={{
        words: messages,
        isOn: isFiltered,
        fields: (
          <FilterBar
            search={messages.search}
            words={search.q}
            onWords={(q) => change({ q })}
            clear={messages.clear}
            onClear={isFiltered ? clear : undefined}
          >
            <FilterSelect
              label={messages.show}
              all={messages.showOpen}
              value={search.show}
              options={[{ value: 'all', label: messages.showAll }]}
              onChange={(show) => change({ show })}
            />
          </FilterBar>
        ),
        onClear: clear,
      }}
      list={list}
      loading={<PeopleLoading count={4} />}
    >
      {(items) => (
        <DataTable
          label={messages.list}
          rows={items}
          columns={columns}
          isStale={list.isPlaceholderData}
          card={(one) => (
            <>
              <div className="grid min-w-0 flex-1 gap-1">
                <p className="font-medium [overflow-wrap:anywhere]">{one.email}</p>
                <p className="text-[0.8125rem] text-muted">
                  {[people.roles[one.role], one.tenantName].filter(Boolean).join(' · ')}
                </p>
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
                  <State of={one} />
                  <Sent of={one} />
                </p>
              </div>
              <InvitationMenu of={one} />
            </>
          )}
        />
      )}
    </ListPage>
  )
}

/** Opens the form; also on the page of people. */
export const InviteButton = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setOpen(true)}>
        {messages.invite}
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const State = ({ of: { state } }: { of: SentInvitation }) => (
  <Badge tone={state === 'open' ? 'good' : state === 'accepted' ? 'plain' : 'warn'}>{messages.states[state]}</Badge>
)

const Sent = ({ of: { sentAt, sentTimes, endsAt, state } }: { of: SentInvitation }) => (
  <span>
    {[
      dayWords(sentAt),
      sentTimes > 1 && messages.sentTimes(sentTimes),
      state === 'open' && messages.until(dayWords(endsAt)),
    ]
      .filter(Boolean)
      .join(', ')}
  </span>
)

const InvitationMenu = ({ of: one }: { of: SentInvitation }) => {
  const seen = () => void queryClient.invalidateQueries({ queryKey: ['invitations'] })
  const again = useCall(invitations.sendAgain, {
    onSuccess: () => (seen(), toast.success(messages.sentAgain(one.email))),
    onError: (error) => (seen(), toastFailure(error)),
  })
  const withdraw = useCall(invitations.withdraw, {
    onSuccess: () => (seen(), toast.success(messages.withdrawn(one.email))),
    onError: (error) => (seen(), toastFailure(error)),
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

const columns: Column<SentInvitation>[] = [
  {
    key: 'email',
    title: messages.email,
    headClassName: 'w-[30%]',
    cellClassName: 'font-medium! [overflow-wrap:anywhere]',
    cell: ({ email }) => email,
  },
  { key: 'role', title: messages.role, cellClassName: 'whitespace-nowrap', cell: ({ role }) => people.roles[role] },
  { key: 'company', title: messages.company, cell: ({ tenantName }) => tenantName ?? <Nothing /> },
  {
    key: 'by',
    title: messages.invitedBy,
    headClassName: 'max-lg:hidden',
    cellClassName: 'max-lg:hidden',
    cell: ({ invitedBy }) => invitedBy,
  },
  { key: 'sent', title: messages.sentAt, cellClassName: 'text-muted', cell: (one) => <Sent of={one} /> },
  { key: 'state', title: messages.state, cell: (one) => <State of={one} /> },
  { key: 'menu', title: messages.actions, cellClassName: 'text-right', cell: (one) => <InvitationMenu of={one} /> },
]
