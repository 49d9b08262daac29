import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { tenants, type Tenant } from '@clear-to-post/contract/tenants'
import { query } from '../../api.ts'
import { onSignedOut } from '../../session.ts'
import { brandVariables } from './tokens.ts'
import { onDevice } from '../../storage.ts'

/**
 * Paints the panel in the tenant's two colours, and keeps them on this device so that the next visit begins in them
 * (`public/theme.js` paints them before the first script). Answers the tenant when it is known. Only for people of a tenant.
 */
export const useBrand = (): Tenant | undefined => {
  const tenant = useQuery(myTenant).data
  const preferences = tenant?.preferences
  const tokens =
    preferences &&
    JSON.stringify(brandVariables({ primary: preferences.primaryColor, secondary: preferences.secondaryColor }))
  useEffect(() => {
    if (tokens !== undefined) paint(JSON.parse(tokens) as Record<string, string>)
  }, [tokens])
  return tenant
}

/** Signed picture addresses end after some hours, and a panel stays open longer. */
const hour = 60 * 60_000
export const myTenant = { ...query(tenants.me, {}), staleTime: hour / 2, refetchInterval: hour }

/** Puts tokens on the page and on this device; an empty set takes them away. */
export const paint = (tokens: Record<string, string>): void => {
  const { style } = document.documentElement
  const isPlain = Object.keys(tokens).length === 0
  const before = Array.from(style).filter((name) => name.startsWith('--brand-'))
  for (const name of before) if (!(name in tokens)) style.removeProperty(name)
  for (const [name, value] of Object.entries(tokens)) style.setProperty(name, value)
  if (isPlain) onDevice.drop('brand')
  else onDevice.keep('brand', JSON.stringify(tokens))
}

// The next person at this device may be of another company.
onSignedOut(() => paint({}))
