import type { Brand } from '@clear-to-post/edit/recipe'
import { assetOfPicture } from '../assets/actions.ts'
import { sql, type Reader } from '../kernel/database.ts'

/** The look of an officer's videos: their own brand kit, else their company's, else ours. */
export const brandOf = async (tx: Reader, userId: string): Promise<Brand> => {
  const found = (await tx.first(sql<{
    name: string
    profession: string | null
    preferences: Record<string, unknown>
    company: string | null
    company_preferences: Record<string, unknown> | null
  }>`
    select p.name, p.profession, p.preferences, t.name as company, t.preferences as company_preferences
    from person p left join tenant t on t.id = p.tenant_id where p.id = ${userId}`))!
  const { preferences: own, company_preferences: companyKit } = found
  const either = (name: string, ours: string) => text(own[name]) || text(companyKit?.[name]) || ours
  return {
    primary: either('primaryColor', '#2647e0'),
    secondary: either('secondaryColor', '#ff5a3c'),
    logo: assetOfPicture(text(own.logo)) ?? assetOfPicture(text(companyKit?.logoUrl)) ?? null,
    name: found.name,
    line: [found.profession, found.company].filter(Boolean).join(' · '),
    legal: '',
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
