import { useEffect, useRef } from 'react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide-react'
import { accounts } from '@clear-to-post/contract/accounts'
import { tenants } from '@clear-to-post/contract/tenants'
import type { SetUpStep } from '@clear-to-post/domain/tenants'
import { query, send } from '../../api.ts'
import { paths } from '../../paths.ts'
import { changedUser, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './set-up-messages.ts'

/**
 * What is left to do until a company has its first approved video; null when nothing is, or where nobody asks for it. What
 * stands below it is not shown before that is known, or it would move.
 */
export const useSetUp = (company: string | undefined) => {
  const { data, isPending, failureCount } = useQuery({
    ...query(tenants.setUp, { params: { tenantId: company ?? '' } }),
    enabled: company !== undefined,
  })
  const isLeft = data?.steps.some(({ isDone }) => !isDone) ?? false
  return {
    steps: company !== undefined && isLeft ? data!.steps : null,
    isKnown: company === undefined || !isPending || failureCount > 0,
  }
}

/**
 * The steps of setting up a company, each leading to the very place where it is done. Its own admin puts them away: then they
 * are one line, on the page of the company alone (`isHome`).
 */
export const SetUpCard = ({
  tenantId,
  steps,
  isHome = false,
}: {
  tenantId: string
  steps: readonly Step[]
  isHome?: boolean
}) => {
  const user = useUser()
  const isOwn = user.tenantId === tenantId
  const isHidden = isOwn && user.preferences?.hidesSetUp === true
  const shown = useRef<HTMLHeadingElement>(null)
  const wasPressed = useRef(false)
  const show = async (hidesSetUp: boolean) => {
    const changed = await send(accounts.update, { body: { preferences: { hidesSetUp } } })
    wasPressed.current = true
    changedUser(changed)
  }
  useEffect(() => {
    if (!wasPressed.current) return
    wasPressed.current = false
    // The button that was pressed is gone with what it put away.
    ;(shown.current ?? document.querySelector<HTMLElement>('h1'))?.focus()
  }, [isHidden])
  const hide = () => void show(true).then(() => toastUndo(messages.hidden, () => show(false)), toastFailure)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)!.key
  const ways: Record<SetUpStep, LinkProps> = {
    officers: { to: paths.invitations, hash: user.tenantId === tenantId ? 'invite' : `invite-${tenantId}` },
    brand: { to: paths.tenant, params: { tenantId }, hash: 'look' },
    licences: { to: paths.tenant, params: { tenantId }, hash: 'licences' },
    plan: user.tenantId === tenantId ? { to: paths.plans } : { to: paths.plan, search: { company: tenantId } },
    video: { to: paths.newVideo },
    approval: { to: paths.review },
  }
  if (isHidden && !isHome) return null
  return (
    <section aria-labelledby="set-up" className="grid gap-4 rounded-card border border-line bg-surface p-4 md:p-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id="set-up" ref={shown} tabIndex={-1} className="text-base outline-none">
          {messages.title}
        </h2>
        <p className="text-muted">{messages.done(done, steps.length)}</p>
        {isOwn && (
          <Button
            variant="quiet"
            size="small"
            className="-my-2 ml-auto"
            onPress={isHidden ? () => void show(false).catch(toastFailure) : hide}
          >
            {isHidden ? messages.show : messages.hide}
          </Button>
        )}
      </div>
      {!isHidden && (
        <ol className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          {steps.map(({ key, isDone }) => (
            <li key={key} className="flex items-start gap-2.5">
              {isDone ? (
                <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
              ) : (
                <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
              )}
              <div className="grid gap-0.5">
                {isDone ? (
                  <p className="text-muted">
                    {messages.steps[key]} <span className="sr-only">{messages.isDone}</span>
                  </p>
                ) : (
                  <>
                    <Link
                      {...ways[key]}
                      className={`-my-3 inline-block py-3 underline underline-offset-2 ${key === next ? 'font-medium' : ''}`}
                    >
                      {messages.steps[key]}
                    </Link>
                    <p className="text-[0.8125rem] text-muted">{messages.why[key]}</p>
                  </>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

type Step = { key: SetUpStep; isDone: boolean }
