/**
 * Single changes of rules, each of which makes the product less safe or less true, and the test that must notice it.
 * `from` stands exactly once in its file: an edit that no longer applies fails by name, and is written anew.
 */
export type Sabotage = {
  what: string
  file: string
  from: string
  to: string
  noticed: readonly [file: string, test?: string]
}

const workflow = 'domain/src/workflow.ts'
const decision = 'domain/src/decide.ts'
const ofWorkflow = ['domain/src/workflow.test.ts'] as const
const plans = 'domain/src/plans.ts'
const ofPlans = ['domain/src/plans.test.ts'] as const
const identityStore = 'server/src/identity/store.ts'
const identity = (test: string) => ['server/src/identity/identity.test.ts', test] as const
const secondFactor = (test: string) => ['server/src/identity/second-factor.test.ts', test] as const
const codes = (test: string) => ['server/src/accounts/codes.test.ts', test] as const
const freeVideo = (test: string) => ['server/src/projects/free-video.test.ts', test] as const
const uploads = (test: string) => ['server/src/assets/uploads.test.ts', test] as const
const onceUsed = 'of 100 simultaneous redemptions of one custom token'

export const sabotages: readonly Sabotage[] = [
  // Who may, from where.
  {
    what: 'an editor approves',
    file: workflow,
    from: `from: [Status.waitingApproval],
    who: { QA: 'any', ADMIN: 'any' },
    label: 'Approve',`,
    to: `from: [Status.waitingApproval],
    who: { Editor: 'any', QA: 'any', ADMIN: 'any' },
    label: 'Approve',`,
    noticed: ofWorkflow,
  },
  {
    what: 'an officer denies',
    file: workflow,
    from: `who: { QA: 'any', ADMIN: 'any' },
    label: 'Deny',`,
    to: `who: { User: 'own', QA: 'any', ADMIN: 'any' },
    label: 'Deny',`,
    noticed: ofWorkflow,
  },
  {
    what: 'an editor sends a cut of anybody’s project',
    file: workflow,
    from: `who: { Editor: 'edits', ADMIN: 'any' }`,
    to: `who: { Editor: 'any', ADMIN: 'any' }`,
    noticed: ofWorkflow,
  },
  {
    what: 'an editor starts what another has',
    file: workflow,
    from: `who: { Editor: 'unclaimed', ADMIN: 'any' }`,
    to: `who: { Editor: 'any', ADMIN: 'any' }`,
    noticed: ofWorkflow,
  },
  {
    what: 'an officer revises anybody’s project',
    file: workflow,
    from: `from: [Status.completed, Status.scheduled],
    who: { User: 'own', ADMIN: 'any' },`,
    to: `from: [Status.completed, Status.scheduled],
    who: { User: 'any', ADMIN: 'any' },`,
    noticed: ofWorkflow,
  },
  {
    what: 'denial from the queue',
    file: workflow,
    from: `from: [Status.waitingApproval],
    who: { QA: 'any', ADMIN: 'any' },
    label: 'Deny',`,
    to: `from: [Status.submitted, Status.waitingApproval],
    who: { QA: 'any', ADMIN: 'any' },
    label: 'Deny',`,
    noticed: ofWorkflow,
  },
  {
    what: 'an officer cancels what is being edited',
    file: workflow,
    from: 'fromFor: { User: [Status.submitted, Status.scheduled] }',
    to: 'fromFor: { User: [Status.submitted, Status.inProgress, Status.scheduled] }',
    noticed: ofWorkflow,
  },
  {
    what: 'everybody releases',
    file: workflow,
    from: `who: { SYSTEM: 'any' },
    label: 'Release',`,
    to: `who: { User: 'own', SYSTEM: 'any' },
    label: 'Release',`,
    noticed: ofWorkflow,
  },
  {
    what: 'a company’s editor assigns',
    file: workflow,
    from: `who: { ADMIN: 'any', SYSTEM: 'any' }`,
    to: `who: { Editor: 'any', ADMIN: 'any', SYSTEM: 'any' }`,
    noticed: ofWorkflow,
  },
  {
    what: 'a project out of reach is acted upon',
    file: decision,
    from: `reach === 'own' ? project.userId === actor.id : reachesTenant(actor, project.tenantId)`,
    to: `reach === 'own' ? project.userId === actor.id : true`,
    noticed: ofWorkflow,
  },
  {
    what: 'anybody’s own project is everybody’s',
    file: decision,
    from: `reach === 'own' ? project.userId === actor.id :`,
    to: `reach === 'own' ? true :`,
    noticed: ofWorkflow,
  },
  {
    what: 'whoever uploaded a cut approves it',
    file: decision,
    from: 'cut.uploadedBy === who, fact',
    to: 'cut.uploadedBy === who && false, fact',
    noticed: ofWorkflow,
  },
  {
    what: 'whoever rendered a cut approves it',
    file: decision,
    from: 'cut.renderedBy === who, fact',
    to: 'cut.renderedBy === who && false, fact',
    noticed: ofWorkflow,
  },
  {
    what: 'whoever changed the edit approves the cut',
    file: decision,
    from: 'cut.recipeBy?.includes(who) ?? false',
    to: 'false',
    noticed: ofWorkflow,
  },
  {
    what: 'whoever sent a cut approves it',
    file: decision,
    from: 'cut.sentBy === who, fact',
    to: 'cut.sentBy === who && false, fact',
    noticed: ofWorkflow,
  },
  {
    what: 'a cut is approved of which nobody knows whose it is',
    file: decision,
    from: '!project.cut || project.cut.uploadedBy === null',
    to: 'false',
    noticed: ofWorkflow,
  },
  {
    what: 'what was not approved goes out',
    file: decision,
    from: 'approvedVideoId !== null && approvedVideoId === finalVideoId',
    to: 'approvedVideoId !== null || finalVideoId !== null',
    noticed: ofWorkflow,
  },
  {
    what: 'another cut than the one that was watched is judged',
    file: decision,
    from: 'reviewedCut === undefined || reviewedCut === cut?.number',
    to: 'reviewedCut === undefined || reviewedCut !== undefined',
    noticed: ofWorkflow,
  },
  {
    what: 'revisions without end',
    file: decision,
    from: 'project.revisionsLeft <= 0',
    to: 'project.revisionsLeft <= -1000',
    noticed: ofWorkflow,
  },
  {
    what: 'QA takes back what others judged',
    file: decision,
    from: `actor.role === 'QA' && !ownJudgement`,
    to: `actor.role === 'QA' && false && !ownJudgement`,
    noticed: ofWorkflow,
  },
  {
    what: 'a month of the past',
    file: decision,
    from: 'if (submitMonth < current)',
    to: 'if (submitMonth < current && false)',
    noticed: ofWorkflow,
  },
  {
    what: 'a time of the past',
    file: decision,
    from: `Date.parse(publishAt) <= now.getTime()
      ? timePast`,
    to: `Date.parse(publishAt) <= 0
      ? timePast`,
    noticed: ofWorkflow,
  },
  {
    what: 'quota comes back although editing began',
    file: decision,
    from: '...(project.editingBegun ? {} :',
    to: '...(false ? {} :',
    noticed: ofWorkflow,
  },
  // Roles.
  {
    what: 'a company’s staff serve every company',
    file: 'domain/src/roles.ts',
    from: 'isStaff(role) && tenantId === null',
    to: 'isStaff(role)',
    noticed: ofWorkflow,
  },
  {
    what: 'officers of no company serve every company',
    file: 'domain/src/roles.ts',
    from: `serve: ['Editor', 'QA', 'ADMIN']`,
    to: `serve: ['User', 'Editor', 'QA', 'ADMIN']`,
    noticed: ['domain/src/roles.test.ts'],
  },
  ...(
    [
      ['goal.set', `'goal.set': ['ADMIN']`, `'goal.set': ['QA', 'ADMIN']`],
      ['user.search', `'user.search': ['QA', 'ADMIN']`, `'user.search': ['Editor', 'QA', 'ADMIN']`],
      ['user.reset', `'user.reset': ['ADMIN']`, `'user.reset': ['QA', 'ADMIN']`],
      ['tenant.update', `'tenant.update': ['ADMIN']`, `'tenant.update': ['QA', 'ADMIN']`],
      ['edit.write', `'edit.write': ['Editor', 'ADMIN']`, `'edit.write': ['Editor', 'QA', 'ADMIN']`],
      ['note.read', `'note.read': ['Editor', 'QA', 'ADMIN']`, `'note.read': ['User', 'Editor', 'QA', 'ADMIN']`],
      ['trigger.write', `'trigger.write': ['ADMIN']`, `'trigger.write': ['Editor', 'ADMIN']`],
      ['subscription.read', `'subscription.read': ['ADMIN']`, `'subscription.read': ['QA', 'ADMIN']`],
    ] as const
  ).map(([what, from, to]): Sabotage => ({
    what: `another role for ${what}`,
    file: 'domain/src/access.ts',
    from,
    to,
    noticed: ['server/src/http/openapi.test.ts'],
  })),
  // Plans.
  {
    what: 'one project more than the plan has',
    file: plans,
    from: 'used - extras < rights.plan.projectsPerMonth',
    to: 'used - extras <= rights.plan.projectsPerMonth',
    noticed: ofPlans,
  },
  {
    what: 'a free video again and again',
    file: plans,
    from: 'rights.plan === null && !rights.freeProjectUsed',
    to: 'rights.plan === null',
    noticed: ofPlans,
  },
  {
    what: 'a video that was bought counts without end',
    file: plans,
    from: 'if (rights.spareExtras > 0)',
    to: 'if (rights.spareExtras >= 0)',
    noticed: ofPlans,
  },
  {
    what: 'grace for a year',
    file: plans,
    from: 'export const graceDays = 14',
    to: 'export const graceDays = 365',
    noticed: ofPlans,
  },
  {
    what: 'what is canceled counts on',
    file: plans,
    from: `if (status !== 'past_due') return false`,
    to: `if (status === 'unpaid') return false`,
    noticed: ofPlans,
  },
  {
    what: 'a pause that pauses nothing',
    file: plans,
    from: 'if (pausedFrom !== null && now >= pausedFrom) return false',
    to: 'if (pausedFrom !== null && now < pausedFrom) return false',
    noticed: ofPlans,
  },
  // Sign-in.
  {
    what: 'an officer’s password of one character',
    file: 'domain/src/password-length.ts',
    from: 'user: 6',
    to: 'user: 1',
    noticed: ['domain/src/passwords.test.ts'],
  },
  {
    what: 'staff with a short password',
    file: 'domain/src/password-length.ts',
    from: 'staff: 12',
    to: 'staff: 6',
    noticed: ['domain/src/passwords.test.ts'],
  },
  {
    what: 'a token is redeemed again and again',
    file: identityStore,
    from: 'where hash = ${hash} and purpose = any(${purposes}) and redeemed_at is null and ends_at > now()',
    to: 'where hash = ${hash} and purpose = any(${purposes}) and ends_at > now()',
    noticed: identity(onceUsed),
  },
  {
    what: 'redeeming marks nothing as used',
    file: identityStore,
    from: `    update one_time_token set redeemed_at = now()
    where hash = \${hash} and purpose = any(`,
    to: `    update one_time_token set redeemed_at = null
    where hash = \${hash} and purpose = any(`,
    noticed: identity(onceUsed),
  },
  {
    what: 'a token never ends',
    file: identityStore,
    from: 'purpose = any(${purposes}) and redeemed_at is null and ends_at > now()',
    to: 'purpose = any(${purposes}) and redeemed_at is null',
    noticed: identity('a custom token ends after five minutes'),
  },
  {
    what: 'a token of one kind is good as another',
    file: identityStore,
    from: 'where hash = ${hash} and purpose = any(${purposes}) and',
    to: 'where hash = ${hash} and',
    noticed: identity('a token of one kind is refused as any other kind'),
  },
  {
    what: 'the predecessor answers for ever',
    file: 'server/src/identity/families.ts',
    from: 'export const graceSeconds = 10',
    to: 'export const graceSeconds = 1000000',
    noticed: identity('the previous refresh token is answered'),
  },
  {
    what: 'an old refresh token ends nothing',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  await renewSecurityStamp(tx, personId)
  return null`,
    to: '  return null',
    noticed: identity('a refresh token rotates'),
  },
  {
    what: 'a stolen session leaves the ID tokens',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  await renewSecurityStamp(tx, personId)
  return null`,
    to: `  await revokeFamily(tx, family.id)
  await revokeCarried(tx, personId)
  await dropOneTimeTokens(tx, personId)
  return null`,
    noticed: identity('a refresh token rotates'),
  },
  {
    what: 'what was carried from a session outlives it',
    file: identityStore,
    from: 'select f.id from session_family f join branch on f.carried_from = branch.id)',
    to: 'select f.id from session_family f join branch on false)',
    noticed: identity('signing out of a device ends the sessions handed over'),
  },
  {
    what: 'a token on its way outlives the session that gave it out',
    file: identityStore,
    from: 'where t.carried_from = branch.id and t.redeemed_at is null',
    to: 'where false',
    noticed: identity('signing out of a device ends the sessions handed over'),
  },
  {
    what: 'any token reads the code that invites',
    file: 'contract/src/tenants.ts',
    from: `access: 'tenant.invite',
    needsFreshSignIn: true,`,
    to: `access: 'tenant.invite',`,
    noticed: ['server/src/tenants/tenants.test.ts', 'the invitation code is answered'],
  },
  {
    what: 'signing out everywhere leaves the ID tokens',
    file: 'server/src/identity/families.ts',
    from: `  await revokeFamilies(tx, personId)
  await renewSecurityStamp(tx, personId)`,
    to: '  await revokeFamilies(tx, personId)',
    noticed: identity('signing out ends this session'),
  },
  {
    what: 'a session that is used never ends',
    file: 'server/src/identity/families.ts',
    from: 'export const mostDays = 180',
    to: 'export const mostDays = 36500',
    noticed: identity('a session ends when it is not used'),
  },
  {
    what: 'a revoked session goes on',
    file: identityStore,
    from: 'select id, person_id, must_end_at, revoked_at is null and ends_at > now() as is_live',
    to: 'select id, person_id, must_end_at, ends_at > now() as is_live',
    noticed: identity('signing out ends this session'),
  },
  {
    what: 'a hundred wrong passwords',
    file: 'server/src/identity/password.ts',
    from: 'if (tries > tryLimit.tries)',
    to: 'if (tries > tryLimit.tries * 10)',
    noticed: identity('wrong tries, counted exactly'),
  },
  {
    what: 'an ID token of another audience or issuer',
    file: 'server/src/identity/id-token.ts',
    from: `{ algorithms: [algorithm], typ: 'JWT', issuer, audience }`,
    to: `{ algorithms: [algorithm] }`,
    noticed: identity('a forged or altered token is refused'),
  },
  {
    what: 'an ID token that lives for years',
    file: 'server/src/identity/id-token.ts',
    from: '!claims.success || claims.data.exp - claims.data.iat > idTokenSeconds',
    to: '!claims.success',
    noticed: identity('a forged or altered token is refused'),
  },
  {
    what: 'who signs in needs not be fresh to change how',
    file: 'server/src/identity/fresh.ts',
    from: "if (!isFresh) throw refusal('session.not-fresh')",
    to: '',
    noticed: secondFactor('a security change needs a fresh sign-in'),
  },
  {
    what: 'who is disabled is decided without a fresh sign-in',
    file: 'contract/src/accounts.ts',
    from: "needsFreshSignIn: ['role', 'tenantId', 'isDisabled']",
    to: "needsFreshSignIn: ['role', 'tenantId']",
    noticed: ['server/test/access.test.ts', 'requires a fresh sign-in'],
  },
  {
    what: 'a session of another device is fresh',
    file: identityStore,
    from: 'and not f.is_carried and f.created_at',
    to: 'and f.created_at',
    noticed: secondFactor('a security change needs a fresh sign-in'),
  },
  {
    what: 'fresh for a year',
    file: 'domain/src/second-factor.ts',
    from: 'export const freshMinutes = 10',
    to: 'export const freshMinutes = 525600',
    noticed: secondFactor('a security change needs a fresh sign-in'),
  },
  {
    what: 'a thousand wrong second factors',
    file: 'domain/src/second-factor.ts',
    from: 'tries: 5, minutes: 15',
    to: 'tries: 1000, minutes: 15',
    noticed: secondFactor('after five wrong codes'),
  },
  {
    what: 'staff without a second factor, against the policy',
    file: 'domain/src/second-factor.ts',
    from: `(policy === 'staff' && isStaff(role))`,
    to: `(policy === 'staff' && !isStaff(role))`,
    noticed: secondFactor('staff must set up a second factor'),
  },
  {
    what: 'a company’s demand is not heard',
    file: 'domain/src/second-factor.ts',
    from: 'tenantDemands || policy',
    to: 'policy',
    noticed: secondFactor('a company can require a second factor'),
  },
  {
    what: 'a recovery code is good again',
    file: 'server/src/identity/factor-store.ts',
    from: 'and hash = ${hash} and used_at is null',
    to: 'and hash = ${hash}',
    noticed: secondFactor('a recovery code is good once'),
  },
  {
    what: 'a code by mail is good again',
    file: identityStore,
    from: 'where id = ${id} and redeemed_at is null and ends_at > now()',
    to: 'where id = ${id} and ends_at > now()',
    noticed: codes('of 100 simultaneous redemptions of one code'),
  },
  {
    what: 'wrong codes cost no try',
    file: identityStore,
    from: 'coalesce((guesses ->> ${guesser})::int, 0) + 1',
    to: '0',
    noticed: codes('a code allows five wrong guesses'),
  },
  {
    what: 'a stranger’s wrong guesses count for everybody',
    file: 'server/src/identity/codes.ts',
    from: '(row.guesses[guesser] ?? 0) >= codeTries.network',
    to: 'Object.values(row.guesses).reduce((a, b) => a + b, 0) >= codeTries.network',
    noticed: codes('wrong guesses from a stranger’s network'),
  },
  {
    what: 'guesses from many networks without end',
    file: 'server/src/identity/codes.ts',
    from: ' || (!isAsker && row.tries_left === 0)',
    to: '',
    noticed: codes('guesses from many networks'),
  },
  {
    what: 'a calendar link outlives a new password',
    file: 'server/src/identity/actions.ts',
    from: '(await dropCalendarLink(tx, personId)) === 1',
    to: 'false',
    noticed: ['server/src/accounts/verified-addresses.test.ts', 'keeps ways in added after verification'],
  },
  {
    what: 'a page of another site posts to the stand-ins',
    file: 'server/src/kernel/network.ts',
    from: 'changes && isStandIn(request) && !isOurPage(request, publicUrl)',
    to: 'changes && isStandIn(request) && publicUrl === request.url',
    noticed: ['server/src/kernel/network.test.ts', 'refuses posts to the stand-ins from pages of other sites'],
  },
  {
    what: 'a service on every interface is a local one',
    file: 'server/src/kernel/config.ts',
    from: ' || !isLoopback(config.host)',
    to: '',
    noticed: ['server/src/kernel/config.test.ts', 'stand-ins are offered only'],
  },
  {
    what: 'somebody else’s file is kept as one’s photo',
    file: 'server/src/assets/pictures.ts',
    from: 'and (author_id in (${by}, ${owner})',
    to: 'and (${by}::uuid is not null',
    noticed: ['server/src/accounts/profile.test.ts', 'a profile stores photo and logo'],
  },
  {
    what: 'a code for a password is good for an address',
    file: 'server/src/identity/codes.ts',
    from: `(purpose === 'any' || purpose === row.purpose)`,
    to: `(purpose !== undefined)`,
    noticed: codes('for one purpose is refused for every other'),
  },
  {
    what: 'a code for hours',
    file: 'server/src/identity/codes.ts',
    from: 'export const codeMinutes = 10',
    to: 'export const codeMinutes = 600',
    noticed: codes('a code ends after ten minutes'),
  },
  {
    what: 'codes by mail without end',
    file: 'server/src/identity/codes.ts',
    from: 'isBeyond(codesTo(email), sendLimit.codes)',
    to: 'isBeyond(codesTo(email), sendLimit.codes * 100)',
    noticed: codes('an address gets at most five codes an hour'),
  },
  {
    what: 'a free video for each tag of a mailbox',
    file: 'domain/src/mailbox.ts',
    from: String.raw`local.replace(/(?<=.)\+.*$/, '')`,
    to: 'local',
    noticed: freeVideo('another spelling of the mailbox'),
  },
  {
    what: 'a free video for each account of a mailbox that submits at once',
    file: 'server/src/subscriptions/free-video.ts',
    from: `if (!isAgain) throw refusal('project.no-plan')`,
    to: '',
    noticed: freeVideo('of accounts of one mailbox that submit at once'),
  },
  {
    what: 'a free video that was given back stays with its mailbox',
    file: 'server/src/subscriptions/free-video.ts',
    from: 'delete from free_video where project_id = ${projectId}`',
    to: 'delete from free_video where false and project_id = ${projectId}`',
    noticed: freeVideo('a canceled free video goes back'),
  },
  {
    what: 'a video keeps what another plan promised when it enters the queue',
    file: 'server/src/projects/effects.ts',
    from: 'changes.revisions_left = entered.terms.revisionsPerProject',
    to: '',
    noticed: ['server/src/projects/release.test.ts', 'are those of the plan that runs when it is released'],
  },
  {
    what: 'a company’s ADMIN goes over the limit by undoing',
    file: 'server/src/projects/effects.ts',
    from: 'const mayExceed = servesAll(caller)',
    to: 'const mayExceed = true',
    noticed: ['server/src/projects/projects.test.ts', 'count again when a company’s ADMIN rolls a cancellation back'],
  },
  {
    what: 'an ADMIN submits for an address that nobody confirmed',
    file: 'server/src/projects/create.ts',
    from: 'if (!officer.is_confirmed)',
    to: 'if (false)',
    noticed: freeVideo('nobody submits for an officer whose address nobody confirmed'),
  },
  {
    what: 'an edit is made of a canceled video',
    file: 'domain/src/edits.ts',
    from: '[Status.canceled, Status.scheduled]',
    to: '[Status.scheduled]',
    noticed: ['domain/src/edits.test.ts', 'an edit is its editor’s while In Progress'],
  },
  {
    what: 'a running render goes on when its video is canceled',
    file: 'server/src/edits/store.ts',
    from: "where project_id = ${projectId} and state in ('queued', 'running')`)",
    to: "where project_id = ${projectId} and state in ('queued')`)",
    noticed: freeVideo('nothing is made of a canceled video'),
  },
  {
    what: 'payments of every other month hold two months each',
    file: plans,
    from: 'used >= held + projectsPerMonth * seats',
    to: 'used >= 2 * held + projectsPerMonth * seats',
    noticed: ['server/src/projects/release.test.ts', 'hold their own videos and one month’s more'],
  },
  {
    what: 'a pause’s periods count as paid',
    file: 'server/src/subscriptions/store.ts',
    from: 'and (s.paused_from is null or s.paused_from > s.current_period_start)',
    to: '',
    noticed: ['server/src/projects/release.test.ts', 'hold their own videos and one month’s more'],
  },
  {
    what: 'quota comes back for a video that was made',
    file: 'server/src/projects/effects.ts',
    from: 'project.cuts > 0 ?',
    to: 'project.cuts > 1000 ?',
    noticed: ['server/src/projects/projects.test.ts', 'stay used for a video whose cut was sent'],
  },
  {
    what: 'a company’s ADMIN orders the queue of all companies',
    file: decision,
    from: 'reorder: (_project, actor) =>\n    servesAll(actor)',
    to: 'reorder: (_project, actor) =>\n    servesAll(actor) || true',
    noticed: ofWorkflow,
  },
  {
    what: 'a plan is paused by what is kept here',
    file: 'server/src/subscriptions/paying.ts',
    from: "await syncFromProvider(context.database, { kind: 'subscription', id: kept.id })",
    to: '',
    noticed: ['server/src/subscriptions/paying.test.ts', 'start from what the provider knows'],
  },
  {
    what: 'a plan is resumed without a charge after its period',
    file: 'server/src/subscriptions/paying.ts',
    from: 'soon >= row.paused_from',
    to: 'false',
    noticed: ['server/src/subscriptions/paying.test.ts', 'start from what the provider knows'],
  },
  {
    what: 'one seat pays for everybody who takes it in turn',
    file: plans,
    from: 'paidFor >= projectsPerMonth * seats',
    to: 'paidFor >= projectsPerMonth * seats && false',
    noticed: ofPlans,
  },
  {
    what: 'videos are submitted on a plan while a change of it is settled',
    file: 'server/src/subscriptions/actions.ts',
    from: 'changing_until !== null && changing_until > now',
    to: 'changing_until !== null && changing_until > now && false',
    noticed: ['server/src/subscriptions/paying.test.ts', 'refuse submissions on the plan until the change is settled'],
  },
  {
    what: 'a plan paid beside another gives its videos until it is refunded',
    file: plans,
    from: 'if (isSurplus) return false',
    to: '',
    noticed: ofPlans,
  },
  {
    what: 'a company takes back the work of the service’s people',
    file: decision,
    from: 'last.actorServesAll && servedWork.has(last.verb)',
    to: 'last.actorServesAll && false && servedWork.has(last.verb)',
    noticed: ofWorkflow,
  },
  {
    what: 'a render that kills its worker is begun again and again',
    file: 'server/src/kernel/attempt.ts',
    from: 'if (attempt.crashes >= mostCrashes) {',
    to: 'if (attempt.crashes >= 1000) {',
    noticed: ['server/src/edits/render.test.ts', 'a render that kills its worker twice is given up'],
  },
  {
    what: 'a render older than its edit is sent without a word',
    file: decision,
    from: 'project.file?.isOlder && !olderIsMeant',
    to: 'false && !olderIsMeant',
    noticed: ofWorkflow,
  },
  // Whatever gives out a session locks its person first.
  {
    what: 'a sign-in by password does not lock its person',
    file: 'server/src/identity/actions.ts',
    from: `    await holdPassword(tx, checked)
`,
    to: '',
    noticed: identity('wrong tries, counted exactly in parallel'),
  },
  {
    what: 'a token for another device is made without locking its person',
    file: 'server/src/identity/actions.ts',
    from: `    await holdSession(tx, caller)
    return issueHandOver`,
    to: '    return issueHandOver',
    noticed: identity('a session handed over by an ID token alone'),
  },
  {
    what: 'a change of the ways to sign in does not lock its person',
    file: 'server/src/identity/security-changes.ts',
    from: `      await holdSession(tx, caller)
`,
    to: '',
    noticed: secondFactor('an authenticator app is added with a code'),
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
    what: 'a calendar link is renewed without locking its person',
    file: 'server/src/calendar/actions.ts',
    from: `  await holdSession(tx, caller)
`,
    to: '',
    noticed: ['server/src/calendar/calendar.test.ts', 'an officer’s calendar shows publishing times'],
  },

  // Room for everybody.
  {
    what: 'an upload is taken that fits only without the rest of the others',
    file: 'server/src/assets/uploads.ts',
    from: `.requireRoom('upload', size + awaited!.bytes)`,
    to: `.requireRoom('upload', size)`,
    noticed: uploads('uploads are refused that would not fit'),
  },
  {
    what: 'two uploads are given the same room of the disk',
    file: 'server/src/assets/uploads.ts',
    from: `  await tx.rows(sql\`select pg_advisory_xact_lock(hashtextextended('disk-room', 0))\`)
`,
    to: '',
    noticed: uploads('uploads are refused that would not fit'),
  },
  {
    what: 'an upload goes on into the room that the database needs',
    file: 'server/src/outside/storage.ts',
    from: `            await requireRoom('upload', batch.length)
`,
    to: '',
    noticed: uploads('an upload stops before the kept room'),
  },
  {
    what: 'a person has several files checked at once',
    file: 'server/src/assets/jobs.ts',
    from: `  oneEach: true,
`,
    to: '',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'a person’s files are checked one at a time'],
  },
  {
    what: 'a file does not wait for its turn',
    file: 'server/src/assets/ingest-queue.ts',
    from: ': -turn }',
    to: ': 0 }',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'files that come later wait'],
  },
  {
    what: 'long files hold both lanes',
    file: 'server/src/assets/jobs.ts',
    from: `  quickFrom: longPriority + 1,
`,
    to: '',
    noticed: ['server/src/assets/ingest-queue.test.ts', 'long files hold one of the two lanes'],
  },
  {
    what: 'a long file stays in the lane for short ones',
    file: 'server/src/assets/ingest.ts',
    from: 'if (!run.mayBeLong && isLongWork(checked.probe))',
    to: 'if (isLongWork(checked.probe) && false)',
    noticed: ['server/src/assets/ingest.test.ts', 'a long film is checked'],
  },
  {
    what: 'a file of any length is worked on',
    file: 'server/src/assets/ingest.ts',
    from: 'const reason = found.ok ? await tooMuchWork(run, found) : found.reason',
    to: 'const reason = found.ok ? null : found.reason',
    noticed: ['server/src/assets/ingest.test.ts', 'a film that is more work'],
  },
  {
    what: 'a video of any length is rendered',
    file: 'server/src/edits/actions.ts',
    from: `  if (tooLong) throw refusal('edit.too-long', tooLong.text)
`,
    to: '',
    noticed: ['server/src/edits/render.test.ts', 'an edit that is too long'],
  },
  {
    what: 'a render may take for ever',
    file: 'server/src/edits/render.ts',
    from: 'AbortSignal.any([run.signal, progress.signal, clock])',
    to: 'AbortSignal.any([run.signal, progress.signal])',
    noticed: ['server/src/edits/render.test.ts', 'a render that takes far longer'],
  },
  {
    what: 'what is rendered ahead goes on beside a render that somebody waits for',
    file: 'server/src/kernel/fair-lock.ts',
    from: '    idleRun?.stop.abort(new Preempted())\n',
    to: '',
    noticed: ['server/src/kernel/fair-lock.test.ts', 'work for idle times'],
  },
  {
    what: 'a run that renders ahead goes on after the project left its editor',
    file: 'server/src/edits/ahead.ts',
    from: `    if (!(await isWanted(run))) return 'stopped'\n`,
    to: '',
    noticed: ['server/src/edits/ahead.test.ts', 'a project that leaves its editor ends a run'],
  },
  {
    what: 'an edit that stopped its worker twice is rendered ahead again',
    file: 'domain/src/render-ahead.ts',
    from: 'crashes < mostCrashes && crashesInAll < 2 * mostCrashes',
    to: 'crashes + crashesInAll >= 0',
    noticed: ['server/src/edits/ahead.test.ts', 'a revision over which its worker died twice'],
  },
  {
    what: 'edits of a company that was closed are rendered ahead',
    file: 'server/src/edits/ahead.ts',
    from: 'and not o.is_disabled and coalesce(t.is_active, true)',
    to: 'and not o.is_disabled',
    noticed: ['server/src/edits/ahead.test.ts', 'nothing is made while nobody may edit'],
  },
  {
    what: 'a log shows the secret of an address that is spelt otherwise',
    file: 'server/src/http/logged-address.ts',
    from: `  if (route && holdsSecret(route)) return route.replace(secretParam, '…')
`,
    to: '',
    noticed: ['server/test/addresses.test.ts', 'no spelling of an address'],
  },
  {
    what: 'an answer may be kept where its address is spelt otherwise',
    file: 'server/src/main/app.ts',
    from: `[routeOptions.url ?? '', url].some(`,
    to: `[url].some(`,
    noticed: ['server/test/addresses.test.ts', 'no spelling of a call’s address'],
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
    what: 'whoever left for another company still reads the cuts they made',
    file: 'server/src/assets/store.ts',
    from: `(/* wall */ (author_id = (select actor_id()) and purpose = 'source')`,
    to: '(/* wall */ author_id = (select actor_id())',
    noticed: ['server/test/walls.test.ts', 'every object of the company'],
  },
  {
    what: 'whoever joins a company that demands a second factor goes on without one',
    file: 'server/src/accounts/account-state.ts',
    from: '!(await endWeakSessions(tx, before.id))',
    to: 'true',
    noticed: secondFactor('a person without a factor who joins'),
  },
]
