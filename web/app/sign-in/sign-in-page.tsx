import { useEffect, useState } from 'react'
import { getRouteApi, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { useSession } from '../session.ts'
import { SiteShell } from '../site/shell.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { CarriedForm } from './carried-form.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { InvitedForm } from './invited-form.tsx'
import { messages } from './messages.ts'
import { panelAddress } from './panel-address.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { DemandedSetUp } from './demanded-set-up.tsx'
import { SecondFactorForm } from './second-factor-form.tsx'

const route = getRouteApi('/login')

/**
 * The way in: e-mail and password, Google, Apple, a passkey, a link with a custom token (`/login#token=…`), which signs in
 * only by a press, or a new account by invitation; then the second step, where there is one.
 */
export const SignInPage = () => {
  const { isAuthenticated, step, hasEnded, isSigningOut } = useSession()
  const { next, invitation, mode } = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const hash = useLocation({ select: (at) => at.hash })
  const isSignUp = mode === 'sign-up' || invitation !== undefined
  const isForgot = mode === 'forgot'
  const [carried, setCarried] = useState(() => inAddress('token'))
  const [invited, setInvited] = useState(() => inAddress('invited'))
  const isInvited = mode === 'invited'

  useEffect(() => {
    // Who follows a link while they are signed in is asked first.
    if (!isAuthenticated || carried !== null || isInvited) return
    const to = panelAddress(next)
    if (to !== null) router.history.replace(to)
    else void navigate({ to: paths.panel, replace: true })
  }, [isAuthenticated, carried, isInvited, next, navigate, router])

  useEffect(() => {
    const [token, invitedBy] = [inAddress('token'), inAddress('invited')]
    if (token === null && invitedBy === null) return
    // Out of the address before anything else: it must not stay in the history or be shared.
    history.replaceState(history.state, '', location.pathname + location.search)
    if (token !== null) setCarried(token)
    if (invitedBy !== null) setInvited(invitedBy)
  }, [hash])

  const form =
    step?.step === 'second-factor' ? (
      <SecondFactorForm step={step} />
    ) : step ? (
      <DemandedSetUp step={step} />
    ) : isInvited ? (
      <InvitedForm token={invited} onEnd={() => void navigate({ to: paths.login, replace: true })} />
    ) : carried !== null ? (
      <CarriedForm token={carried} onEnd={() => setCarried(null)} />
    ) : isSignUp ? (
      <SignUpForm invitation={invitation} />
    ) : isForgot ? (
      <ForgotForm />
    ) : (
      <SignInForm />
    )

  return (
    <SiteShell>
      <title>{`${step ? messages.stepTitle : isInvited ? messages.invitedPage : carried !== null ? messages.carriedTitle : isSignUp ? messages.signUpTitle : isForgot ? messages.forgotTitle : messages.signInTitle} · Clear to Post`}</title>
      <div className="flex items-start justify-center px-4 pt-[min(8dvh,4rem)] pb-16 text-sm">
        <div className="w-full max-w-105">
          <div aria-hidden className="relative h-6">
            <div className="ruler absolute inset-x-0 top-2 h-3" />
            <div className="absolute top-0 left-10 h-5 w-0.5 rounded-full bg-coral" />
          </div>
          <div className="rounded-card border border-line bg-surface p-6 sm:p-8">
            {isSigningOut && (
              <p role="status" className="mb-5 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
                {messages.signingOut}
              </p>
            )}
            {hasEnded && step === null && carried === null && (
              <p role="status" className="mb-5 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
                {messages.ended}
              </p>
            )}
            {form}
          </div>
          <p className="mt-4 px-2 text-center text-[0.8125rem] text-muted">
            {messages.agree}{' '}
            <a href={paths.terms} className="underline underline-offset-2 hover:text-ink">
              {messages.toTerms}
            </a>{' '}
            {messages.and}{' '}
            <a href={paths.privacy} className="underline underline-offset-2 hover:text-ink">
              {messages.toPrivacy}
            </a>
            .
          </p>
        </div>
      </div>
      <Toasts />
    </SiteShell>
  )
}

const inAddress = (name: 'token' | 'invited'): string | null =>
  // Not while the page is prerendered.
  typeof location === 'undefined' ? null : new URLSearchParams(location.hash.slice(1)).get(name)
