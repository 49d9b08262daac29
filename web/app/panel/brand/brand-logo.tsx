import { useState } from 'react'
import type { Tenant } from '@clear-to-post/contract/tenants'
import { cx } from '../../ui/cx.ts'
import { Logo } from '../../ui/logo.tsx'

/** The tenant's logo where it has one, else ours. A logo is drawn for paper: by night it keeps a light ground of its own. */
export const BrandLogo = ({
  tenant,
  className,
  isWaiting = false,
}: {
  tenant: Pick<Tenant, 'name' | 'preferences'> | undefined
  className?: string
  /** Nothing is better than ours for the moment until the tenant's own is known. */
  isWaiting?: boolean
}) => {
  const address = tenant?.preferences.logoUrl ?? ''
  const [broken, setBroken] = useState('')
  if (isWaiting && tenant === undefined) return <span className="h-10 w-30" />
  if (address === '' || address === broken) return <Logo className={className ?? ''} />
  return (
    <span className={cx('-ml-1.5 inline-flex rounded-md bg-[light-dark(transparent,#f6f7f9)] px-1.5 py-1', className)}>
      <img
        src={address}
        alt={tenant?.name ?? ''}
        onError={() => setBroken(address)}
        className="h-8 max-w-34 object-contain object-left"
      />
    </span>
  )
}
