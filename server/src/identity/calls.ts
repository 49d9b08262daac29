import { refusal } from '@clear-to-post/contract/errors'
import { identity, providers as names, type NextStep, type Provider } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import type { Caller, Tx } from '../kernel/database.ts'
import { asService } from '../kernel/tenancy.ts'
import { onOpen, type Mounted, type OpenContext } from '../kernel/call.ts'
import {
  challengeOwner,
  confirmIdentity,
  originOf,
  refreshSession,
  signInAfterSetUp,
  signInWithCustomToken,
  signInWithPasskey,
  signInWithPassword,
  signInWithSecondFactor,
  signOut,
  tooManyCodes,
} from './actions.ts'
import { secondsLeft } from './id-token.ts'
import type { Identity } from './open.ts'
import { passkeyPrompt, passkeyQuestion } from './passkeys.ts'
import { finishOAuth, signInByClaims } from './provider-sign-in.ts'
import type { Opened } from './second-factor.ts'
import {
  addPasskey,
  confirmTotp,
  connectProvider,
  readSecurity,
  removePasskey,
  removeProvider,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
  type Outcome,
} from './security.ts'
import { factorsOf } from './factor-store.ts'

export type { Identity }

/** Opens an account for somebody whom a provider vouches for; answers its id. The room of accounts does it. */
export type OpenProviderAccount = (
  tx: Tx,
  claims: { email: string | null; isEmailVerified: boolean; name: string | null },
  asked: { invitationCode?: string | undefined; timezone?: string | undefined },
) => Promise<string>

export const identityCalls = (service: Identity, openProviderAccount: OpenProviderAccount): Mounted[] => [
  ...signInCalls(service, openProviderAccount),
  ...securityCalls(service),
]

/** The providers that this service offers beside a password. */
export const waysIn = ({ providers }: Identity) =>
  Object.entries(providers).map(([provider, { isSandbox }]) => ({
    provider: provider as Provider,
    name: names[provider as Provider],
    isSandbox,
  }))

const signInCalls = (service: Identity, openProviderAccount: OpenProviderAccount): Mounted[] => {
  const { cookie, keys, providers, party, secondFactor, walkCookie } = service
  const answer = answerOf(service)
  const session = sessionOf(service)
  return [
    onOpen(identity.password, async ({ body }, context) =>
      answer(await signInWithPassword(context.database, secondFactor, body.email, body.password), context),
    ),
    onOpen(identity.customToken, async ({ body }, context) =>
      answer(await signInWithCustomToken(context.database, secondFactor, body.token), context),
    ),
    onOpen(identity.providers, async () => ({ items: waysIn(service) })),
    onOpen(identity.provider, async ({ body: { invitationCode, timezone, ...returned } }, context) => {
      const { database, log, request } = context
      const claims = await finishOAuth(database, providers, { ...returned, browser: walkCookie.read(request) }, log)
      const opened = await database.asSystem((tx) =>
        signInByClaims(tx, claims, secondFactor, () => openProviderAccount(tx, claims, { invitationCode, timezone })),
      )
      return answer(opened, context)
    }),
    onOpen(identity.passkeyStart, ({ body: { challenge } }, { database }) =>
      database.asSystem(async (tx) => {
        const personId = challenge === undefined ? null : await challengeOwner(tx, 'second-factor', challenge)
        if (challenge !== undefined && personId === null) throw refusal('session.step-ended')
        return { options: await passkeyPrompt(tx, party, personId) }
      }),
    ),
    onOpen(identity.passkey, async ({ body }, context) =>
      session(await signInWithPasskey(context.database, party, body.credential), context),
    ),
    onOpen(identity.secondFactor, async ({ body }, context) =>
      session(await signInWithSecondFactor(context.database, party, body, context.now), context),
    ),
    onOpen(identity.refresh, async (_input, context) =>
      session(await refreshSession(context.database, cookie.read(context.request)), context),
    ),
    onOpen(identity.confirm, async ({ body }, { database, caller, request, now }) => {
      await confirmIdentity(database, party, caller!, body, now)
      const { mustEndAt: endsAt } = await asThem(database, caller!, (tx) => originOf(tx, caller!, cookie.read(request)))
      return {
        idToken: await service.signIdToken(caller!, endsAt, now),
        expiresIn: secondsLeft(endsAt, now.getTime()),
      }
    }),
    onOpen(identity.signOut, async ({ body }, { database, caller, request, reply }) => {
      const token = cookie.read(request)
      await signOut(database, { token, callerId: caller?.id ?? null, everywhere: body?.everywhere ?? false })
      cookie.clear(reply)
      return { success: true as const }
    }),
    onOpen(identity.keys, async () => ({ keys: (await keys.published()) as Record<string, unknown>[] })),
  ]
}

