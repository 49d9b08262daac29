/** The people of the product (docs/specification/people.md). SYSTEM is the service itself; it cannot sign in. */
export const personRoles = ['User', 'Editor', 'QA', 'ADMIN'] as const
export const roles = [...personRoles, 'SYSTEM'] as const
export type Role = (typeof roles)[number]
export type PersonRole = (typeof personRoles)[number]

/** What somebody of each role is called within a sentence. */
export const asWhat: Record<PersonRole, string> = {
  User: 'a loan officer',
  Editor: 'an editor',
  QA: 'a reviewer',
  ADMIN: 'an admin',
}

/** What somebody who opens an account by themselves is. */
export const newcomer: PersonRole = 'User'

/** What the people of each role are there for. A rule that asks for a role by name asks for one of these. */
export const duties = {
  /** Films, and has videos made: an officer. */
  film: ['User'],
  /** Edits officers' videos, and may be given one. */
  edit: ['Editor', 'ADMIN'],
  /** Edits by weekly goals. */
  'meet-goals': ['Editor'],
  /** Hears of cuts that wait for approval. */
  review: ['QA'],
  /** Sets up a company, or where they have none the whole service. */
  administer: ['ADMIN'],
  /** Works on the videos of others. */
  serve: ['Editor', 'QA', 'ADMIN'],
} as const satisfies Record<string, readonly PersonRole[]>
export type Duty = keyof typeof duties

export const hasDuty = (role: Role, duty: Duty): boolean => (duties[duty] as readonly Role[]).includes(role)

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

export const isStaff = (role: Role): boolean => hasDuty(role, 'serve')

/** An officer as somebody who acts, by their id alone. */
export const officerActor = (id: string): Actor => ({ id, role: 'User', tenantId: null })

/** Staff without a tenant serve every tenant, and so does the service. */
export const servesAll = ({ role, tenantId }: Pick<Actor, 'role' | 'tenantId'>): boolean =>
  role === system.role || (isStaff(role) && tenantId === null)

/** Does this actor's tenancy reach a thing of `tenantId`? */
export const reachesTenant = (actor: Actor, tenantId: string | null): boolean =>
  servesAll(actor) || actor.tenantId === tenantId

/** Whether somebody sets up the whole service, and not one company. */
export const isServiceAdmin = ({ role, tenantId }: Pick<Actor, 'role' | 'tenantId'>): boolean =>
  hasDuty(role, 'administer') && tenantId === null
