import { KeyRound } from 'lucide-react'
import type { Provider } from '@clear-to-post/contract/identity'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { messages } from './messages.ts'
import { ProviderMark } from './provider-mark.tsx'

export type Way = { provider: Provider; name: string; isSandbox: boolean }

/** What stands on a provider's button. */
export const WayWords = ({ name, isSandbox }: Pick<Way, 'name' | 'isSandbox'>) => (
  <>
    {messages.continueWith(name)}
    {isSandbox && (
      <span className="rounded-sm bg-warn-tint px-1.5 text-xs font-semibold text-warn">{messages.sandbox}</span>
    )}
  </>
)

/** The ways in beside a password, as the prerendered page shows them until the app is there (provider-buttons.tsx). */
export const StaticProviderButtons = ({ ways }: { ways: readonly Way[] }) => (
  <div className={cx(waysLook, ways.length === 0 && 'only-with-passkeys')}>
    <p className={orLook}>{messages.or}</p>
    {ways.map(({ provider, name, isSandbox }) => (
      <button
        key={provider}
        type="button"
        data-way={provider}
        data-provider={provider}
        data-name={name}
        data-sandbox={isSandbox ? 'yes' : 'no'}
        className={cx(buttonLook({ size: 'large' }), wayLook)}
      >
        <ProviderMark provider={provider} />
        <WayWords name={name} isSandbox={isSandbox} />
      </button>
    ))}
    <button type="button" data-way="passkey" className={cx(buttonLook({ size: 'large' }), 'only-with-passkeys')}>
      <KeyRound aria-hidden />
      {messages.withPasskey}
    </button>
  </div>
)

export const waysLook = 'grid gap-2.5'
/** Words that need a second line get one, inside the button. */
export const wayLook = 'h-auto! min-h-11 px-3! py-1.5'
export const orLook =
  'flex items-center gap-3 text-[0.8125rem] text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line'
