import type { Role } from './roles.ts'
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
  'project.sources': ['User', 'Editor', 'QA', 'ADMIN'],
  'goal.list': ['Editor', 'ADMIN'],
  'comment.list': ['User', 'Editor', 'QA', 'ADMIN'],
  'comment.write': ['User', 'QA', 'ADMIN'],
  'asset.upload': ['User', 'Editor', 'QA', 'ADMIN'],
  'asset.read': ['User', 'Editor', 'QA', 'ADMIN'],
  'feedback.read': ['Editor', 'QA', 'ADMIN'],
  'feedback.write': ['ADMIN'],
  'edit.read': ['Editor', 'QA', 'ADMIN'],
  'edit.write': ['Editor', 'ADMIN'],
  'goal.set': ['ADMIN'],
  'user.search': ['QA', 'ADMIN'],
  'user.reset': ['ADMIN'],
  'user.removals': ['ADMIN'],
  'user.bound': ['Editor', 'ADMIN'],
  'tenant.create': ['ADMIN'],
  'tenant.list': ['ADMIN'],
  'tenant.read': ['ADMIN'],
  'tenant.invite': ['ADMIN'],
  'tenant.update': ['ADMIN'],
  'prompt.write': ['ADMIN'],
  'subscription.read': ['ADMIN'],
  'note.read': ['Editor', 'QA', 'ADMIN'],
  'note.write': ['Editor', 'QA', 'ADMIN'],
  'trigger.write': ['ADMIN'],
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof listed | `project.${Verb}`

export const access = {
  ...listed,
  ...verbs.reduce(
    (rows, verb) => ({ ...rows, [`project.${verb}`]: Object.keys(workflow[verb].who) }),
    {} as Record<`project.${Verb}`, readonly Role[]>,
  ),
} satisfies Record<Permission, readonly Role[]> as Readonly<Record<Permission, readonly Role[]>>

export const mayEver = (role: Role, permission: Permission): boolean => access[permission].includes(role)
