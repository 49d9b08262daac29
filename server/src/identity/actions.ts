import { Refusal, refusal } from '@clear-to-post/contract/errors'
import type { FactorProof, NextStep } from '@clear-to-post/contract/identity'
import type { SessionEnd } from '@clear-to-post/domain/session-ends'
import type { SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import type { Caller, Database, Tx } from '../kernel/database.ts'
import { asService, holdSession } from '../kernel/tenancy.ts'
import { dropCalendarLink } from '../calendar/actions.ts'
import type { Notice } from '../outside/openid.ts'
import { countsOfMailbox } from './mailbox-codes.ts'
import { disconnectClosed, dropFactors, factorsOf } from './factor-store.ts'
import { closeFamilies, closeFamily, graceSeconds, openFamily, rotate, type Asker } from './families.ts'
import {
  findHandOver,
  hashOf,
  issueHandOver,
  issueOneTimeToken,
  ownerOf,
  redeem,
  type HandOver,
} from './one-time-tokens.ts'
import {
  checkPassword,
  confirmPassword,
  confirmsOf,
  holdPassword,
  passwordWasRight,
  wrongConfirmsOf,
} from './password.ts'
import { forgetWrongAt, rememberPlace } from './wrong-passwords.ts'
import { verifyPasskey, type Credential, type RelyingParty, passkeyPrompt } from './passkeys.ts'
import { hasFactor, verifyFactor, openOrAsk, type Opened } from './second-factor.ts'
import {
  beginAppAnew,
  countWrongCode,
  forgetCodeTries,
  forgetEveryCodeTry,
  isAppGuessed,
  mayTryCode,
} from './second-factor-tries.ts'
import {
  dropCredentials,
  dropEnded,
  dropOneTimeTokens,
  dropPassword,
  dropPhone,
  forgetTries,
  isConfirmedPerson,
  liveFamily,
  lockPerson,
  renewSecurityStamp,
  savePassword,
  sessionPerson,
  type Origin,
} from './store.ts'

export { hashOf as hashOfToken, linkToken } from './one-time-tokens.ts'
export { codeMinutes, codeToSend, countForNets, issueCode, verifyCode, redeemCode, type RightCode } from './codes.ts'
export type { HandOver }
export type { Identity } from './open.ts'
export { hashPassword } from './password-hash.ts'
export { dropUnprovenWays } from './other-ways.ts'
export { sessionPerson } from './store.ts'
export { checkPassword, holdPassword, passwordWasChosen, passwordWasRight, tryLimit } from './password.ts'
export { startOAuth } from './provider-sign-in.ts'
export { rememberPlace } from './wrong-passwords.ts'

/**
 * Forgets every count of tries that this person or their address stands for. Those of a mailbox are its owner's, who alone can
 * confirm an address of it: who opens an account by another spelling and removes it again begins none of them anew, and they
 * end by themselves within a day.
 */
export const forgetTriesOf = async (
  tx: Tx,
  { id, email, isConfirmed = false }: { id: string; email: string; isConfirmed?: boolean | undefined },
): Promise<void> => {
  const ofMailbox = isConfirmed ? countsOfMailbox(email) : []
  for (const account of [email, ...ofMailbox, confirmsOf(id), wrongConfirmsOf(id)])
    await forgetTries(tx, hashOf(account))
  await forgetWrongAt(tx, { email })
  await forgetEveryCodeTry(tx, id)
}

/** Opens a session by password, or answers the step that is left. Throws as `checkPassword` does. */
export const signInWithPassword = async (
  database: Database,
  policy: SecondFactorPolicy,
  tried: { email: string; password: string; network: string },
  log: { error: (about: object, words: string) => void },
): Promise<Opened | NextStep> => {
  const checked = await checkPassword(database, tried, log)
  return database.asSystem(async (tx) => {
    await holdPassword(tx, checked)
    await passwordWasRight(tx, { id: checked.id, email: tried.email }, tried.network)
    // They may have been disabled, or given another role, while the password was checked.
    const person = await sessionPerson(tx, checked.id)
    if (!person) throw refusal('session.wrong-credentials')
    return openOrAsk(tx, person, policy)
  })
}

/**
 * Opens a session by a custom token, once, or answers the step that is left: a token stands for a password, but one that
 * was handed over comes from a session that has shown its second factor. Throws `session.invalid-token`.
 */
export const signInWithCustomToken = (
  database: Database,
  policy: SecondFactorPolicy,
  token: string,
): Promise<Opened | NextStep> =>
  database.asSystem(async (tx) => {
    const redeemed = await redeem(tx, ['sign-in', 'hand-over'], token)
    const person = redeemed === null ? undefined : await sessionPerson(tx, redeemed.personId)
    if (!redeemed || !person) throw refusal('session.invalid-token')
    return redeemed.purpose === 'hand-over'
      ? { person, ...(await openFamily(tx, person.id, redeemed.origin)) }
      : openOrAsk(tx, person, policy)
  })

/** Opens a session by a passkey alone. Throws `session.wrong-passkey`. */
export const signInWithPasskey = async (
  database: Database,
  party: RelyingParty,
  credential: Credential,
): Promise<Opened> => {
  const opened = await database.asSystem(async (tx) => {
    const personId = await verifyPasskey(tx, party, null, credential)
    return personId === null ? null : openedFor(tx, personId)
  })
  // Thrown after the commit: the question was answered.
  if (!opened) throw refusal('session.wrong-passkey')
  return opened
}

/** What the browser needs to ask for a passkey: for the second step of `challenge`, or null: alone. Throws `session.step-ended`. */
export const askForPasskey = (database: Database, party: RelyingParty, challenge: string | null) =>
  database.asSystem(async (tx) => {
    const personId = challenge === null ? null : await challengeOwner(tx, 'second-factor', challenge)
    if (challenge !== null && personId === null) throw refusal('session.step-ended')
    return { options: await passkeyPrompt(tx, party, personId) }
  })

/**
 * The second step of a sign-in. Five wrong codes of an app in a quarter of an hour, then `request.too-many`, whatever the
 * challenge, and past twenty in a day (domain/second-factor.ts); as many wrong recovery codes from one holder of networks.
 * Throws `session.step-ended`, `session.wrong-code`, `session.wrong-passkey`.
 */
export const signInWithSecondFactor = async (
  database: Database,
  party: RelyingParty,
  { challenge, proof, network }: { challenge: string; proof: FactorProof; network: string },
  now: Date,
): Promise<Opened> => {
  const outcome = await database.asSystem(async (tx) => {
    const personId = await ownerOf(tx, 'second-factor', challenge)
    if (personId === null) return refusal('session.step-ended')
    await lockPerson(tx, personId)
    const fault = await faultOfProof(tx, party, personId, { proof, network }, now)
    if (fault !== null) return fault
    const redeemed = await redeem(tx, ['second-factor'], challenge)
    // From now on the place is known, as it is for others after a right password (`passwordWasRight`).
    if (redeemed && (await isConfirmedPerson(tx, personId))) await rememberPlace(tx, personId, network)
    return (redeemed && (await openedFor(tx, redeemed.personId))) ?? refusal('session.step-ended')
  })
  // Thrown after the commit: a wrong try counts.
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/** What is wrong with this proof of a person's second factor; null for a right one, which is used up. Commit either way. */
const faultOfProof = async (
  tx: Tx,
  party: RelyingParty,
  personId: string,
  { proof, network }: { proof: FactorProof; network: string },
  now: Date,
): Promise<Refusal | null> => {
  const { method } = proof
  if (method === 'passkey')
    return (await verifyPasskey(tx, party, personId, proof.credential)) === null
      ? refusal('session.wrong-passkey')
      : null
  // What is not looked at does not count, or whoever guesses at the app kept recovery codes away, too.
  if (method === 'totp' && (await isAppGuessed(tx, personId))) return refusal('request.too-many', tooManyAppCodes)
  const typed = { method, network }
  if (!(await mayTryCode(tx, personId, typed))) return refusal('request.too-many', tooManyCodes)
  if (await verifyFactor(tx, personId, proof, now.getTime())) {
    await forgetCodeTries(tx, personId, typed)
    return null
  }
  await countWrongCode(tx, personId, typed)
  return refusal('session.wrong-code')
}

/**
 * Shows that it is still the caller: by their password, and by their second factor where they have one. Answers when the
 * session that this belongs to must end: that of their refresh token, or the ID token's. Throws
 * `session.wrong-password`, `session.second-step` where the proof is missing, and what `signInWithSecondFactor` throws for
 * a wrong one.
 */
export const confirmIdentity = async (
  database: Database,
  party: RelyingParty,
  caller: Caller,
  { password, proof, network }: { password: string; proof?: FactorProof | undefined; network: string },
  refreshToken: string | null,
  now: Date,
): Promise<Date> => {
  await confirmPassword(database, caller, password)
  const fault = await asOwner(database, caller, async (tx) => {
    const factors = await factorsOf(tx, caller.id)
    if (!factors) return refusal('session.ended')
    if (!hasFactor(factors)) return null
    if (proof === undefined) return refusal('session.second-step')
    return faultOfProof(tx, party, caller.id, { proof, network }, now)
  })
  // Thrown after the commit: a wrong try counts.
  if (fault !== null) throw fault
  return (await asOwner(database, caller, (tx) => originOf(tx, caller, refreshToken))).mustEndAt
}

export const tooManyCodes = 'Too many wrong codes. Wait a quarter of an hour and try again.'
const tooManyAppCodes =
  'Too many wrong codes of your app came in. Use a passkey or a recovery code, or choose a new password by e-mail: once a day that makes its codes good again.'

/** Ends a demanded set-up with its session. Throws `session.step-ended`. */
export const signInAfterSetUp = async (tx: Tx, challenge: string): Promise<Opened> => {
  const redeemed = await redeem(tx, ['set-up'], challenge)
  const opened = redeemed && (await openedFor(tx, redeemed.personId))
  if (!opened) throw refusal('session.step-ended')
  return opened
}

/** Whose demanded set-up, or second step, this is; null when it has ended. */
export const challengeOwner = (
  tx: Tx,
  purpose: 'set-up' | 'second-factor',
  challenge: string,
): Promise<string | null> => ownerOf(tx, purpose, challenge)

const openedFor = async (tx: Tx, personId: string): Promise<Opened | null> => {
  const person = await sessionPerson(tx, personId)
  return person ? { person, ...(await openFamily(tx, personId)) } : null
}

/** Renews a session and rotates its refresh token; `asker` is who asks for it (see families.ts). Throws `session.ended`. */
export const refreshSession = async (database: Database, token: string | null, asker: Asker): Promise<Opened> => {
  if (token === null) throw refusal('session.ended')
  const opened = await database.asSystem(async (tx) => {
    const rotated = await rotate(tx, token, asker)
    const person = rotated && (await sessionPerson(tx, rotated.personId))
    return rotated && person ? { ...rotated, person } : null
  })
  // Thrown after the commit: a reused token has ended its family by now.
  if (!opened) throw refusal('session.ended')
  return opened
}

/** Ends the session of a refresh token, and what was carried from it to other devices; everywhere: every session of that person, or of the caller where there is no token. */
export const signOut = (
  database: Database,
  { token, callerId, everywhere }: { token: string | null; callerId: string | null; everywhere: boolean },
): Promise<void> =>
  database.asSystem(async (tx) => {
    const personId = (token === null ? null : await closeFamily(tx, token)) ?? callerId
    if (everywhere && personId !== null) await endSessions(tx, personId, 'signed-out')
  })

/** The sign-in that a refresh token of this person's belongs to; null when it has ended. As the service. */
export const signInOf = async (tx: Tx, personId: string, token: string | null): Promise<string | null> =>
  token === null ? null : ((await liveFamily(tx, hashOf(token), personId, graceSeconds))?.id ?? null)

/**
 * The same of a sign-in of its own alone: one that was carried from another ends with any theft, and what was made in it is of nobody
 * knows whom. As the service.
 */
export const ownSignInOf = async (tx: Tx, personId: string, token: string | null): Promise<string | null> => {
  const family = token === null ? undefined : await liveFamily(tx, hashOf(token), personId, graceSeconds)
  return !family || family.is_carried ? null : family.id
}

/**
 * What the caller carries to another device comes from here, and ends when it does: their session, which its refresh token
 * names, or the ID token of who has nothing else. As the service.
 */
const originOf = async (tx: Tx, caller: Caller, refreshToken: string | null): Promise<Origin> => {
  const family = refreshToken === null ? undefined : await liveFamily(tx, hashOf(refreshToken), caller.id, graceSeconds)
  return { familyId: family?.id ?? null, mustEndAt: family?.must_end_at ?? new Date(caller.tokenEndsAt ?? 0) }
}

/** A token that carries the caller's sign-in to another device; the one before is no good any more. */
export const makeHandOver = (database: Database, caller: Caller, refreshToken: string | null): Promise<HandOver> =>
  asOwner(database, caller, async (tx) => {
    await holdSession(tx, caller)
    return issueHandOver(tx, caller.id, await originOf(tx, caller, refreshToken))
  })

/** The one that is still good and that this session could have made. Throws `account.no-token`. */
export const readHandOver = (database: Database, caller: Caller, refreshToken: string | null): Promise<HandOver> =>
  asOwner(database, caller, async (tx) => {
    const found = await findHandOver(tx, caller.id, await originOf(tx, caller, refreshToken))
    if (!found) throw refusal('account.no-token')
    return found
  })

/** As the service, once the database has said that this caller's session still counts. */
export const asOwner = <T>(database: Database, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.inTenant(caller, (tx) => asService(tx, () => work(tx)))

/**
 * Ends every session of a person: refresh tokens, ID tokens, and custom tokens that were not used yet; and what goes on
 * without one: the phone rings no more, keys for programs and the link of their calendar, which whoever had a session may have
 * read, end. Answers whether there was a link.
 */
export const endSessions = async (tx: Tx, personId: string, why: SessionEnd): Promise<{ hadCalendarLink: boolean }> => {
  await lockPerson(tx, personId)
  await closeFamilies(tx, personId, why)
  await dropOneTimeTokens(tx, personId)
  await dropPhone(tx, personId)
  return { hadCalendarLink: (await dropCalendarLink(tx, personId)) === 1 }
}

/**
 * What a provider told of an account: one that was closed, or withdrawn from us, signs nobody in any more, and the sessions
 * of its person end. Answers whether anything ended. As the service.
 */
export const applyProviderNotice = async (tx: Tx, { issuer, subject, kind, at }: Notice): Promise<boolean> => {
  const personId = kind === 'closed' ? await disconnectClosed(tx, issuer, subject, at) : null
  if (personId !== null) await endSessions(tx, personId, 'provider')
  return personId !== null
}

/** Ends every session of a person and takes away whatever they could sign in with. */
export const forgetCredentials = async (tx: Tx, personId: string): Promise<void> => {
  await endSessions(tx, personId, 'removed')
  await dropCredentials(tx, personId)
  await dropFactors(tx, personId)
}

/** Ends every session of a person who has other rights now and takes their password away; what else they sign in with stays. */
export const forgetPassword = async (tx: Tx, personId: string): Promise<void> => {
  await endSessions(tx, personId, 'rights')
  await dropPassword(tx, personId)
}

/** For who lost phone and recovery codes: takes the second factor away and ends every session. Answers whether there was one. */
export const forgetSecondFactor = async (tx: Tx, personId: string): Promise<boolean> => {
  const had = hasFactor((await factorsOf(tx, personId))!)
  await endSessions(tx, personId, 'second-factor')
  await dropFactors(tx, personId)
  await forgetEveryCodeTry(tx, personId)
  return had
}

/** From now on nobody has this person's old address as theirs: codes and tokens that are on their way are no good. */
export const dropPendingTokens = async (tx: Tx, personId: string): Promise<void> => {
  await dropOneTimeTokens(tx, personId)
}

/** A single-use token, good for 5 minutes, that signs this person in. */
export const issueCustomToken = (tx: Tx, personId: string): Promise<string> =>
  issueOneTimeToken(tx, 'sign-in', personId)

/** Sets a person's password from its hash (see `hashPassword`). Codes that were guessed behind the one before begin anew, now and then. */
export const setPassword = async (tx: Tx, personId: string, hash: string): Promise<void> => {
  await savePassword(tx, personId, hash)
  await beginAppAnew(tx, personId)
}

/** A changed account state counts at once: ID tokens signed before are refused, sessions renew to the new role. */
export const endIdTokens = async (tx: Tx, personId: string): Promise<void> => {
  await renewSecurityStamp(tx, personId, 'rights')
}

/**
 * After a person's company changed: where it demands a second factor and they have none, their sessions end with all that
 * ends with them, and the next sign-in leads through the set-up (decision 102). False where nothing had to end.
 */
export const endWeakSessions = async (tx: Tx, personId: string): Promise<boolean> => {
  const factors = await factorsOf(tx, personId)
  if (!factors?.tenant_demands || hasFactor(factors)) return false
  await endSessions(tx, personId, 'second-factor')
  return true
}

/** Removes ended sessions, tokens and counts; answers how many. For the clock, now and then. */
export const tidySessions = (database: Database): Promise<number> => database.asSystem(dropEnded)
