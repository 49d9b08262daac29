import { z } from 'zod'
import { call } from './call.ts'
import { CeremonyOptions, Challenge, Credential, Password, Provider, Returned, Session } from './identity.ts'
import { visible } from './visible.ts'

/** What shows that it is you who changes what you sign in with. Without it the sign-in must be of the last ten minutes. */
const Proof = z.strictObject({ password: Password.optional() })
/** The same, or the challenge of a sign-in that demands the set-up. */
const SetUpProof = Proof.extend({ challenge: Challenge.optional() })

const Moment = z.iso.datetime()
export const Security = z.object({
  hasPassword: z.boolean(),
  /** Whether company or service demand a second factor. */
  isRequired: z.boolean(),
  totp: z.object({ addedAt: Moment }).nullable(),
  passkeys: z.array(z.object({ id: z.uuid(), name: z.string(), addedAt: Moment, lastUsedAt: Moment.nullable() })),
  recoveryCodesLeft: z.number().int(),
  /** Every provider that is configured, connected or not. */
  providers: z.array(
    z.object({
      provider: Provider,
      isConnected: z.boolean(),
      email: z.string().nullable(),
    }),
  ),
})
export type Security = z.infer<typeof Security>

/** A factor was added. The codes come with the first one, and are shown this once; the session ends a demanded set-up. */
const Added = z.object({ recoveryCodes: z.array(z.string()), session: Session.nullable() })

/** What one signs in with beside the address: set up, looked at and taken away. */
export const security = {
  read: call({
    method: 'GET',
    base: '/identity',
    path: '/security',
    summary: 'What I sign in with',
    access: 'signed-in',
    returns: Security,
    unrecorded: true,
    refuses: [],
  }),
  startTotp: call({
    method: 'POST',
    base: '/identity',
    path: '/security/totp/start',
    summary: 'The secret for an authenticator app; it counts once a first code has confirmed it',
    access: 'anyone',
    needsVerifiedAddress: true,
    body: SetUpProof,
    returns: z.object({ secret: z.string(), uri: z.string() }),
    unrecorded: true,
    perMinute: 30,
    refuses: [
      'session.required',
      'session.step-ended',
      'session.not-fresh',
      'session.wrong-password',
      'security.has-totp',
      'request.too-many',
    ],
  }),
  confirmTotp: call({
    method: 'POST',
    base: '/identity',
    path: '/security/totp',
    summary: 'Confirm the authenticator app with its first code',
    access: 'anyone',
    needsVerifiedAddress: true,
    body: z.strictObject({ challenge: Challenge.optional(), code: z.string().max(20) }),
    returns: Added,
    unrecorded: true,
    perMinute: 30,
    refuses: ['session.required', 'session.step-ended', 'session.wrong-code', 'request.too-many'],
  }),
  startPasskey: call({
    method: 'POST',
    base: '/identity',
    path: '/security/passkeys/start',
    summary: 'What the browser needs to make a passkey',
    access: 'anyone',
    needsVerifiedAddress: true,
    body: SetUpProof,
    returns: CeremonyOptions,
    unrecorded: true,
    perMinute: 30,
    refuses: [
      'session.required',
      'session.step-ended',
      'session.not-fresh',
      'session.wrong-password',
      'security.too-many-passkeys',
      'request.too-many',
    ],
  }),
  addPasskey: call({
    method: 'POST',
    base: '/identity',
    path: '/security/passkeys',
    summary: 'Keep the passkey that the browser has made',
    access: 'anyone',
    needsVerifiedAddress: true,
    body: z.strictObject({
      challenge: Challenge.optional(),
      name: visible(60),
      credential: Credential,
    }),
    returns: Added,
    unrecorded: true,
    perMinute: 30,
    refuses: ['session.required', 'session.step-ended', 'session.wrong-passkey', 'request.too-many'],
  }),
  removeTotp: call({
    method: 'POST',
    base: '/identity',
    path: '/security/totp/remove',
    summary: 'Take the authenticator app away',
    access: 'signed-in',
    body: Proof,
    returns: Security,
    unrecorded: true,
    refuses: ['session.not-fresh', 'session.wrong-password', 'security.last-factor', 'request.too-many'],
  }),
  removePasskey: call({
    method: 'POST',
    base: '/identity',
    path: '/security/passkeys/remove',
    summary: 'Take a passkey away',
    access: 'signed-in',
    body: Proof.extend({ id: z.uuid() }),
    returns: Security,
    unrecorded: true,
    refuses: ['session.not-fresh', 'session.wrong-password', 'security.last-factor', 'request.too-many'],
  }),
  newRecoveryCodes: call({
    method: 'POST',
    base: '/identity',
    path: '/security/recovery-codes',
    summary: 'New recovery codes; the ones before are no good any more',
    access: 'signed-in',
    body: Proof,
    returns: z.object({ recoveryCodes: z.array(z.string()) }),
    unrecorded: true,
    refuses: ['session.not-fresh', 'session.wrong-password', 'security.no-factor', 'request.too-many'],
  }),
  connectProvider: call({
    method: 'POST',
    base: '/identity',
    path: '/security/providers',
    summary: 'Connect my account with what Google or Apple sent back',
    access: 'signed-in',
    needsVerifiedAddress: true,
    body: z.strictObject({ ...Returned, password: Password.optional() }),
    returns: Security,
    unrecorded: true,
    refuses: [
      'session.not-fresh',
      'session.wrong-password',
      'session.provider-failed',
      'security.connected-elsewhere',
      'request.too-many',
    ],
  }),
  removeProvider: call({
    method: 'POST',
    base: '/identity',
    path: '/security/providers/remove',
    summary: 'Sign in with Google or Apple no more',
    access: 'signed-in',
    body: Proof.extend({ provider: Provider }),
    returns: Security,
    unrecorded: true,
    refuses: ['session.not-fresh', 'session.wrong-password', 'security.last-way-in', 'request.too-many'],
  }),
}
