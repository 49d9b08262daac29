import { duties, hasDuty, system, type Actor, type Role } from './roles.ts'
import { workflow, verbs, type Verb } from './workflow.ts'

/**
 * May this role ever make this call? One row a permission, read by the server's mount, the access matrix test and the reference.
 * Workflow verbs are derived from the workflow table and never listed twice. Whose row it is, and whether the moment allows it,
 * are other questions (row-level security and `decide`).
 */
const listed = {
  'project.list': ['User', 'Editor', 'QA', 'ADMIN'],
  'project.read': ['User', 'Editor', 'QA', 'ADMIN'],
  'project.free': ['User', 'ADMIN'],
  'project.next': ['Editor', 'ADMIN'],
  'project.pool': ['Editor', 'QA', 'ADMIN'],
  'project.history': ['User', 'Editor', 'QA', 'ADMIN'],
  'project.answer': ['User'],
  'project.sources': ['User', 'Editor', 'QA', 'ADMIN'],
  'goal.list': ['Editor', 'ADMIN'],
  'comment.list': ['User', 'Editor', 'QA', 'ADMIN'],
  'comment.write': ['User', 'QA', 'ADMIN'],
  'comment.tick': ['User', 'Editor', 'QA', 'ADMIN'],
  'comment.answer': ['User', 'Editor', 'QA', 'ADMIN'],
  'comment.edit': ['User', 'Editor', 'QA', 'ADMIN'],
  'comment.delete': ['User', 'Editor', 'QA', 'ADMIN'],
  'project.decided': ['QA', 'ADMIN'],
  'project.triage': ['ADMIN'],
  'asset.upload': ['User', 'Editor', 'QA', 'ADMIN'],
  'take.prompt': ['User', 'Editor', 'QA', 'ADMIN'],
  'asset.read': ['User', 'Editor', 'QA', 'ADMIN'],
  'feedback.read': ['Editor', 'QA', 'ADMIN'],
  'feedback.write': ['ADMIN'],
  'clip.read': ['Editor', 'QA', 'ADMIN'],
  'clip.write': ['ADMIN'],
  'look.read': ['Editor', 'QA', 'ADMIN'],
  'look.write': ['Editor', 'ADMIN'],
  'edit.read': ['Editor', 'QA', 'ADMIN'],
  'edit.write': ['Editor', 'ADMIN'],
  'rule.read': ['ADMIN'],
  'goal.set': ['ADMIN'],
  'user.search': ['QA', 'ADMIN'],
  'user.reset': ['ADMIN'],
  'user.invite': ['ADMIN'],
  'user.removals': ['ADMIN'],
  /** Who agreed to which words of the terms. */
  'user.consents': ['ADMIN'],
  'user.bound': ['Editor', 'ADMIN'],
  /** Keys for programs of everybody within reach. */
  'api-key.list': ['ADMIN'],
  /** Addresses of programs that hear of videos; of one's own company, or within reach. */
  'webhook.write': ['ADMIN'],
  'tenant.create': ['ADMIN'],
  'tenant.list': ['ADMIN'],
  'tenant.read': ['ADMIN'],
  'tenant.invite': ['ADMIN'],
  'tenant.update': ['ADMIN'],
  'script.write': ['ADMIN'],
  'subscription.read': ['ADMIN'],
  'refund.write': ['ADMIN'],
  /** Products, plans and coupons: the service's ADMIN alone. */
  'catalogue.write': ['ADMIN'],
  'note.read': ['Editor', 'QA', 'ADMIN'],
  'note.write': ['Editor', 'QA', 'ADMIN'],
  'trigger.write': ['ADMIN'],
  /** Questions to whoever runs the company or the service, and their answers. */
  'support.ask': ['User', 'Editor', 'QA', 'ADMIN'],
  'support.answer': ['ADMIN'],
  /** What becomes of jobs that used up their tries: the service's ADMIN alone. */
  'job.settle': ['ADMIN'],
  /** Who changed what; within one's reach. */
  'audit.read': ['ADMIN'],
  /** How the business does; within one's reach. */
  'report.read': ['ADMIN'],
  'report.money': ['ADMIN'],
  /** What editors are paid. */
  'report.payroll': ['ADMIN'],
  /** An officer connects their own accounts at networks; a company's ADMIN connects the company's. */
  'connection.own': ['User', 'ADMIN'],
  /** Whoever connected accounts finds and ends them, whatever they became since. */
  'connection.end': ['User', 'Editor', 'QA', 'ADMIN'],
  /** Which officers post with a company's account. */
  'connection.share': ['ADMIN'],
  'post.read': ['User', 'Editor', 'QA', 'ADMIN'],
  'post.write': ['User'],
  /** Takes down what is live: an officer their own, a company's ADMIN what was posted with the company's accounts. */
  'post.remove': ['User', 'ADMIN'],
  /** Says whether a post is there that nobody knows of: its officer, or for a company's account its ADMIN, where the officer is gone. */
  'post.answer': ['User', 'ADMIN'],
} as const satisfies Record<string, readonly Role[]>