const securityCalls = (service: Identity): Mounted[] => {
  const { providers, party, secondFactor: policy, walkCookie } = service
  const rules = { policy, providers, party }
  const open = sessionOf(service)

  /** Does a change of what the caller signs in with. */
  const changing = async <T>(
    { database, caller }: OpenContext,
    work: (tx: Tx, personId: string) => Promise<T>,
  ): Promise<T> => {
    if (!caller) throw refusal('session.required')
    return asThem(database, caller, (tx) => work(tx, caller.id))
  }
  /** The same, also for who has no session yet, because a factor is demanded first. */
  const settingUp = async <T>(
    context: OpenContext,
    challenge: string | undefined,
    work: (tx: Tx, personId: string) => Promise<T>,
  ): Promise<T> =>
    challenge === undefined
      ? changing(context, work)
      : context.database.asSystem(async (tx) => work(tx, await demandedOf(tx, challenge)))
  /** Ends the adding of a factor: the caller shows by code or credential that it was they who began. */
  const adding = async (
    context: OpenContext,
    challenge: string | undefined,
    work: (tx: Tx, personId: string) => Promise<Outcome<string[]>>,
  ) => {
    const { database } = context
    const outcome = await settingUp(context, challenge, work)
    // Thrown after the commit: a wrong try counts.
    if ('refused' in outcome)
      throw refusal(outcome.refused, outcome.refused === 'request.too-many' ? tooManyCodes : undefined)
    const session = challenge === undefined ? null : await open(await signInAfterSetUp(database, challenge), context)
    return { recoveryCodes: outcome.done, session }
  }

  return [
    onOpen(security.read, (_input, { database, caller }) =>
      asThem(database, caller!, (tx) => readSecurity(tx, caller!.id, rules)),
    ),
    onOpen(security.startTotp, ({ body }, context) => settingUp(context, body.challenge, startTotp)),
    onOpen(security.confirmTotp, ({ body: { challenge, code } }, context) =>
      adding(context, challenge, (tx, id) => confirmTotp(tx, id, code, context.now.getTime())),
    ),
    onOpen(security.startPasskey, ({ body }, context) =>
      settingUp(context, body.challenge, async (tx, id) => ({
        options: await passkeyQuestion(tx, party, { id, ...(await factorsOf(tx, id))! }),
      })),
    ),
    onOpen(security.addPasskey, ({ body: { challenge, ...made } }, context) =>
      adding(context, challenge, (tx, id) => addPasskey(tx, party, id, made)),
    ),
    onOpen(security.removeTotp, (_input, context) =>
      changing(context, async (tx, id) => {
        await removeTotp(tx, id, rules)
        return readSecurity(tx, id, rules)
      }),
    ),
    onOpen(security.removePasskey, ({ body }, context) =>
      changing(context, async (tx, id) => {
        await removePasskey(tx, id, body.id, rules)
        return readSecurity(tx, id, rules)
      }),
    ),
    onOpen(security.newRecoveryCodes, (_input, context) =>
      changing(context, async (tx, id) => ({ recoveryCodes: await renewRecoveryCodes(tx, id) })),
    ),
    onOpen(security.connectProvider, async ({ body: returned }, context) => {
      const { database, log, request } = context
      const claims = await finishOAuth(database, providers, { ...returned, browser: walkCookie.read(request) }, log)
      return asThem(database, context.caller!, async (tx) => {
        await connectProvider(tx, context.caller!.id, claims)
        return readSecurity(tx, context.caller!.id, rules)
      })
    }),
    onOpen(security.removeProvider, ({ body }, context) =>
      changing(context, async (tx, id) => {
        await removeProvider(tx, id, body.provider)
        return readSecurity(tx, id, rules)
      }),
    ),
  ]
}

/** A session with its cookie. */
const sessionOf =
  ({ cookie, signIdToken }: Identity) =>
  async ({ person, refreshToken, mustEndAt }: Opened, { reply }: OpenContext) => {
    cookie.write(reply, refreshToken)
    return { idToken: await signIdToken(person, mustEndAt), expiresIn: secondsLeft(mustEndAt, Date.now()) }
  }

/** A session, or the step that is left. */
const answerOf = (service: Identity) => {
  const session = sessionOf(service)
  return async (outcome: Opened | NextStep, context: OpenContext) =>
    'challenge' in outcome ? outcome : session(outcome, context)
}

/** As the service, once the database has said that this caller's session still counts. */
const asThem = <T>(database: OpenContext['database'], caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.inTenant(caller, (tx) => asService(tx, () => work(tx)))

const demandedOf = async (tx: Tx, challenge: string): Promise<string> => {
  const personId = await challengeOwner(tx, 'set-up', challenge)
  if (personId === null) throw refusal('session.step-ended')
  return personId
}
