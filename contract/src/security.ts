import { z } from 'zod'
import { call } from './call.ts'
import { CeremonyOptions, Challenge, Credential, Provider, Returned, Session } from './identity.ts'
import { visible } from './visible.ts'

/** The challenge of a sign-in that demands the set-up; without it, it is the caller's. */
const SetUp = z.strictObject({ challenge: Challenge.optional() })

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

/** What somebody signs in with, without anything that would help to. */
export const WaysIn = z.object({
  hasPassword: z.boolean(),
  hasApp: z.boolean(),
  passkeys: z.number().int(),
  recoveryCodesLeft: z.number().int(),
  /** Google or Apple, where it is connected. */
  providers: z.array(Provider),
  /** Whether company or service demand a second factor. */
  isRequired: z.boolean(),
  /** Of the sign-ins that are still known. */
  lastSignIn: Moment.optional(),
})
export type WaysIn = z.infer<typeof WaysIn>

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
  ofPerson: call({
    method: 'GET',
    base: '/identity',
    path: '/security/:userId',
    summary: 'What somebody within my reach signs in with',
    access: 'user.reset',
    params: z.object({ userId: z.uuid() }),
    returns: WaysIn,
    unrecorded: true,
    refuses: ['account.not-found'],
  }),
  startTotp: call({
    method: 'POST',
    base: '/identity',
    path: '/security/totp/start',
    summary: 'The secret for an authenticator app; it counts once a first code has confirmed it',
    access: 'anyone',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body: SetUp,
    returns: z.object({ secret: z.string(), uri: z.string() }),
    unrecorded: true,
    perMinute: 30,
    refuses: ['session.required', 'session.step-ended', 'security.has-totp', 'request.too-many'],
  }),
  confirmTotp: call({
    method: 'POST',
    base: '/identity',
    path: '/security/totp',
    summary: 'Confirm the authenticator app with its first code',
    access: 'anyone',
    needsFreshSignIn: true,
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
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body: SetUp,
    returns: CeremonyOptions,
    unrecorded: true,
    perMinute: 30,
    refuses: ['session.required', 'session.step-ended', 'security.too-many-passkeys', 'request.too-many'],
  }),
  addPasskey: call({
    method: 'POST',
    base: '/identity',
    path: '/security/passkeys',
    summary: 'Keep the passkey that the browser has made',
    access: 'anyone',
    needsFreshSignIn: true,
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
    needsFreshSignIn: true,
    returns: Security,
    unrecorded: true,
    refuses: ['security.last-factor'],
  }),
  removePasskey: call({
    method: 'POST',
    base: '/identity',
    path: '/security/passkeys/remove',
    summary: 'Take a passkey away',
    access: 'signed-in',
    needsFreshSignIn: true,
    body: z.strictObject({ id: z.uuid() }),
    returns: Security,
    unrecorded: true,
    refuses: ['security.last-factor'],
  }),
  newRecoveryCodes: call({
    method: 'POST',
    base: '/identity',
    path: '/security/recovery-codes',
    summary: 'New recovery codes; the ones before are no good any more',
    access: 'signed-in',
    needsFreshSignIn: true,
    returns: z.object({ recoveryCodes: z.array(z.string()) }),
    unrecorded: true,
    refuses: ['security.no-factor'],
  }),
  connectProvider: call({
    method: 'POST',
    base: '/identity',
    path: '/security/providers',
    summary: 'Connect my account with what Google or Apple sent back',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body: z.strictObject(Returned),
    returns: Security,
    unrecorded: true,
    refuses: ['session.provider-failed', 'security.connected-elsewhere'],
  }),
  removeProvider: call({
    method: 'POST',
    base: '/identity',
    path: '/security/providers/remove',
    summary: 'Sign in with Google or Apple no more',
    access: 'signed-in',
    needsFreshSignIn: true,
    body: z.strictObject({ provider: Provider }),
    returns: Security,
    unrecorded: true,
    refuses: ['security.last-way-in'],
  }),
}
