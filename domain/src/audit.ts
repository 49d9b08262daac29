/** What the audit log tells of. The database's triggers write these kinds; server/test/audited.test.ts compares both. */
export const auditKinds = [
  'person',
  'password',
  'authenticator',
  'passkey',
  'recovery-codes',
  'sign-in-account',
  'api-key',
  'webhook',
  'invitation',
  'company',
  'product',
  'plan',
  'coupon',
  'subscription',
  'rate',
  'posting-right',
  'criteria',
  'trigger',
  'job',
] as const
export type AuditKind = (typeof auditKinds)[number]

export const auditActs = ['added', 'changed', 'removed'] as const
export type AuditAct = (typeof auditActs)[number]

/** What can be wrong with a link of a chain. */
export const auditFaults = [
  'entry-changed',
  'entry-missing',
  'link-missing',
  'values-changed',
  'values-missing',
] as const
export type AuditFault = (typeof auditFaults)[number]
