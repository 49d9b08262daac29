import type { z } from 'zod'
import type { Invitation } from '@clear-to-post/contract/tenants'
import type { TenantRow } from './store.ts'

export const presentInvitation = ({ name, preferences }: TenantRow, seatsLeft: number): z.input<typeof Invitation> => ({
  name,
  logoUrl: preferences.logoUrl ?? '',
  primaryColor: preferences.primaryColor ?? '',
  secondaryColor: preferences.secondaryColor ?? '',
  seatsLeft,
})
