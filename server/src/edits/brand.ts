import type { Brand } from '@clear-to-post/edit/recipe'
import { smallPrint, type EqualHousing } from '@clear-to-post/domain/licences'
import { assetOfPicture } from '../assets/actions.ts'
import { sql, type Reader } from '../kernel/database.ts'
import type { EditedProject } from './store.ts'

/**
 * The look of a video: its officer's own brand kit, else its company's, else ours. Of an officer who is in another company
 * now, the video's company reads nothing but the name.
 */
export const brandOf = async (
  tx: Reader,
  { user_id: userId, tenant_id: tenantId }: Pick<EditedProject, 'user_id' | 'tenant_id'>,
): Promise<Brand> => {
  const found = (await tx.first(sql<{
    name: string
    profession: string | null
    preferences: Record<string, unknown>
    company: string | null
    nmls_number: string | null
    company_nmls_number: string | null
    equal_housing: EqualHousing | null
    company_preferences: Record<string, unknown> | null
  }>`
    select p.name, case when own.is_here then p.profession end as profession,
      case when own.is_here then p.preferences else '{}' end as preferences,
      case when own.is_here then p.nmls_number end as nmls_number, t.nmls_number as company_nmls_number, t.equal_housing,
      t.name as company, t.preferences as company_preferences
    from person p cross join lateral (select p.tenant_id is not distinct from ${tenantId}::uuid as is_here) own
    left join tenant t on t.id = ${tenantId}::uuid where p.id = ${userId}`))!
  const { preferences: own, company_preferences: companyKit } = found
  const either = (name: string, ours: string) => text(own[name]) || text(companyKit?.[name]) || ours
  return {
    primary: either('primaryColor', '#2647e0'),
    secondary: either('secondaryColor', '#ff5a3c'),
    logo: assetOfPicture(text(own.logo)) ?? assetOfPicture(text(companyKit?.logoUrl)) ?? null,
    name: found.name,
    line: [found.profession, found.company, handleIn(text(own['instagramLink']))].filter(Boolean).join(' · '),
    legal: smallPrint({
      nmlsNumber: found.nmls_number,
      company: { nmlsNumber: found.company_nmls_number, equalHousing: found.equal_housing },
    }),
  }
}

/** `@name` of an address of Instagram's; empty where it names nobody. */
const handleIn = (address: string): string => {
  const name = /^https?:\/\/(?:www\.)?instagram\.com\/([\w.]{1,30})\/?(?:[?#]|$)/i.exec(address)?.[1]
  return name ? `@${name}` : ''
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
