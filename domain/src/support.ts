import { mayEver } from './access.ts'
import { hasDuty, isServiceAdmin, reachesTenant, type Actor } from './roles.ts'

export const supportStates = ['waiting', 'answered', 'closed'] as const
export type SupportState = (typeof supportStates)[number]
export const supportActs = ['reply', 'assign', 'close', 'reopen'] as const
export type SupportAct = (typeof supportActs)[number]
/** Who acts on a question: whoever asked it, or staff who answer. */
export type SupportSide = 'asker' | 'staff'

/** In which states each side may do what. */
const rules: Record<SupportAct, Record<SupportSide, readonly SupportState[]>> = {
  // Whoever writes on about something that was closed opens it again.
  reply: { asker: supportStates, staff: supportStates },
  assign: { asker: [], staff: ['waiting', 'answered'] },
  close: { asker: ['waiting', 'answered'], staff: ['waiting', 'answered'] },
  reopen: { asker: ['closed'], staff: ['closed'] },
}

export type SupportThreadFacts = {
  personId: string | null
  tenantId: string | null
  /** Where somebody without an account is answered. */
  guestEmail: string | null
  state: SupportState
}

/** Nobody answers themselves: an ADMIN who asked is an asker there. Null: it is none of theirs. */
export const sideOf = (actor: Actor, { personId, tenantId }: SupportThreadFacts): SupportSide | null =>
  personId === actor.id
    ? 'asker'
    : mayEver(actor.role, 'support.answer') && reachesTenant(actor, tenantId)
      ? 'staff'
      : null

/** What somebody may do with a question as it stands. */
export const supportActsOf = (actor: Actor, thread: SupportThreadFacts): SupportAct[] => {
  const side = sideOf(actor, thread)
  if (side === null) return []
  // What was asked in a company that one has left stays between that company and oneself.
  const isReachable =
    side === 'asker' ? thread.tenantId === actor.tenantId : thread.personId !== null || thread.guestEmail !== null
  return supportActs.filter(
    (act) => rules[act][side].includes(thread.state) && (isReachable || (side === 'staff' && act !== 'reply')),
  )
}

/** Whom a question goes to beside the service's own ADMINs: whoever runs the service asks nobody. */
export const asksSupport = (actor: Pick<Actor, 'role' | 'tenantId'>): boolean =>
  mayEver(actor.role, 'support.ask') && !isServiceAdmin(actor)

/** Whether somebody may be given a question of this company. */
export const mayTake = (actor: Actor, thread: SupportThreadFacts): boolean =>
  hasDuty(actor.role, 'administer') && sideOf(actor, thread) === 'staff'
