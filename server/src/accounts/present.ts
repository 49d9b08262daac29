import type { z } from 'zod'
import type { Person, Profile, User } from '@clear-to-post/contract/accounts'
import type { LicenceState } from '@clear-to-post/domain/licences'
import { dueTerms, type Accepted } from '@clear-to-post/domain/terms'
import { panelActionsOf, roomsOf } from '@clear-to-post/domain/panel'
import { pictureUrl } from '../assets/actions.ts'
import type { HandOver } from '../identity/actions.ts'
import type { Caller } from '../kernel/database.ts'
import type { CompanyOfPerson, PersonRow } from './store.ts'
import { sees } from '@clear-to-post/domain/access'

/** Which phone rings is told to its owner only, and who is shut out to an ADMIN only. */
export const presentUser = (p: PersonRow, viewer: Caller, now: Date): z.input<typeof User> => ({
  id: p.id,
  name: p.name,
  email: p.email,
  role: p.role,
  customerId: p.customer_id,
  preferences: {
    ...p.preferences,
    ...(typeof p.preferences.logo === 'string' ? { logo: pictureUrl(p.preferences.logo, now) } : {}),
  },
  timezone: p.time_zone,
  profession: p.profession ?? undefined,
  photoUrl: p.photo_url === null ? undefined : pictureUrl(p.photo_url, now),
  tenantId: p.tenant_id ?? undefined,
  editorId: p.editor_id ?? undefined,
  experienceId: p.experience_id ?? undefined,
  nmlsNumber: p.nmls_number ?? undefined,
  licenceStates: p.licence_states as LicenceState[],
  ...(p.id === viewer.id || sees(viewer.role, 'user.availability')
    ? { workWeek: p.work_week === null ? undefined : [...p.work_week], timeOff: p.time_off }
    : {}),
  ...(p.id === viewer.id ? { fcmToken: p.fcm_token ?? undefined } : {}),
  ...(sees(viewer.role, 'user.isDisabled') ? { isDisabled: p.is_disabled } : {}),
})

/** With what a page about them says. */
export const presentPerson = (
  p: PersonRow & { tenant_name: string | null; editor_name: string | null },
  viewer: Caller,
  now: Date,
): z.input<typeof Person> => ({
  ...presentUser(p, viewer, now),
  createdAt: p.created_at.toISOString(),
  isEmailVerified: p.email_verified_at !== null,
  tenantName: p.tenant_name ?? undefined,
  editorName: p.editor_name ?? undefined,
})

export const presentProfile = (
  p: PersonRow & CompanyOfPerson,
  viewer: Caller,
  { now, accepted, ownsAccounts }: { now: Date; accepted: readonly Accepted[]; ownsAccounts: boolean },
): z.input<typeof Profile> => ({
  ...presentUser(p, viewer, now),
  isEmailVerified: p.email_verified_at !== null,
  tenantName: p.tenant_name ?? undefined,
  ...(p.tenant_id === null
    ? {}
    : {
        companyLicences: {
          nmlsNumber: p.company_nmls_number ?? undefined,
          equalHousing: p.equal_housing ?? undefined,
        },
      }),
  rooms: roomsOf(viewer, { ownsAccounts }),
  actions: panelActionsOf(viewer),
  termsDue: dueTerms(accepted),
})

/** A token for another device. Behind the # of its address it stands in no server's log. */
export const presentHandOver = ({ token, endsAt }: HandOver, publicUrl: string) => ({
  token,
  url: `${publicUrl}/login#token=${token}`,
  endsAt: endsAt.toISOString(),
})
