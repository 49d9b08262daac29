import { BrandLogo } from './brand-logo.tsx'
import { useBrand } from './use-brand.ts'

/** The tenant's logo at the head of the panel; paints the panel in its colours as well. Loaded only for people of a tenant. */
export const TenantLogo = () => <BrandLogo tenant={useBrand()} isWaiting />
