import { buysFor, connectsFor, mayEver, mayWriteLooks } from './access.ts'
import { hasDuty, isServiceAdmin, type Actor, type Role } from './roles.ts'
import { asksSupport } from './support.ts'

/**
 * What the panel shows of itself: its rooms and what somebody may do that stands on no thing of theirs. The server answers
 * both with the profile; the panel asks no role.
 */
export const roomNames = [
  'videos',
  'newVideo',
  'work',
  'review',
  'reports',
  'board',
  'scripts',
  'clips',
  'goals',
  'people',
  'criteria',
  'rules',
  'tenants',
  'payments',
  'triggers',
  'audit',
  'brandKit',
  'calendar',
  'connections',
  'plan',
  'support',
] as const
export type RoomName = (typeof roomNames)[number]

/** The rooms of each role's navigation, in their order; the panel opens in the first. */
const rooms = {
  User: ['videos', 'newVideo', 'calendar', 'scripts', 'brandKit', 'connections', 'plan', 'support'],
  Editor: ['work', 'scripts', 'clips', 'support'],
  QA: ['review', 'people', 'scripts', 'support'],
  ADMIN: [
    'board',
    'newVideo',
    'review',
    'work',
    'reports',
    'people',
    'support',
    'tenants',
    'payments',
    'goals',
    'criteria',
    'rules',
    'triggers',
    'audit',
    'scripts',
    'clips',
  ],
  SYSTEM: [],
} as const satisfies Record<Role, readonly RoomName[]>

type Asked = Pick<Actor, 'role' | 'tenantId'>

/**
 * Whoever buys for a company finds its plan beside the company, and the accounts that it posts with. `ownsAccounts`: they have
 * accounts at networks of their own, which whoever films no longer finds at the end.
 */
export const roomsOf = (actor: Asked, { ownsAccounts = false } = {}): RoomName[] => [
  ...rooms[actor.role].flatMap((room): RoomName[] =>
    room === 'tenants' && buysFor(actor) === 'company'
      ? [room, 'plan', 'connections']
      : room === 'payments' && !isServiceAdmin(actor)
        ? []
        : [room],
  ),
  ...(ownsAccounts && connectsFor(actor) === null ? ['connections' as const] : []),
]

export const panelActions = [
  'plan.buy',
  'company-plan.buy',
  'project.assign',
  'project.create-for',
  'comment.write',
  'note.read',
  'edit.read',
  'clip.write',
  'look.write',
  'look.share',
  'clip.choose-library',
  'tenant.list',
  'tenant.update',
  'subscription.read',
  'catalogue.write',
  'tenant.create',
  'tenant.set-terms',
  'user.move',
  'user.invite',
  'api-key.list',
  'webhook.write',
  'company.join',
  'availability.own',
  'post.write',
  'support.ask',
  'support.answer',
  'connection.share',
  'job.settle',
] as const
export type PanelAction = (typeof panelActions)[number]

/** What more than the role decides. All others are permissions of the access table. */
const beyondTheRole = {
  'plan.buy': (actor: Asked) => buysFor(actor) === 'themselves',
  'company-plan.buy': (actor: Asked) => buysFor(actor) === 'company',
  /** For every company's library and the service's; a company's ADMIN adds to that company's. */
  'clip.choose-library': isServiceAdmin,
  /** Saving a look for every company. */
  'look.share': (actor: Asked) => mayWriteLooks(actor, { tenantId: null }),
  'tenant.create': isServiceAdmin,
  /** What is sold, and for how much. */
  'catalogue.write': isServiceAdmin,
  /** What becomes of jobs that were given up. */
  'job.settle': isServiceAdmin,
  /** A company's plans, seats and whether its people pay by invoice. */
  'tenant.set-terms': isServiceAdmin,
  /** To another company. */
  'user.move': isServiceAdmin,
  /** For an officer, who may have sent the file by another way. */
  'project.create-for': ({ role }: Asked) => mayEver(role, 'project.create') && !hasDuty(role, 'film'),
  /** By its invitation code; nobody leaves one by themselves. */
  /** An editor says when they work. */
  'availability.own': ({ role }: Asked) => hasDuty(role, 'meet-goals'),
  'support.ask': asksSupport,
  /** Of a company's accounts. */
  'connection.share': (actor: Asked) => connectsFor(actor) === 'company',
  'company.join': (actor: Asked) => hasDuty(actor.role, 'film') && actor.tenantId === null,
} satisfies Partial<Record<PanelAction, (actor: Asked) => boolean>>

export const panelActionsOf = (actor: Asked): PanelAction[] =>
  panelActions.filter((action) =>
    action in beyondTheRole
      ? beyondTheRole[action as keyof typeof beyondTheRole](actor)
      : mayEver(actor.role, action as Exclude<PanelAction, keyof typeof beyondTheRole>),
  )

/**
 * What an actor may do with the library of scripts that they read: write it, or begin their company's own while that reads
 * the service's.
 */
export const libraryActionsOf = (
  actor: Asked,
  library: { tenantId: string | null },
  { usesOwnScripts }: { usesOwnScripts: boolean },
): ('write' | 'begin')[] => {
  if (!mayEver(actor.role, 'script.write')) return []
  if (library.tenantId === actor.tenantId) return ['write']
  return usesOwnScripts ? ['begin'] : []
}
