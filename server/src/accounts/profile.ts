import type { CallRequest } from '@clear-to-post/contract/call'
import type { accounts } from '@clear-to-post/contract/accounts'
import { refusal } from '@clear-to-post/contract/errors'
import { keepPicture } from '../assets/actions.ts'
import { signInOf } from '../identity/actions.ts'
import { isAsItWas } from '../kernel/as-it-was.ts'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { invitingTenant, requireTenant } from '../tenants/actions.ts'
import { setAccountState, keepAnAdmin, type AccountState } from './account-state.ts'
import {
  findEditorFor,
  unlinkFromOthers,
  awaitCallsOf,
  lockAdmins,
  lockPerson,
  savePhone,
  saveProfile,
  type PersonRow,
  type ProfileChanges,
} from './store.ts'
import { mayName } from '@clear-to-post/domain/access'
import { hasDuty } from '@clear-to-post/domain/roles'
import { usualWeek } from '@clear-to-post/domain/availability'

type Changes = CallRequest<typeof accounts.update>['body']

/**
 * Changes the caller's profile, or as an ADMIN another person's and their account state. Answers whose it was. Throws
 * account.not-found for whoever is out of reach, account.hours-changed, account.changed, account.admin-only, account.last-admin,
 * account.not-confirmed for staff whose address is not confirmed, tenant.none, tenant.full, asset.not-found, push.no-session.
 * `session`: the caller's refresh token, which a phone is named by.
 */
export const updatePerson = async (
  tx: Tx,
  caller: Caller,
  { userId, role, tenantId, editorId, isDisabled, was, ...profile }: Changes,
  { now, session }: { now: Date; session: string | null },
): Promise<string> => {
  const state = omitUndefined({ role, tenantId, isDisabled })
  const changesState = Object.keys(state).length > 0
  if (!mayName(caller, 'user.update', userId ?? caller.id)) throw refusal('account.not-found')
  if (!hasDuty(caller.role, 'administer') && (changesState || editorId !== undefined))
    throw refusal('account.admin-only')
  if (changesState) {
    await lockAdmins(tx)
    await awaitCallsOf(tx, userId ?? caller.id)
    // Whoever was shut out while they waited changes nothing more.
    await holdSession(tx, caller)
  }
  const before = await lockPerson(tx, caller, userId ?? caller.id)
  if (!before) throw refusal('account.not-found')
  const { workWeek, timeOff, ...person } = was ?? {}
  const hours = { workWeek: before.work_week ?? usualWeek, timeOff: before.time_off }
  if (!isAsItWas(omitUndefined({ workWeek, timeOff }), hours)) throw refusal('account.hours-changed')
  if (!isAsItWas(person, toldOf(before))) throw refusal('account.changed')
  await writeProfile(tx, caller, before, profile, { now, session })
  const after = changesState ? await changeAccountState(tx, caller, before, state, now) : before
  if (editorId !== undefined) await bind(tx, caller, after, editorId)
  return before.id
}

/** What of somebody is changed part by part, as a call names it. */
const toldOf = (person: PersonRow) => ({
  name: person.name,
  profession: person.profession ?? '',
  nmlsNumber: person.nmls_number ?? '',
  licenceStates: person.licence_states,
  role: person.role,
  tenantId: person.tenant_id,
  editorId: person.editor_id,
})

/**
 * Finishes a profile after a first sign-in; repeated, it changes nothing. A code joins its company, from the next token on.
 * Answers whose it was. Throws account.not-found, account.admin-only for staff with a code, account.has-company,
 * tenant.not-found, tenant.full, asset.not-found.
 */
export const setUp = async (
  tx: Tx,
  caller: Caller,
  { userId, invitationCode, ...profile }: CallRequest<typeof accounts.setup>['body'],
  now: Date,
): Promise<string> => {
  if (!mayName(caller, 'user.update', userId ?? caller.id)) throw refusal('account.not-found')
  if (invitationCode) await awaitCallsOf(tx, userId ?? caller.id)
  const before = await lockPerson(tx, caller, userId ?? caller.id)
  if (!before) throw refusal('account.not-found')
  await writeProfile(tx, caller, before, profile, { now, session: null })
  if (invitationCode) await asService(tx, () => join(tx, before, invitationCode, now))
  return before.id
}

