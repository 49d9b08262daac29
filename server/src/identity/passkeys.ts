import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../kernel/database.ts'
import { addPasskey, lockPasskey, passkeysOf, usePasskey } from './factor-store.ts'
import { hashOf, newSecret } from './one-time-tokens.ts'
import { addAnonymousToken, redeemAnonymousToken } from './store.ts'

/** Its three hundred modules are loaded with the first passkey: each start of a server would wait for them. */
const webAuthn = () => import('@simplewebauthn/server')

/** Whom passkeys of this service are for: its address. */
export type RelyingParty = { id: string; origin: string }

/** A credential as the contract lets it through. */
export type Credential = { id: string; response: Record<string, unknown> }

export const mostPasskeys = 20

/** EdDSA, ECDSA on P-256, RSA: every authenticator that is sold knows one of them. */
const algorithms = [-8, -7, -257]

/** What the browser needs to make a passkey for this person. The question in it is asked once. */
export const passkeyQuestion = async (
  tx: Tx,
  party: RelyingParty,
  person: { id: string; email: string; name: string },
): Promise<Record<string, unknown>> => {
  const kept = await passkeysOf(tx, person.id)
  if (kept.length >= mostPasskeys) throw refusal('security.too-many-passkeys')
  const options = await (
    await webAuthn()
  ).generateRegistrationOptions({
    rpName: 'Clear to Post',
    rpID: party.id,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge: new Uint8Array(Buffer.from(await ask(tx, 'passkey-add'), 'base64url')),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: kept.map(({ credential, transports }) => ({ id: credential, transports })),
    // Discoverable where the device can, so that it signs in by itself.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return options as unknown as Record<string, unknown>
}

/** Keeps the passkey that was made; false when it is not right. Commit either way, for the question was answered. */
export const keepPasskey = async (
  tx: Tx,
  party: RelyingParty,
  personId: string,
  { name, credential }: { name: string; credential: Credential },
): Promise<boolean> => {
  const challenge = await answered(tx, credential, 'passkey-add')
  if (challenge === null) return false
  const { verifyRegistrationResponse } = await webAuthn()
  const verified = await unattested(credential)
    .then((response) =>
      verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }),
    )
    .catch(() => null)
  if (!verified?.verified) return false
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  return addPasskey(tx, {
    person_id: personId,
    credential: id,
    public_key: Buffer.from(publicKey),
    counter,
    transports: (transports ?? []).filter((word) => /^[\w-]{1,20}$/.test(word)).slice(0, 10),
    name,
  })
}

/**
 * The credential without what its device's maker says of it. We ask for none of that; whoever sends it all the same would
 * have certificates of theirs read, and the library ask at whatever address stands in them whether they were revoked.
 */
const unattested = async ({ id, response }: Credential): Promise<RegistrationResponseJSON> => {
  const { isoCBOR } = await import('@simplewebauthn/server/helpers')
  const { clientDataJSON, attestationObject, transports } = response
  const sent = Buffer.from(String(attestationObject), 'base64url')
  const attested = isoCBOR.decodeFirst<Map<string, CborValue>>(new Uint8Array(sent))
  const bare = isoCBOR.encode(attested.set('fmt', 'none').set('attStmt', new Map()))
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject: Buffer.from(bare).toString('base64url'), transports },
  } as RegistrationResponseJSON
}
type CborValue = Parameters<(typeof import('@simplewebauthn/server/helpers'))['isoCBOR']['encode']>[0]

/** What the browser needs to ask for a passkey: one of this person's, or, for nobody in particular, any it has for us. */
export const passkeyPrompt = async (
  tx: Tx,
  party: RelyingParty,
  personId: string | null,
): Promise<Record<string, unknown>> => {
  const kept = personId === null ? [] : await passkeysOf(tx, personId)
  const options = await (
    await webAuthn()
  ).generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(await ask(tx, 'passkey-use'), 'base64url')),
    // Alone it must be two factors: the device, and the finger, face or PIN that opens it.
    userVerification: personId === null ? 'required' : 'preferred',
    ...(personId === null
      ? {}
      : { allowCredentials: kept.map(({ credential, transports }) => ({ id: credential, transports })) }),
  })
  return options as unknown as Record<string, unknown>
}

/**
 * Whose passkey signed the question; null for a wrong one. `personId` is whose it must be; null: anybody's, but then the
 * device must have asked for finger, face or PIN. Commit either way.
 */
export const verifyPasskey = async (
  tx: Tx,
  party: RelyingParty,
  personId: string | null,
  credential: Credential,
): Promise<string | null> => {
  const challenge = await answered(tx, credential, 'passkey-use')
  const row = challenge === null ? undefined : await lockPasskey(tx, credential.id)
  if (challenge === null || !row || (personId !== null && row.person_id !== personId)) return null
  const verified = await (
    await webAuthn()
  )
    .verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: row.credential, publicKey: new Uint8Array(row.public_key), counter: row.counter },
      requireUserVerification: personId === null,
    })
    .catch(() => null)
  if (!verified?.verified) return null
  await usePasskey(tx, row.id, verified.authenticationInfo.newCounter)
  return row.person_id
}

type Question = 'passkey-add' | 'passkey-use'

const ask = async (tx: Tx, purpose: Question): Promise<string> => {
  const question = newSecret()
  await addAnonymousToken(tx, hashOf(question), purpose, 10)
  return question
}

/** The question that a credential answers, used up; null when it is none of ours, too old, or was answered before. */
const answered = async (tx: Tx, { response }: Credential, purpose: Question): Promise<string | null> => {
  const { clientDataJSON } = response
  if (typeof clientDataJSON !== 'string') return null
  try {
    const text = Buffer.from(clientDataJSON, 'base64url').toString()
    const { challenge } = JSON.parse(text) as { challenge?: unknown }
    return typeof challenge === 'string' && (await redeemAnonymousToken(tx, hashOf(challenge), purpose))
      ? challenge
      : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}