/** Who takes back a comment that somebody else wrote. */
export const mayDeleteOthersComments = (role: Role): boolean => hasDuty(role, 'administer')

export type Permission = keyof typeof listed | `project.${Verb}`

export const access = {
  ...listed,
  ...verbs.reduce(
    (rows, verb) => ({ ...rows, [`project.${verb}`]: Object.keys(workflow[verb].who) }),
    {} as Record<`project.${Verb}`, readonly Role[]>,
  ),
} satisfies Record<Permission, readonly Role[]> as Readonly<Record<Permission, readonly Role[]>>

export const mayEver = (role: Role, permission: Permission): boolean => access[permission].includes(role)

/** Where a call names a person: the roles that may name somebody else within their reach. All others name themselves. */
const namesOthers = {
  'project.create': ['ADMIN'],
  'project.next': ['ADMIN'],
  'project.history': ['Editor', 'QA', 'ADMIN'],
  'goal.list': ['ADMIN'],
  'user.bound': ['ADMIN'],
  'user.update': ['ADMIN'],
  'user.remove': ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>

/** May this actor name this person in such a call? Whether the person is within their reach is another question. */
export const mayName = ({ id, role }: Pick<Actor, 'id' | 'role'>, what: keyof typeof namesOthers, personId: string) =>
  personId === id || (namesOthers[what] as readonly Role[]).includes(role)

/** What of a thing only some of those who see it are shown. */
const shown = {
  /** Cuts that are not approved, who had a part in them, and what reviewers wrote. */
  'project.work': [...duties.serve, system.role],
  'comment.internal': duties.serve,
  /** Categories of a library that are not offered at the moment. */
  'script.inactive': duties.serve,
  'user.isDisabled': duties.administer,
  'user.availability': duties.administer,
  'tenant.coupon': duties.administer,
  /** What somebody else pays. */
  'subscription.price': duties.administer,
} as const satisfies Record<string, readonly Role[]>

export const sees = (role: Role, part: keyof typeof shown): boolean => (shown[part] as readonly Role[]).includes(role)

/** Whether somebody lists what they edit and what waits in the pool, and not everything within their reach. */
export const listsOwnWork = (role: Role): boolean => hasDuty(role, 'meet-goals')

/** For whom somebody buys plans: an officer for themselves, a company's ADMIN for the company, nobody else. */
export const buysFor = ({ role, tenantId }: Pick<Actor, 'role' | 'tenantId'>): 'themselves' | 'company' | null =>
  hasDuty(role, 'film') ? 'themselves' : hasDuty(role, 'administer') && tenantId !== null ? 'company' : null

/** For whom somebody connects accounts at networks: as for whom they buy. */
export const connectsFor = buysFor

/**
 * What somebody may do with an account at a network that they see: whose it is ends it, an officer renews theirs, and a company's
 * ADMIN renews the company's and lets officers use it. Whoever films no longer ends those of their own from before.
 */
export const connectionActionsFor = (
  actor: Pick<Actor, 'id' | 'role' | 'tenantId'>,
  { userId, tenantId }: { userId: string | null; tenantId: string | null },
): readonly ('renew' | 'disconnect' | 'share')[] => {
  const whom = connectsFor(actor)
  if (userId === actor.id) return whom === 'themselves' ? ['renew', 'disconnect'] : ['disconnect']
  return whom === 'company' && tenantId !== null && tenantId === actor.tenantId ? ['renew', 'disconnect', 'share'] : []
}

/** Whether somebody changes a B-roll library: a company's ADMIN their own, the service's ADMIN every one. */
export const mayWriteClips = (actor: Pick<Actor, 'role' | 'tenantId'>, library: { tenantId: string | null }): boolean =>
  mayEver(actor.role, 'clip.write') && (actor.tenantId === null || library.tenantId === actor.tenantId)

/** Whether somebody keeps the looks of a company, or without one those of the service: editors and ADMINs who serve it. */
export const mayWriteLooks = (actor: Pick<Actor, 'role' | 'tenantId'>, library: { tenantId: string | null }): boolean =>
  mayEver(actor.role, 'look.write') && (actor.tenantId === null || library.tenantId === actor.tenantId)
