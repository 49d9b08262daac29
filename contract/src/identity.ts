import { z } from 'zod'
import { Email } from './accounts.ts'
import { call } from './call.ts'

/** An ID token (JWT, signed with a published key) and its life in seconds. The refresh token travels in a cookie only. */
export const Session = z.object({ idToken: z.string(), expiresIn: z.number().int() })

export const identity = {
  password: call({
    method: 'POST',
    base: '/identity',
    path: '/sign-in/password',
    summary: 'Sign in with e-mail and password',
    access: 'anyone',
    body: z.strictObject({ email: Email, password: z.string().min(1).max(256) }),
    returns: Session,
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
    returns: Session,
    unrecorded: true,
    perMinute: 60,
    refuses: ['session.invalid-token', 'request.too-many'],
  }),
  refresh: call({
    method: 'POST',
    base: '/identity',
    path: '/refresh',
    summary: 'A new ID token for the session in the cookie; the cookie is rotated',
    access: 'anyone',
    returns: Session,
    unrecorded: true,
    perMinute: 120,
    refuses: ['session.ended', 'request.too-many'],
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
