import { mayEver, type Permission } from './access.ts'
import type { Role } from './roles.ts'

/** What a key for programs may be allowed; a key does what it is allowed and its owner's role may. */
export const scopes = [
  'videos.read',
  'videos.write',
  'edits.read',
  'edits.write',
  'library.read',
  'library.write',
  'scripts.read',
  'scripts.write',
  'people.read',
  'reports.read',
] as const
export type Scope = (typeof scopes)[number]

/**
 * The scope that lets a key make the calls of a permission; null: no key ever makes them. Null are identity, rights and
 * companies, money, what tells many people something, what goes out to networks, what staff keep about an officer, and
 * verdicts, which are a person's.
 */
const byPermission: Record<Permission, Scope | null> = {
  'project.list': 'videos.read',
  'project.read': 'videos.read',
  'project.free': 'videos.read',
  'project.next': 'videos.read',
  'project.pool': 'videos.read',
  'project.history': 'videos.read',
  'project.sources': 'videos.read',
  'project.decided': 'videos.read',
  'project.triage': 'videos.read',
  'comment.list': 'videos.read',
  'asset.read': 'videos.read',
  'feedback.read': 'videos.read',
  'post.read': 'videos.read',
  'project.create': 'videos.write',
  'project.start': 'videos.write',
  'project.send': 'videos.write',
  'project.unschedule': 'videos.write',
  'project.cancel': 'videos.write',
  'project.reorder': 'videos.write',
  'project.assign': 'videos.write',
  'comment.write': 'videos.write',
  'comment.tick': 'videos.write',
  'comment.answer': 'videos.write',
  'comment.edit': 'videos.write',
  'comment.delete': 'videos.write',
  'asset.upload': 'videos.write',
  'edit.read': 'edits.read',
  'rule.read': 'edits.read',
  'edit.write': 'edits.write',
  'clip.read': 'library.read',
  'look.read': 'library.read',
  'clip.write': 'library.write',
  'look.write': 'library.write',
  'script.write': 'scripts.write',
  'user.search': 'people.read',
  'user.bound': 'people.read',
  'goal.list': 'reports.read',
  'report.read': 'reports.read',
  // Starts and stops a camera, and writes what is read before it.
  'take.prompt': null,
  'audit.read': null,
  'job.settle': null,
  'project.schedule': null,
  'project.reschedule': null,
  'project.rollback': null,
  'report.money': null,
  'report.payroll': null,
  'project.approve': null,
  'project.deny': null,
  'project.review': null,
  'project.answer': null,
  'project.release': null,
  'project.hold': null,
  'project.publish': null,
  'feedback.write': null,
  'goal.set': null,
  'user.reset': null,
  'user.invite': null,
  'user.removals': null,
  'user.consents': null,
  'api-key.list': null,
  'webhook.write': null,
  'tenant.create': null,
  'tenant.list': null,
  'tenant.read': null,
  'tenant.invite': null,
  'tenant.update': null,
  'subscription.read': null,
  'refund.write': null,
  'catalogue.write': null,
  'note.read': null,
  'note.write': null,
  'trigger.write': null,
  'support.ask': null,
  'support.answer': null,
  'connection.own': null,
  'connection.end': null,
  'connection.share': null,
  'post.write': null,
  'post.remove': null,
  'post.answer': null,
}

/** Of calls that everybody makes who is signed in. */
const everybodys: readonly Scope[] = ['scripts.read', 'scripts.write']

/** Work on a cut is a person's: four eyes tell apart who edited, sent and approved it, and nobody knows who holds a company's key. */
const ofPersonsAlone: readonly Permission[] = ['project.start', 'project.send', 'asset.upload', 'edit.write']

/** `isCompanys`: of a key of a company itself. */
type Whose = { isCompanys?: boolean | undefined }

export const scopeOfPermission = (permission: Permission, { isCompanys = false }: Whose = {}): Scope | null =>
  isCompanys && ofPersonsAlone.includes(permission) ? null : byPermission[permission]

/** What somebody of this role may allow a key: no more than they may themselves. */
export const scopesOf = (role: Role, whose: Whose = {}): Scope[] =>
  scopes.filter(
    (scope) =>
      everybodys.includes(scope) ||
      (Object.keys(byPermission) as Permission[]).some(
        (permission) => scopeOfPermission(permission, whose) === scope && mayEver(role, permission),
      ),
  )

/** For how many days a key may be good. */
export const keyDays = [7, 30, 90, 365] as const
