// Which rules the proof of mutations changes, and the tests that must notice; server/test/proofs.test.ts holds it to what is there.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** What is changed, and the tests that must notice: those that belong to it, as a table of rules is loaded by all others. */
export type Group = {
  room: 'domain' | 'identity'
  files: readonly string[]
  tests: readonly string[]
  needsDatabase?: true
}

export const groups: readonly Group[] = [
  domain('workflow decide goals queue tenants', 'domain/src/{workflow,decide,rules,edits}.test.ts'),
  domain('edits crashes', 'domain/src/{edits,crashes}.test.ts'),
  domain('roles access', 'domain/src/{access,roles,rules,workflow}.test.ts', 'server/src/http/openapi.test.ts'),
  domain('plans money', 'domain/src/plans.test.ts'),
  domain('passwords password-length second-factor', 'domain/src/{passwords,rules,second-factor}.test.ts'),
  domain('calendar job-code feedback captions', 'domain/src/{calendar,job-code,feedback,rules}.test.ts'),
  domain('delivery', 'domain/src/delivery.test.ts'),
  domain('occurrences', 'domain/src/occurrences.test.ts'),
  domain('posting networks', 'domain/src/{posting,networks}.test.ts'),
  domain('network-fits post-comments tiktok-choices', 'domain/src/{network-fits,post-comments,tiktok-choices}.test.ts'),
  domain('figures periods post-days post-slots', 'domain/src/{figures,periods,post-days,post-slots}.test.ts'),
  domain('availability payroll', 'domain/src/{availability,payroll}.test.ts'),
  domain('licences terms upload-parts', 'domain/src/{licences,terms,upload-parts}.test.ts'),
  domain('scopes support webhooks', 'domain/src/{scopes,support,webhooks}.test.ts'),
  domain('comments cut-text mailbox', 'domain/src/{comments,cut-text,mailbox}.test.ts'),
  domain('invitations', 'domain/src/invitations.test.ts'),
  domain('upload-room first-cut render-ahead', 'domain/src/{upload-room,first-cut,render-ahead}.test.ts'),
  {
    room: 'identity',
    files: [
      'families fresh id-token one-time-tokens codes password second-factor totp recovery-codes store factor-store security',
    ].flatMap((names) => names.split(' ').map((name) => `server/src/identity/${name}.ts`)),
    tests: ['server/src/identity/*.test.ts', 'server/src/accounts/codes.test.ts'],
    needsDatabase: true,
  },
]

/** Files of domain without a decision of their own: bounds, names, shapes and the sentences that people read. */
const tables =
  'audiences audit common-passwords job-kinds most-kept network-titles notice panel personal-data prompter-link session-ends take-log'.split(
    ' ',
  )

/** Rules that no group changes and that are no table. */
export function unchangedRules(): string[] {
  const changed = new Set(groups.flatMap(({ files }) => files))
  return readdirSync(join(root, 'domain/src'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !tables.includes(name.slice(0, -3)))
    .map((name) => `domain/src/${name}`)
    .filter((file) => !changed.has(file))
}

function domain(names: string, ...tests: string[]): Group {
  return { room: 'domain', files: names.split(' ').map((name) => `domain/src/${name}.ts`), tests }
}
