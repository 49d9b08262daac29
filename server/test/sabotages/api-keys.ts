import type { Sabotage } from '../sabotage.ts'

const endsAtOnce = 'a key ends at once with its revocation, its owner’s sessions, role, access and company'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'a company’s keys go on when nobody of it can end them',
    file: 'server/src/api-keys/store.ts',
    from: 'and not a.is_disabled and a.removed_at is null',
    to: '',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'are refused while no ADMIN of it may sign in'],
  },
  {
    what: 'whoever may make a key makes one of the company',
    file: 'server/src/api-keys/actions.ts',
    from: "tenantId !== null && mayEver(role, 'api-key.list')",
    to: "tenantId !== null && mayEver(role, 'project.list')",
    noticed: ['server/src/api-keys/api-keys.test.ts', 'is made and ended by its own admins alone'],
  },
  {
    what: 'a company’s key goes on without the second factor that its company asks for',
    file: 'server/src/api-keys/read-key.ts',
    from: '{ role, tenantDemands }) && !hasFactor)',
    to: '{ role, tenantDemands }) && !hasFactor && !isCompanys)',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'waits for a second factor of its admins'],
  },
  {
    what: 'a company makes and revokes keys without end, and mails its ADMINs each time',
    file: 'server/src/api-keys/actions.ts',
    from: 'companyId !== null && (await keysOfADay(tx, ownerId)) >= mostKept.apiKeys',
    to: 'false',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a company makes twenty keys a day'],
  },
  {
    what: 'a key outlives the sessions of its owner',
    file: 'server/src/api-keys/store.ts',
    from: 'k.security_stamp = p.security_stamp and (not p.is_disabled or (p.is_company',
    to: '(not p.is_disabled or (p.is_company',
    noticed: ['server/src/api-keys/api-keys.test.ts', endsAtOnce],
  },
  {
    what: 'a key works on for a company that was closed',
    file: 'server/src/api-keys/store.ts',
    from: ' and coalesce(t.is_active, true)`)',
    to: '`)',
    noticed: ['server/src/api-keys/api-keys.test.ts', endsAtOnce],
  },
  {
    what: 'a key may be allowed more than its owner’s role may',
    file: 'server/src/api-keys/actions.ts',
    from: "  if (scopes.some((scope) => !offered.includes(scope))) throw refusal('api-key.not-yours')\n",
    to: '',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'nobody allows a key more than their role may'],
  },
  {
    what: 'two keys are made at once where one is left',
    file: 'server/src/api-keys/actions.ts',
    from: '  await holdSession(tx, caller)\n',
    to: '',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'two who make the last key at once make one'],
  },
  {
    what: 'a key works on where its company asks for a second factor that its owner lacks',
    file: 'server/src/api-keys/store.ts',
    from: 'coalesce(t.require_second_factor, false) as',
    to: 'false as',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a key ends where its company asks for a second factor'],
  },
  {
    what: 'a key is a way around the second factor that the service asks for',
    file: 'server/src/api-keys/read-key.ts',
    from: 'needsSecondFactor(policy, { role, tenantDemands }) && !hasFactor',
    to: 'tenantDemands && !hasFactor',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a key ends where the service asks for a second factor'],
  },
  {
    what: 'made-up keys keep strangers of their network waiting',
    file: 'server/src/api-keys/read-key.ts',
    from: "askAsStranger('keys from', request.ip)",
    to: '',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a flood of made-up keys waits behind itself'],
  },
  {
    what: 'a company reads where the owner of a key went, while row-level security sleeps',
    file: 'server/src/api-keys/store.ts',
    from: 'where ${tenantFilter(caller, sql`k.tenant_id`)} and ${tenantFilter(caller, sql`p.tenant_id`)} and ${where}',
    to: 'where ${tenantFilter(caller, sql`k.tenant_id`)} and ${where}',
    noticed: ['server/test/walls-of-names.test.ts', 'a company does not read of an officer’s key'],
  },
  {
    what: 'keys of a company use up the mails about keys in its admins’ own names',
    file: 'server/src/api-keys/actions.ts',
    from: 'key: `company-key:${made.id}`',
    to: 'key: `api-key:${made.id}`',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'a colleague still hears of one in their own name'],
  },
  {
    what: 'an administrator ends a key, and its owner hears nothing',
    file: 'server/src/api-keys/actions.ts',
    from: 'ended.is_ended_now && ended.person_id !== caller.id',
    to: 'ended.is_ended_now && ended.person_id === caller.id',
    noticed: ['server/src/api-keys/api-keys.test.ts', 'is told by mail'],
  },
]
