import { useState } from 'react'
import type { Tenant } from '@clear-to-post/contract/tenants'
import { inkOn, isColour } from '@clear-to-post/edit/contrast'

/** The tenant's icon, or its first letter on its first colour. */
export const TenantIcon = ({ tenant: { name, preferences } }: { tenant: Pick<Tenant, 'name' | 'preferences'> }) => {
  const [broken, setBroken] = useState('')
  const { iconUrl, primaryColor } = preferences
  const hasColour = isColour(primaryColor)
  return (
    <span
      aria-hidden
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-lg border border-line bg-sunken font-semibold text-muted uppercase"
      style={hasColour && !iconUrl ? { background: primaryColor, color: inkOn(primaryColor) } : undefined}
    >
      {iconUrl && iconUrl !== broken ? (
        <img src={iconUrl} alt="" className="size-full object-contain" onError={() => setBroken(iconUrl)} />
      ) : (
        [...name.trim()][0]
      )}
    </span>
  )
}
