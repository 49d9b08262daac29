import { z } from 'zod'
import { Email } from './accounts.ts'
import { call } from './call.ts'

/** The ways in beside a password (decisions 100 to 103). */
export const providers = { google: 'Google', apple: 'Apple' } as const
export type Provider = keyof typeof providers
export const Provider = z.enum(Object.keys(providers) as [Provider, ...Provider[]])

/** 256 bits, as base64url. */
const Secret = z.string().regex(/^[\w-]{43}$/)

/** An ID token (JWT, signed with a published key) and its life in seconds. The refresh token travels in a cookie only. */
export const Session = z.object({ idToken: z.string(), expiresIn: z.number().int() })

/**
 * The password (or Google, or Apple) was right, and there is one more step: a code or a passkey with this challenge, or
 * setting one up where the policy demands it and there is none. Ends after ten minutes.
 */
export const NextStep = z.object({
  challenge: z.string(),
  step: z.enum(['second-factor', 'set-up']),
  methods: z.array(z.enum(['totp', 'passkey', 'recovery-code'])),
})
export type NextStep = z.infer<typeof NextStep>

/** What a sign-in answers: the session, or the step that is left. */
const SignedIn = z.union([Session, NextStep])

/** A credential as browsers write it (WebAuthn's JSON); the service reads it byte by byte. */
export const Credential = z.object({
  id: z.string().max(2000),
  rawId: z.string().max(2000),
  type: z.literal('public-key'),
  response: z
    .record(z.string().max(100), z.unknown())
    .refine(({ transports }) => transports === undefined || z.array(z.string()).safeParse(transports).success, {
      message: 'This must be a list of texts.',
      path: ['transports'],
    }),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).default({}),
  authenticatorAttachment: z.string().max(100).nullish(),
})
/** What a browser's WebAuthn functions take as `optionsJSON`. */
export const CeremonyOptions = z.object({ options: z.record(z.string(), z.unknown()) })

export const Challenge = z.string().min(1).max(200)
export const Password = z.string().min(1).max(256)
/** What shows the second factor: six digits of the app, a recovery code, or a passkey. */
export const FactorProof = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('totp'), code: z.string().max(20) }),
  z.strictObject({ method: z.literal('recovery-code'), code: z.string().max(60) }),
  z.strictObject({ method: z.literal('passkey'), credential: Credential }),
])
export type FactorProof = z.infer<typeof FactorProof>
/** What came back from a provider, as its address or form said it. */
export const Returned = {
  state: z.string().min(20).max(200),
  code: z.string().min(1).max(4000),
  iss: z.string().max(500).optional(),
  /** Apple's, the first time only: JSON with the name. */
  user: z.string().max(4000).optional(),
}

export const identity = {
  password: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/password',
    summary: 'Sign in with e-mail and password',
    access: 'anyone',
    body: z.strictObject({ email: Email, password: Password }),
    returns: SignedIn,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.wrong-credentials', 'request.too-many'],
  }),
  customToken: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/custom-token',
    summary: 'Sign in with a single-use custom token',
    access: 'anyone',
    body: z.strictObject({ token: z.string().min(1).max(2000) }),
    returns: SignedIn,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.invalid-token', 'request.too-many'],
  }),
  providers: call({
    method: 'GET',
    base: '/identity',
    path: '/providers',
    summary: 'The ways in beside a password; a sandbox is a stand-in that asks for no account',
    access: 'anyone',
    returns: z.object({
      items: z.array(z.object({ provider: Provider, name: z.string(), isSandbox: z.boolean() })),
    }),
    unrecorded: true,
    perMinute: 120,
    refuses: ['request.too-many'],
  }),
  provider: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/provider',
    summary: 'Sign in with what Google or Apple sent back; the first time it opens an account',
    access: 'anyone',
    body: z.strictObject({
      ...Returned,
      invitationCode: z.string().trim().max(64).optional(),
      timezone: z.string().max(64).optional(),
    }),
    returns: SignedIn,
    unrecorded: true,
    perMinute: 60,
    refuses: [
      'session.provider-failed',
      'session.provider-unverified',
      'account.connect-first',
      'tenant.not-found',
      'tenant.full',
      'request.too-many',
    ],
  }),
  passkeyStart: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/passkey/start',
    summary: 'Ask for a passkey: any of this device, or, with a challenge, one of the person who is signing in',
    access: 'anyone',
    body: z.strictObject({ challenge: Challenge.optional() }),
    returns: CeremonyOptions,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.step-ended', 'request.too-many'],
  }),
  passkey: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/passkey',
    summary: 'Sign in with a passkey that also asked for finger, face or PIN',
    access: 'anyone',
    body: z.strictObject({ credential: Credential }),
    returns: Session,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.wrong-passkey', 'request.too-many'],
  }),
  secondFactor: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/second-factor',
    summary: 'The second step: six digits of the app, a passkey, or a recovery code',
    access: 'anyone',
    body: z.strictObject({ challenge: Challenge, proof: FactorProof }),
    returns: Session,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.step-ended', 'session.wrong-code', 'session.wrong-passkey', 'request.too-many'],
  }),
  refresh: call({
    method: 'POST',
    base: '/identity',
    path: '/refresh',
    summary:
      'A new ID token for the session in the cookie; the cookie is rotated. Who asks with the cookie of before, because the answer was lost, shows by `secrets` that it was they who asked; without that it counts as stolen',
    access: 'anyone',
    /**
     * `secretHash`: SHA-256 of a random secret, which the caller makes and keeps before it sends this. `secrets`: that of its last
     * request that was answered, and that of one since that was not; the latter is then this request's, too.
     */
    body: z.strictObject({ secretHash: Secret.optional(), secrets: z.array(Secret).max(2).optional() }).optional(),
    returns: Session,
    unrecorded: true,
    perMinute: 120,
    refuses: ['session.ended', 'request.too-many'],
  }),
  confirm: call({
    method: 'POST',
    base: '/identity',
    path: '/confirm',
    summary:
      'Confirm with my password, and my second step where I have one, that it is me; the ID token that it answers is good for the calls that need a fresh sign-in, for ten minutes',
    access: 'signed-in',
    body: z.strictObject({ password: Password, proof: FactorProof.optional() }),
    returns: Session,
    unrecorded: true,
    perMinute: 30,
    refuses: [
      'session.wrong-password',
      'session.second-step',
      'session.wrong-code',
      'session.wrong-passkey',
      'request.too-many',
    ],
  }),
  signOut: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-out',
    summary: 'End this session, or every session of this person',
    access: 'anyone',
    body: z.strictObject({ everywhere: z.boolean().default(false) }).optional(),
    returns: z.object({ success: z.literal(true) }),
    unrecorded: true,
    perMinute: 120,
    refuses: ['request.too-many'],
  }),
  keys: call({
    method: 'GET',
    base: '/identity',
    path: '/.well-known/jwks.json',
    summary: 'The public keys that verify our ID tokens (RFC 7517)',
    access: 'anyone',
    returns: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    unrecorded: true,
    perMinute: 600,
    refuses: ['request.too-many'],
  }),
}
