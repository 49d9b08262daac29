import type { Sabotage } from '../sabotage.ts'

export const sabotages: readonly Sabotage[] = [
  {
    what: 'any token reads the code that invites',
    file: 'contract/src/tenants.ts',
    from: `access: 'tenant.invite',
    needsFreshSignIn: true,`,
    to: `access: 'tenant.invite',`,
    noticed: ['server/src/tenants/tenants.test.ts', 'the invitation code is answered'],
  },
  {
    what: 'who is disabled is decided without a fresh sign-in',
    file: 'contract/src/accounts.ts',
    from: "needsFreshSignIn: ['role', 'tenantId', 'isDisabled']",
    to: "needsFreshSignIn: ['role', 'tenantId']",
    noticed: ['server/test/access.test.ts', 'requires a fresh sign-in'],
  },
  {
    what: 'days past the year 9999 are taken',
    file: 'contract/src/era.ts',
    from: ' && at < Date.UTC(9999, 0, 1)',
    to: '',
    noticed: ['server/src/notifications/triggers.test.ts', 'past the years of four digits'],
  },
  {
    what: 'a name of a file that has several lines forges one of those that doctor and verify print',
    file: 'contract/src/visible.ts',
    from: "replaceAll('\\n', String.raw`\\u000a`)",
    to: "replaceAll('\\n', '\\n')",
    noticed: ['server/src/main/conditions.test.ts', 'others’ words and names so that they drive no terminal'],
  },
  {
    what: 'the end of a script is looked for anew at each of its spaces',
    file: 'contract/src/edits.ts',
    from: 'script: z.string().max(60_000).optional()',
    to: "script: z.string().max(60_000, { abort: true }).refine((words) => words.replace(/\\s+$/, '') !== '').optional()",
    noticed: ['server/test/event-loop.test.ts', 'edits.make keeps nobody waiting'],
  },
]
