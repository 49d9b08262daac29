import { randomUUID } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import { type Role, asWhat, hasDuty, type PersonRole, servesAll } from '@clear-to-post/domain/roles'
import { sql, type Caller, type Tx } from '../kernel/database.ts'
import { endIdTokens, endSessions, endWeakSessions, forgetPassword } from '../identity/actions.ts'
import { sendMail } from '../mail/actions.ts'
import { moveFiles } from '../assets/actions.ts'
import { moveGlossary } from '../edits/actions.ts'
import { enqueue } from '../kernel/queue.ts'
import { sayTakenBackMeanwhile } from '../publishing/actions.ts'
import { payerChanged, tellWhoPayBeside } from '../subscriptions/actions.ts'
import { leaveQuestionsOf } from '../support/actions.ts'
import { requireSeat } from '../tenants/actions.ts'
import { tellOfAdmin } from './admins-told.ts'
import {
  awaitCallsOf,
  forgetAnswers,
  isCharged,
  otherAdmins,
  saveAccountState,
  unbindOfficersOf,
  unbindStrangers,
  withdrawInvitations,
  type PersonRow,
} from './store.ts'

export type AccountState = { role: PersonRole; tenantId: string | null; isDisabled: boolean }

/**
 * Gives a locked person another role, tenant or sign-in; runs as the service. It counts at once: their ID tokens end, and who is disabled
 * loses every session, as does who came without a second factor to a company that demands one, and a job gives what was assigned to an editor who cannot start it back to the pool. An officer who becomes staff chooses a new password, for theirs may be shorter than staff need; not where `choosesPassword` is false: the caller sets one that is long enough. Whoever is put out of a company or a role, or shut out, does not come back by an older invitation; `isPutOut` false: they leave it because nobody has confirmed the address. All ADMINs hear of who becomes one, or is one no more, and whose doing that is (`by`; undefined: the operator's).
 * Throws tenant.full, and account.not-confirmed where somebody whose address is not confirmed would become staff.
 */
export const setAccountState = async (
  tx: Tx,
  before: PersonRow,
  change: Partial<AccountState>,
  now: Date,
  { choosesPassword = true, isPutOut = true, by }: { choosesPassword?: boolean; isPutOut?: boolean; by?: string } = {},
): Promise<PersonRow> => {
  const after = stateAfter(before, change)
  await awaitCallsOf(tx, before.id)
  // The address may be a stranger's: a role would be theirs as soon as they choose a password.
  if (hasDuty(after.role, 'serve') && after.role !== before.role && before.email_verified_at === null)
    throw refusal('account.not-confirmed')
  const hadSeat = hasDuty(before.role, 'film') && !before.is_disabled
  if (after.tenantId !== null && hasDuty(after.role, 'film') && !after.isDisabled)
    if (!hadSeat || after.tenantId !== before.tenant_id) await requireSeat(tx, after.tenantId)
  await saveAccountState(tx, before.id, after)
  if (isPutOut) await endOlderLinks(tx, before, after, now)
  await settlePayments(tx, before, after, now)
  if (before.is_disabled && !after.isDisabled) await sayTakenBackMeanwhile(tx, before.id, now)
  if (edits(before.role) && !edits(after.role)) await unbindOfficersOf(tx, before.id)
  // What they were answered as who they were is told nobody again, and done by no repeat either.
  if (after.tenantId !== before.tenant_id || after.role !== before.role) await forgetAnswers(tx, before.id)
  if (after.tenantId !== before.tenant_id) {
    await unbindStrangers(tx, before.id)
    // What is theirs alone goes with them; what was made for a company stays: see docs/decisions/0424.
    await moveGlossary(tx, before.id, after.tenantId)
    await moveFiles(tx, before.id, after.tenantId)
  }
  if (hasDuty(before.role, 'administer')) await leaveQuestionsOf(tx, before.id)
  if (hasDuty(before.role, 'serve')) await enqueue(tx, 'left-work', { userId: before.id, tenantId: before.tenant_id })
  if (choosesPassword && !hasDuty(before.role, 'serve') && hasDuty(after.role, 'serve'))
    await askForPassword(tx, before, after)
  else if (after.isDisabled) await endSessions(tx, before.id, 'shut-out')
  else if (after.tenantId === before.tenant_id || !(await endWeakSessions(tx, before.id)))
    await endIdTokens(tx, before.id)
  const changed = { ...before, role: after.role, tenant_id: after.tenantId, is_disabled: after.isDisabled }
  await tellOfAdmin(tx, before, before, changed, by)
  return changed
}

