import type { CSSProperties } from 'react'
import { Clapperboard, Plus, ScrollText } from 'lucide-react'
import type { Tenant } from '@clear-to-post/contract/tenants'
import { buttonLook } from '../../ui/button-look.ts'
import { cx } from '../../ui/cx.ts'
import { BrandLogo } from '../brand/brand-logo.tsx'
import { previewTokens, shiftOf, type Brand, type Theme } from '../brand/tokens.ts'
import { messages } from './messages.ts'

/** The panel's head in a tenant's colours, by day and by night, and what was moved to stay readable. */
export const BrandPreview = ({ brand, tenant }: { brand: Brand; tenant: Pick<Tenant, 'name' | 'preferences'> }) => (
  <div className="grid gap-3">
    <h3 className="font-sans text-[0.8125rem] font-medium tracking-normal">{messages.preview}</h3>
    <Head theme="light" brand={brand} tenant={tenant} />
    <Head theme="dark" brand={brand} tenant={tenant} />
  </div>
)

const Head = ({
  theme,
  brand,
  tenant,
}: {
  theme: Theme
  brand: Brand
  tenant: Pick<Tenant, 'name' | 'preferences'>
}) => {
  const shift = shiftOf(brand, theme)
  const name = theme === 'light' ? messages.previewDay : messages.previewNight
  const style = previewTokens(brand, theme) as CSSProperties
  return (
    <figure className="grid gap-1.5">
      <div
        role="img"
        aria-label={messages.previewOf(name)}
        inert
        style={style}
        className={cx(
          'grid grid-cols-[8.5rem_minmax(0,1fr)] overflow-hidden rounded-control border border-line bg-canvas text-[0.8125rem] text-ink',
          theme === 'light' ? 'scheme-light' : 'scheme-dark',
        )}
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2.5 overflow-hidden border-r border-line bg-surface p-2.5">
          <BrandLogo tenant={tenant} className="h-10 origin-left scale-90" />
          <span className="flex h-7 items-center gap-1.5 rounded-md bg-primary-tint px-2 font-medium text-primary-text">
            <Clapperboard className="size-3.5" />
            {messages.sample.entry}
          </span>
          <span className="flex h-7 items-center gap-1.5 px-2">
            <ScrollText className="size-3.5 text-muted" />
            {messages.sample.other}
          </span>
        </div>
        <div className="min-w-0">
          <div className="flex h-12 items-center justify-between gap-2 border-b border-line bg-surface px-3">
            <span className="truncate font-display text-base font-bold">{messages.sample.title}</span>
            <span className={buttonLook({ variant: 'primary', size: 'small' })} style={{ minHeight: 0 }}>
              <Plus />
              <span className="max-sm:hidden">{messages.sample.button}</span>
            </span>
          </div>
          <div className="grid gap-2 p-3">
            <span className="relative block h-4">
              <span className="ruler absolute inset-x-0 top-1 h-3" />
              <span className="absolute top-0 left-10 h-4 w-0.5 bg-coral" />
            </span>
            <span className="text-primary-text underline underline-offset-4">{messages.sample.link}</span>
          </div>
        </div>
      </div>
      <figcaption className="text-[0.8125rem] text-muted">
        {name}: {shift === 0 ? messages.asIs : theme === 'light' ? messages.darkened(shift) : messages.lightened(shift)}
      </figcaption>
    </figure>
  )
}
