import type { Failure } from './failure.ts'
import type { Kind } from './kinds.ts'
import { refusalsOfMoney } from './refusals-of-money.ts'
import { refusalsOfPeople } from './refusals-of-people.ts'
import { refusalsOfVideos } from './refusals-of-videos.ts'

export { kinds, type Kind } from './kinds.ts'

/** Refusals of the request, the session and the service: the kind, and the words when the rule gives none of its own. */
const ofEveryCall = {
  'request.invalid': { kind: 'invalid-argument', message: 'The request is not valid.' },
  'request.too-large': {
    kind: 'too-large',
    message: 'The request is larger than 1 MB. Send less at once; files are uploaded.',
  },
  'request.wrong-type': { kind: 'invalid-argument', message: 'This content type is not accepted here. Send JSON.' },
  'request.too-slow': {
    kind: 'timed-out',
    message: 'The request did not arrive in time. Check your connection and send it again.',
  },
  'request.id-reused': { kind: 'conflict', message: 'This request id was used for another request. Use a new one.' },
  'request.id-running': {
    kind: 'conflict',
    message: 'The first request with this id is still running. Try again in a moment.',
  },
  'request.raced': {
    kind: 'conflict',
    message: 'Somebody changed the same at this very moment. Look at it again, then try once more.',
  },
  'request.too-many': { kind: 'rate-limited', message: 'Too many requests. Wait a minute and try again.' },
  'service.unavailable': {
    kind: 'unavailable',
    message: 'The service is catching its breath. Nothing was lost; try again in a few seconds.',
  },
  'service.crowded': {
    kind: 'unavailable',
    message: 'Too many connections are open right now. Close pages you do not need and try again in ten seconds.',
  },
  'request.other-site': {
    kind: 'forbidden',
    message: 'This was sent by a page of another site. Open the service itself, and do it there.',
  },
  'request.no-such-call': { kind: 'not-found', message: 'There is no such call.' },
  'session.required': { kind: 'unauthorized', message: 'Sign in to continue.' },
  'session.ended': { kind: 'unauthorized', message: 'Your session has ended. Sign in again.' },
  'session.wrong-credentials': { kind: 'unauthorized', message: 'Invalid Email or Password' },
  'session.invalid-token': {
    kind: 'unauthorized',
    message: 'This sign-in link is no longer valid. Ask for a new one.',
  },
  'session.provider-failed': { kind: 'unauthorized', message: 'The sign-in did not work. Try again.' },
  'session.provider-unverified': {
    kind: 'forbidden',
    message: 'Your e-mail address is not confirmed there. Confirm it, or open an account with a password.',
  },
  'session.step-ended': { kind: 'unauthorized', message: 'This sign-in took too long. Start again.' },
  'session.wrong-code': {
    kind: 'invalid-argument',
    message: 'This code is not right. Look again, or wait for the next one.',
  },
  'session.wrong-passkey': {
    kind: 'invalid-argument',
    message: 'This passkey was not accepted. Try again or use another way.',
  },
  'session.wrong-password': { kind: 'invalid-argument', message: 'This password is not right.' },
  'session.second-step': {
    kind: 'forbidden',
    message: 'Your account has a second step. Confirm with it as well, or sign in again.',
  },
  'session.not-fresh': { kind: 'forbidden', message: 'Confirm with your password, or sign in again first.' },
  'security.has-totp': { kind: 'conflict', message: 'There is an authenticator app already. Remove it first.' },
  'security.too-many-passkeys': { kind: 'conflict', message: 'There are 20 passkeys already. Remove one first.' },
  'security.last-factor': {
    kind: 'conflict',
    message: 'A second step is required here. Add another one before you remove this.',
  },
  'security.no-factor': { kind: 'conflict', message: 'Set up an authenticator app or a passkey first.' },
  'security.last-way-in': { kind: 'conflict', message: 'You could not sign in any more. Set a password first.' },
  'security.connected-elsewhere': { kind: 'conflict', message: 'Another account uses this already. Choose another.' },
  'access.forbidden': { kind: 'forbidden', message: 'Your role does not do this.' },
} as const satisfies Record<string, { kind: Kind; message: string }>

/** Every refusal that a rule of ours can give. (By a call that is marked as pure: the panel's build leaves out what it reads nowhere.) */
export const refusals = /* @__PURE__ */ (() => ({
  ...ofEveryCall,
  ...refusalsOfPeople,
  ...refusalsOfMoney,
  ...refusalsOfVideos,
}))()
export type RefusalCode = keyof typeof refusals

/** Thrown by rules on the server and by the client for every failed call. */
export class Refusal extends Error {
  readonly code: string
  readonly kind: Kind
  readonly requestId: string | undefined
  readonly issues: Failure['issues']
  /** Seconds after which the same is worth another try, where that is known. */
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    message: string,
    kind: Kind,
    more: { requestId?: string; issues?: Failure['issues']; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.kind = kind
    this.requestId = more.requestId
    this.issues = more.issues
    this.retryAfter = more.retryAfter
  }
}

/** A refusal by its code, with words of its own where the rule has better ones. */
export const refusal = (code: RefusalCode, message?: string, issues?: Failure['issues']): Refusal =>
  new Refusal(code, message ?? refusals[code].message, refusals[code].kind, issues ? { issues } : {})

/** More than is answered in a while. `ms`: after how long the same is worth another try; answered as `Retry-After`. */
export const tooMany = (ms: number, message: string = refusals['request.too-many'].message): Refusal =>
  new Refusal('request.too-many', message, 'rate-limited', { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })
