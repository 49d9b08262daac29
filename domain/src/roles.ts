/** The people of the product (docs/specification/people.md). SYSTEM is the service itself; it cannot sign in. */
export const roles = ['User', 'Editor', 'QA', 'ADMIN', 'SYSTEM'] as const
export type Role = (typeof roles)[number]

/** The doors people sign in by, and the roles each door admits. */
export const loginSystems = {
  APP: ['User'],
  EDITOR: ['Editor', 'ADMIN'],
  QA: ['QA', 'ADMIN'],
  ADMIN: ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>
export type LoginSystem = keyof typeof loginSystems

/** Who acts: every decision in the product takes one. `tenantId` is null for people of no tenant and for staff who serve every tenant. */
export type Actor = { id: string; role: Role; tenantId: string | null }

/** The actor of jobs and schedulers. Its id stands in timelines; no person row has it. */
export const system: Actor = { id: '00000000-0000-0000-0000-000000000000', role: 'SYSTEM', tenantId: null }

export const isStaff = (role: Role): boolean => role === 'Editor' || role === 'QA' || role === 'ADMIN'

/** Does this actor's tenancy reach a thing of `tenantId`? Staff without a tenant serve every tenant. */
export const reachesTenant = (actor: Actor, tenantId: string | null): boolean =>
  actor.role === 'SYSTEM' || (isStaff(actor.role) && actor.tenantId === null) || actor.tenantId === tenantId