const join = async (tx: Tx, person: PersonRow, code: string, now: Date): Promise<void> => {
  const tenant = await invitingTenant(tx, code)
  if (person.tenant_id === tenant.id) return
  if (!hasDuty(person.role, 'film'))
    throw refusal('account.admin-only', 'An invitation is for loan officers. Only an admin changes your company.')
  if (person.tenant_id !== null) throw refusal('account.has-company')
  await setAccountState(tx, person, { tenantId: tenant.id }, now)
}

type Profile = Pick<
  Changes,
  | 'name'
  | 'profession'
  | 'photoUrl'
  | 'preferences'
  | 'timezone'
  | 'fcmToken'
  | 'experienceId'
  | 'nmlsNumber'
  | 'licenceStates'
  | 'workWeek'
  | 'timeOff'
>

const writeProfile = async (
  tx: Tx,
  by: Caller,
  before: PersonRow,
  profile: Profile,
  { now, session }: { now: Date; session: string | null },
): Promise<void> => {
  const { name, profession, photoUrl, preferences, timezone, fcmToken, experienceId } = profile
  const { nmlsNumber, licenceStates, workWeek, timeOff } = profile
  const pictureOf = (address: string, field: string) =>
    keepPicture(tx, { address, owner: before.id, field, by: by.id }, now)
  const changes: ProfileChanges = omitUndefined({
    name,
    time_zone: timezone,
    profession: orNull(profession),
    experience_id: orNull(experienceId),
    nmls_number: orNull(nmlsNumber),
    licence_states: licenceStates,
    work_week: workWeek,
    // What is over still says what the hours of its month were (reports/payroll.ts).
    time_off: timeOff?.filter(({ to }) => to >= yearBefore(now)),
    photo_url: orNull(photoUrl === undefined ? undefined : await pictureOf(photoUrl, 'photo')),
    preferences: preferences && {
      ...before.preferences,
      ...omitUndefined(preferences),
      ...(preferences.logo === undefined ? {} : { logo: await pictureOf(preferences.logo, 'logo') }),
    },
  })
  // An empty text takes a value away.
  if (changes.preferences)
    changes.preferences = Object.fromEntries(Object.entries(changes.preferences).filter(([, value]) => value !== ''))
  if (fcmToken) await namePhone(tx, by, before, fcmToken, session)
  else if (fcmToken === '') await asService(tx, () => savePhone(tx, before.id, null))
  await saveProfile(tx, before.id, changes)
}

/** A phone rings for as long as the sign-in that named it: an ID token alone, which may have been found, names none. */
const namePhone = async (tx: Tx, by: Caller, person: PersonRow, fcmToken: string, session: string | null) => {
  // Nobody hears of somebody else's notices on a phone of theirs.
  if (person.id !== by.id) throw refusal('access.forbidden')
  await holdSession(tx, by)
  await asService(tx, async () => {
    const familyId = await signInOf(tx, by.id, session)
    if (familyId === null) throw refusal('push.no-session')
    await unlinkFromOthers(tx, fcmToken, person.id)
    await savePhone(tx, person.id, { fcmToken, familyId })
  })
}

const changeAccountState = async (
  tx: Tx,
  caller: Caller,
  before: PersonRow,
  change: Partial<AccountState>,
  now: Date,
): Promise<PersonRow> => {
  // Whoever left the tenant, or came without one, would be out of this ADMIN's reach: or everywhere in it.
  if (caller.tenantId !== null && change.tenantId !== undefined && change.tenantId !== before.tenant_id)
    throw refusal('account.admin-only', 'Only the service’s own admin moves people between companies. Write to us.')
  return asService(tx, async () => {
    if (change.tenantId) await requireTenant(tx, change.tenantId)
    await keepAnAdmin(tx, caller, before, change)
    return setAccountState(tx, before, change, now, { by: caller.id })
  })
}

const bind = async (tx: Tx, caller: Caller, officer: PersonRow, editorId: string | null): Promise<void> => {
  if (editorId !== null) {
    if (!hasDuty(officer.role, 'film'))
      throw refusal('request.invalid', 'Only a loan officer has an editor of their own.', [
        { path: 'body.editorId', message: 'This person is no loan officer' },
      ])
    if (!(await findEditorFor(tx, caller, editorId, officer.tenant_id))) throw refusal('account.not-found')
  }
  await asService(tx, () => saveProfile(tx, officer.id, { editor_id: editorId }))
}

const yearBefore = (now: Date): string => new Date(now.getTime() - 366 * 86_400_000).toISOString().slice(0, 10)

const orNull = (text: string | undefined): string | null | undefined => (text === '' ? null : text)

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }
const omitUndefined = <T extends object>(parts: T): Defined<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Defined<T>