const endOlderLinks = async (tx: Tx, before: PersonRow, after: AccountState, now: Date): Promise<void> => {
  const { email, tenant_id: tenantId } = before
  // Whoever guessed the address takes nothing with them that waits for its owner.
  if (before.email_verified_at === null) return
  if (after.isDisabled) await withdrawInvitations(tx, { email, to: 'all' }, now)
  else if (after.tenantId !== tenantId || (hasDuty(before.role, 'serve') && !hasDuty(after.role, 'serve')))
    await withdrawInvitations(tx, { email, to: { tenantId } }, now)
}

/**
 * Who is shut out or becomes staff pays no more until they are back, an ADMIN who leaves a company leaves no payment page of it open, and who joins one
 * hears of a plan of their own that goes on, until they leave; as the service.
 */
const settlePayments = async (
  tx: Tx,
  before: PersonRow,
  { role, tenantId, isDisabled }: AccountState,
  now: Date,
): Promise<void> => {
  const goesOn = hasDuty(role, 'administer') && !isDisabled && tenantId === before.tenant_id
  if (hasDuty(before.role, 'administer') && before.tenant_id !== null && !goesOn)
    await payerChanged(tx, { tenantId: before.tenant_id }, now)
  const films = hasDuty(before.role, 'film')
  if (isDisabled !== before.is_disabled || films !== hasDuty(role, 'film'))
    await payerChanged(tx, { userId: before.id }, now)
  if (tenantId !== before.tenant_id) await tellWhoPayBeside(tx, { userId: before.id }, now)
}

/**
 * Throws account.last-admin when nobody could sign in after that as the service's ADMIN, or as the ADMIN of a company that
 * goes on being charged; of a company the service's own may take away the last. Lock the admins before the person.
 */
export const keepAnAdmin = async (
  tx: Tx,
  caller: Caller,
  before: PersonRow,
  change: Partial<AccountState>,
): Promise<void> => {
  const { role, tenantId, isDisabled } = stateAfter(before, change)
  const wasOne = hasDuty(before.role, 'administer') && !before.is_disabled
  const isOne = hasDuty(role, 'administer') && !isDisabled && tenantId === before.tenant_id
  if (!wasOne || isOne) return
  if ((await otherAdmins(tx, before)) > 0) return
  if (before.tenant_id === null) throw refusal('account.last-admin')
  if (!servesAll(caller) && (await isCharged(tx, before.tenant_id)))
    throw refusal(
      'account.last-admin',
      'This is the last admin of a company whose plan goes on. Make somebody else an admin, or end the plan first.',
    )
}

const stateAfter = (before: PersonRow, change: Partial<AccountState>): AccountState => ({
  role: change.role ?? (before.role as AccountState['role']),
  tenantId: change.tenantId === undefined ? before.tenant_id : change.tenantId,
  isDisabled: change.isDisabled ?? before.is_disabled,
})

const edits = (role: Role): boolean => hasDuty(role, 'edit')

const askForPassword = async (tx: Tx, { id, email }: PersonRow, { role, tenantId }: AccountState) => {
  const company = await tx.first(sql<{ name: string }>`select name from tenant where id = ${tenantId}`)
  await forgetPassword(tx, id)
  await sendMail(tx, {
    key: `staff:${randomUUID()}`,
    to: email,
    template: 'message',
    data: {
      title: 'Choose a new password',
      body:
        `You are ${asWhat[role]} at ${company?.name ?? 'Clear to Post'} now. Staff passwords have 12 characters or more. ` +
        'We cannot see how long yours is, so it has to be chosen anew, and you were signed out.\n\n' +
        'Where you sign in, ask for a new password, and we send you a code.',
      link: { label: 'Go to sign in', url: '/login' },
    },
  })
}
