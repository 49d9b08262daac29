import type { Sabotage } from '../sabotage.ts'

const secondFactor = (test: string) => ['server/src/identity/second-factor.test.ts', test] as const
const sharedBound = ['server/test/shared-bounds.test.ts', 'leave everybody their part of'] as const
const adminsTold = (test: string) => ['server/src/accounts/admins-told.test.ts', test] as const

export const sabotages: readonly Sabotage[] = [
  {
    what: 'an officer who was staff for a while loses the plan of their own',
    file: 'server/src/accounts/account-state.ts',
    from: "films !== hasDuty(role, 'film'))",
    to: "(films && !hasDuty(role, 'film')))",
    noticed: ['server/src/subscriptions/paying.test.ts', 'go on with their plan, unless they had ended it themselves'],
  },
  {
    what: 'a role that another ADMIN took away meanwhile is given back unseen',
    file: 'server/src/accounts/profile.ts',
    from: "  if (!isAsItWas(person, toldOf(before))) throw refusal('account.changed')\n",
    to: '',
    noticed: ['server/src/accounts/profile.test.ts', 'a change of a person is refused'],
  },
  {
    what: 'a company itself is listed among its people',
    file: 'server/src/accounts/store.ts',
    from: 'p.removed_at is null and not p.is_company and (',
    to: 'p.removed_at is null and (',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'is made and ended by its own admins alone'],
  },
  {
    what: 'calls under way of who changes company are not waited for',
    file: 'server/src/accounts/store.ts',
    from: 'pg_advisory_xact_lock(hashtextextended(',
    to: 'pg_advisory_xact_lock_shared(hashtextextended(',
    noticed: ['server/src/accounts/profile.test.ts', 'a change of somebody’s company waits for their calls'],
  },
  {
    what: 'the files of who changes company stay with the old one',
    file: 'server/src/accounts/account-state.ts',
    from: '    await moveFiles(tx, before.id, after.tenantId)\n',
    to: '',
    noticed: ['server/test/moved-person.test.ts', 'own files and words go with them'],
  },
  {
    what: 'a payment page stays open when an ADMIN of its company leaves',
    file: 'server/src/accounts/account-state.ts',
    from: '    await payerChanged(tx, { tenantId: before.tenant_id }, now)',
    to: '    void 0',
    noticed: ['server/src/subscriptions/paying.test.ts', 'leave no payment page open'],
  },
  {
    what: 'who is shut out goes on being charged',
    file: 'server/src/accounts/account-state.ts',
    from: "isDisabled !== before.is_disabled || films !== hasDuty(role, 'film')",
    to: "films !== hasDuty(role, 'film')",
    noticed: ['server/src/subscriptions/paying.test.ts', 'that are shut out are charged no more'],
  },
  {
    what: 'the last ADMIN of a company leaves while its plan is charged',
    file: 'server/src/accounts/account-state.ts',
    from: '!servesAll(caller) && (await isCharged(tx, before.tenant_id))',
    to: 'false',
    noticed: ['server/src/accounts/profile.test.ts', 'a company whose plan goes on keeps an ADMIN'],
  },
  {
    what: 'a sign-in at one of the doors does not lock its person',
    file: 'server/src/accounts/actions.ts',
    from: `    await holdPassword(tx, person)
`,
    to: '',
    noticed: ['server/src/accounts/accounts.test.ts'],
  },
  {
    what: 'a network opens accounts without end',
    file: 'server/src/accounts/actions.ts',
    from: `    if (!(await countForNets(tx, 'accounts of', asked))) throw refusal('request.too-many', tooManyAccounts)
`,
    to: '',
    noticed: sharedBound,
  },
  {
    what: 'an address is changed by a session that has ended',
    file: 'server/src/accounts/codes.ts',
    from: `        await holdSession(tx, caller)
        return moveTo`,
    to: '        return moveTo',
    noticed: ['server/test/ended-sessions.test.ts', 'that began before the sessions ended'],
  },
  {
    what: 'whoever joins a company that demands a second factor goes on without one',
    file: 'server/src/accounts/account-state.ts',
    from: '!(await endWeakSessions(tx, before.id))',
    to: 'true',
    noticed: secondFactor('a person without a factor who joins'),
  },
  {
    what: 'whoever planted an account at an invited address stays signed in to it',
    file: 'server/src/accounts/invited.ts',
    from: "  const { hadCalendarLink } = await endSessions(tx, there.id, 'password')\n",
    to: '  const hadCalendarLink = false\n',
    noticed: ['server/src/invitations/invitations.test.ts', 'a stranger opened for the address is taken over'],
  },
  {
    what: 'whoever was put out of a company comes back by an older link',
    file: 'server/src/accounts/account-state.ts',
    from: '  if (isPutOut) await endOlderLinks(tx, before, after, now)\n',
    to: '',
    noticed: ['server/src/invitations/invitations.test.ts', 'no older link brings back'],
  },
  {
    what: 'whoever was put out comes back by another spelling of their own mailbox',
    file: 'server/src/accounts/store.ts',
    from: 'where mailbox = ${canonicalMailbox(email)} and accepted_at is null',
    to: 'where email = ${email} and accepted_at is null',
    noticed: ['server/src/invitations/invitations.test.ts', 'another spelling of their mailbox'],
  },
  {
    what: 'whoever guessed an address takes its owner’s invitations with them',
    file: 'server/src/accounts/account-state.ts',
    from: '  if (before.email_verified_at === null) return\n',
    to: '',
    noticed: ['server/src/invitations/invitations.test.ts', 'takes no invitation with it when it is shut out'],
  },
  {
    what: 'what a stranger agreed to counts for the owner of an address',
    file: 'server/src/accounts/unconfirmed.ts',
    from: '  await dropConsents(tx, person.id)\n',
    to: '',
    noticed: ['server/src/accounts/terms.test.ts', 'whatever a stranger agreed to'],
  },
  {
    what: 'somebody agrees to words that are not those of today',
    file: 'server/src/accounts/terms.ts',
    from: "  if (!areOfToday(shown)) throw refusal('account.terms-changed')\n",
    to: '',
    noticed: ['server/src/accounts/terms.test.ts', 'until they agree to its words of today'],
  },
  {
    what: 'a mail says that a second step was removed where there was none',
    file: 'server/src/accounts/actions.ts',
    from: 'if (!(await forgetSecondFactor(tx, id))) return',
    to: 'await forgetSecondFactor(tx, id)',
    noticed: ['server/src/identity/second-factor.test.ts', 'can reset a second factor'],
  },
  {
    what: 'who joins a company is not told that a plan of their own goes on',
    file: 'server/src/accounts/account-state.ts',
    from: 'await tellWhoPayBeside(tx, { userId: before.id }, now)',
    to: 'void tellWhoPayBeside',
    noticed: ['server/src/subscriptions/paying.test.ts', 'who join a company with one are told'],
  },
  {
    what: 'nobody hears of who becomes an ADMIN by promotion, or is shut out',
    file: 'server/src/accounts/account-state.ts',
    from: '  await tellOfAdmin(tx, before, before, changed, by)\n',
    to: '',
    noticed: adminsTold('is told who becomes one, by whom'),
  },
  {
    what: 'nobody hears of who becomes an ADMIN by an invitation’s new account',
    file: 'server/src/accounts/invited.ts',
    from: '    await tellOfAdmin(tx, person, null, person, by)\n',
    to: '',
    noticed: adminsTold('is told when one is invited'),
  },
  {
    what: 'whoever is made an ADMIN, or shut out as one, is not told',
    file: 'server/src/accounts/admins-told.ts',
    from: 'about ? [...admins.filter(({ id }) => id !== about.id), about] : admins',
    to: 'admins.filter(({ id }) => id !== about?.id)',
    noticed: adminsTold('is told when one of them is shut out'),
  },
  {
    what: 'a question stays with an ADMIN who is shut out',
    file: 'server/src/accounts/account-state.ts',
    from: "if (hasDuty(before.role, 'administer')) await leaveQuestionsOf(tx, before.id)",
    to: '',
    noticed: ['server/src/support/support.test.ts', 'is nobody’s again, and told to the others'],
  },
]
