import { providers as names, type NextStep, type Provider } from '@clear-to-post/contract/identity'
import type { OpenContext } from '../kernel/call.ts'
import { secondsLeft } from './id-token.ts'
import type { Identity } from './open.ts'
import type { Opened } from './second-factor.ts'

/** The providers that this service offers beside a password. */
export const waysIn = ({ providers }: Pick<Identity, 'providers'>) =>
  Object.entries(providers).map(([provider, { isSandbox }]) => ({
    provider: provider as Provider,
    name: names[provider as Provider],
    isSandbox,
  }))

/** Answers an opened session: its ID token, and its refresh token as a cookie. */
export const sessionWith =
  ({ cookie, signIdToken }: Identity) =>
  async ({ person, refreshToken, mustEndAt }: Opened, { reply }: Pick<OpenContext, 'reply'>) => {
    cookie.write(reply, refreshToken)
    return { idToken: await signIdToken(person, mustEndAt), expiresIn: secondsLeft(mustEndAt, Date.now()) }
  }

/** Answers an opened session, or the step that is left. */
export const sessionOrStepWith = (service: Identity) => {
  const session = sessionWith(service)
  return async (outcome: Opened | NextStep, context: Pick<OpenContext, 'reply'>) =>
    'challenge' in outcome ? outcome : session(outcome, context)
}
