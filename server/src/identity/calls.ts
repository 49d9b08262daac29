import { identity } from '@clear-to-post/contract/identity'
import { security } from '@clear-to-post/contract/security'
import type { Tx } from '../kernel/database.ts'
import { on, onOpen, type Mounted, type OpenContext } from '../kernel/call.ts'
import {
  asOwner,
  askForPasskey,
  confirmIdentity,
  refreshSession,
  signInWithCustomToken,
  signInWithPasskey,
  signInWithPassword,
  signInWithSecondFactor,
  signOut,
} from './actions.ts'
import { secondsLeft } from './id-token.ts'
import type { Identity } from './open.ts'
import { sessionOrStepWith, sessionWith, waysIn } from './present.ts'
import { networkOf } from '../kernel/network.ts'
import { finishOAuth, signInWithProvider, type OpenProviderAccount } from './provider-sign-in.ts'
import { addFactor, changeSecurity } from './security-changes.ts'
import {
  addPasskey,
  confirmTotp,
  connectProvider,
  readSecurity,
  readWaysIn,
  removePasskey,
  removeProvider,
  removeTotp,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
  type Outcome,
} from './security.ts'

export { waysIn } from './present.ts'
export type { Identity, OpenProviderAccount }

export const identityCalls = (service: Identity, openProviderAccount: OpenProviderAccount): Mounted[] => [
  ...signInCalls(service, openProviderAccount),
  ...securityCalls(service),
]

const signInCalls = (service: Identity, openProviderAccount: OpenProviderAccount): Mounted[] => {
  const { cookie, keys, party, secondFactor: policy, oauthCookie } = service
  const sessionOrStep = sessionOrStepWith(service)
  const session = sessionWith(service)
  return [
    onOpen(identity.password, async ({ body: { email, password } }, at) =>
      sessionOrStep(
        await signInWithPassword(at.database, policy, { email, password, network: networkOf(at.request.ip) }, at.log),
        at,
      ),
    ),
    onOpen(identity.customToken, async ({ body }, at) =>
      sessionOrStep(await signInWithCustomToken(at.database, policy, body.token), at),
    ),
    onOpen(identity.providers, async () => ({ items: waysIn(service) })),
    onOpen(identity.provider, async ({ body }, at) =>
      sessionOrStep(
        await signInWithProvider(at, service, { ...body, browser: oauthCookie.read(at.request) }, openProviderAccount),
        at,
      ),
    ),
    onOpen(identity.passkeyStart, ({ body }, { database }) => askForPasskey(database, party, body.challenge ?? null)),
    onOpen(identity.passkey, async ({ body }, at) =>
      session(await signInWithPasskey(at.database, party, body.credential), at),
    ),
    onOpen(identity.secondFactor, async ({ body }, at) =>
      session(
        await signInWithSecondFactor(at.database, party, { ...body, network: networkOf(at.request.ip) }, at.now),
        at,
      ),
    ),
    onOpen(identity.refresh, async ({ body }, at) => {
      const secretHash = body?.secretHash === undefined ? null : Buffer.from(body.secretHash, 'base64url')
      const asker = { secretHash, secrets: body?.secrets ?? [] }
      return session(await refreshSession(at.database, cookie.read(at.request), asker), at)
    }),
    onOpen(identity.confirm, async ({ body }, { database, caller, request, now }) => {
      const mustEndAt = await confirmIdentity(
        database,
        party,
        caller!,
        { ...body, network: networkOf(request.ip) },
        cookie.read(request),
        now,
      )
      return {
        idToken: await service.signIdToken(caller!, mustEndAt, now),
        expiresIn: secondsLeft(mustEndAt, now.getTime()),
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
  const { providers, party, secondFactor: policy, oauthCookie } = service
  const rules = { policy, providers, party }
  const session = sessionWith(service)
  const changed = (at: OpenContext, work: (tx: Tx, personId: string) => Promise<void>) =>
    changeSecurity(at, async (tx, personId) => {
      await work(tx, personId)
      return readSecurity(tx, personId, rules)
    })
  const added = async (
    at: OpenContext,
    challenge: string | undefined,
    work: (tx: Tx, personId: string) => Promise<Outcome<string[]>>,
  ) => {
    const { recoveryCodes, opened } = await addFactor({ ...at, challenge }, work)
    return { recoveryCodes, session: opened && (await session(opened, at)) }
  }
  return [
    onOpen(security.read, (_input, { database, caller }) =>
      asOwner(database, caller!, (tx) => readSecurity(tx, caller!.id, rules)),
    ),
    on(security.ofPerson, ({ params: { userId } }, { tx, caller }) => readWaysIn(tx, caller, userId, policy)),
    onOpen(security.startTotp, ({ body }, at) => changeSecurity({ ...at, ...body }, startTotp)),
    onOpen(security.confirmTotp, ({ body: { challenge, code } }, at) =>
      added(at, challenge, (tx, id) =>
        confirmTotp(tx, id, { code, network: networkOf(at.request.ip) }, at.now.getTime()),
      ),
    ),
    onOpen(security.startPasskey, ({ body }, at) =>
      changeSecurity({ ...at, ...body }, (tx, id) => startPasskey(tx, party, id)),
    ),
    onOpen(security.addPasskey, ({ body: { challenge, ...made } }, at) =>
      added(at, challenge, (tx, id) => addPasskey(tx, party, id, made)),
    ),
    onOpen(security.removeTotp, (_input, at) => changed(at, (tx, id) => removeTotp(tx, id, rules))),
    onOpen(security.removePasskey, ({ body }, at) => changed(at, (tx, id) => removePasskey(tx, id, body.id, rules))),
    onOpen(security.newRecoveryCodes, (_input, at) =>
      changeSecurity(at, async (tx, id) => ({ recoveryCodes: await renewRecoveryCodes(tx, id) })),
    ),
    onOpen(security.connectProvider, async ({ body }, at) => {
      const returned = { ...body, browser: oauthCookie.read(at.request) }
      const claims = await finishOAuth(at.database, providers, returned, at.log)
      return changed(at, (tx, id) => connectProvider(tx, id, claims))
    }),
    onOpen(security.removeProvider, ({ body }, at) => changed(at, (tx, id) => removeProvider(tx, id, body.provider))),
  ]
}
