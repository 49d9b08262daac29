import type { Sabotage } from '../sabotage.ts'

const noticed = (test: string) => ['server/src/invitations/invitations.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'whoever was once an ADMIN goes on inviting by the links they sent',
    file: 'server/src/invitations/store.ts',
    from: "${hasDutySql(sql`i.role`, 'administer')} and not i.is_disabled",
    to: 'not i.is_disabled',
    noticed: noticed('a link ends with its time'),
  },
  {
    what: 'an invitation is taken by whoever has its link, with another address',
    file: 'server/src/invitations/accept.ts',
    from: "      if (person.email !== found.email) throw refusal('invitation.other-person')\n",
    to: '',
    noticed: noticed('signed in with that address alone'),
  },
  {
    what: 'an ADMIN of a company invites to every company',
    file: 'server/src/invitations/send.ts',
    from: "  if (!mayInviteTo(caller, tenantId)) throw refusal('tenant.none')\n",
    to: '',
    noticed: noticed('invites to that company alone'),
  },
  {
    what: 'the ADMIN of one company keeps every other from inviting an address',
    file: 'server/src/invitations/send.ts',
    from: ' || mails.ours >= invitationRules.perMailboxOfOne',
    to: '',
    noticed: noticed('three times a day by one company'),
  },
  {
    what: 'two who invite one mailbox at the same moment do not count each other',
    file: 'server/src/invitations/store.ts',
    from: "select pg_advisory_xact_lock(hashtextextended('mails that invite ' || m, 0))",
    to: 'select m',
    noticed: noticed('are counted in turn'),
  },
  {
    what: 'mails of former days count as mails of today',
    file: 'server/src/invitations/store.ts',
    from: ' and mailed.at > ${since}`',
    to: ' and v.sent_at > ${since}`',
    noticed: noticed('mails of former days'),
  },
  {
    what: 'an ADMIN invites another one unheard',
    file: 'server/src/invitations/send.ts',
    from: '  if (sent > 0) await tellOfInvited(tx, caller, { role, tenantId })\n',
    to: '',
    noticed: ['server/src/accounts/admins-told.test.ts', 'is told when one is invited'],
  },
]
