import type { z } from 'zod'
import type { Profile, User } from '@clear-to-post/contract/accounts'
import type { PersonRow } from './store.ts'

export const presentUser = (p: PersonRow): z.input<typeof User> => ({
  id: p.id,
  name: p.name,
  email: p.email,
  role: p.role,
  customerId: p.customer_id,
  preferences: p.preferences,
  timezone: p.time_zone,
  fcmToken: p.fcm_token ?? undefined,
  profession: p.profession ?? undefined,
  photoUrl: p.photo_url ?? undefined,
  tenantId: p.tenant_id ?? undefined,
  editorId: p.editor_id ?? undefined,
  experienceId: p.experience_id ?? undefined,
})

export const presentProfile = (p: PersonRow & { tenant_name: string | null }): z.input<typeof Profile> => ({
  ...presentUser(p),
  tenantName: p.tenant_name ?? undefined,
})
