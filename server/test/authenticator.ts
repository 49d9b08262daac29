import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Options = Record<string, unknown> & { challenge?: unknown }

/** A device with passkeys, in software: ES256 (WebAuthn level 3, sections 6.1 and 6.5). */
export const openAuthenticator = ({ origin, party }: { origin: string; party: string }) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, options: Options, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge: options.challenge, origin: at, crossOrigin: false }))
  const authData = (flags: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([createHash('sha256').update(party).digest(), Buffer.from([flags]), count, more])
  }
  const credential = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
    clientExtensionResults: {},
  })
  return {
    /** `format`: of an attestation without a signature worth the name, which nobody asked for. */
    create: (options: Options, { format = 'none' } = {}) => {
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const data = authData(present | verified | withKey, attested)
      // CBOR: {"fmt": format, "attStmt": {} or {"sig": h'00'}, "authData": data}
      const object = Buffer.concat([
        Buffer.from('a363666d74', 'hex'),
        Buffer.from([0x60 + format.length]),
        Buffer.from(format),
        Buffer.from(`6761747453746d74${format === 'none' ? 'a0' : 'a1637369674100'}68617574684461746158`, 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return credential({ clientDataJSON: clientData('webauthn.create', options, origin), attestationObject: object })
    },
    /** `isVerified`: whether the device asked for finger, face or PIN. */
    get: (options: Options, { isVerified = true, at = origin } = {}) => {
      const client = clientData('webauthn.get', options, at)
      const data = authData(present | (isVerified ? verified : 0))
      const signature = createSign('sha256')
        .update(Buffer.concat([data, createHash('sha256').update(client).digest()]))
        .sign(privateKey)
      return credential({ clientDataJSON: client, authenticatorData: data, signature })
    },
    /** As a copy of the device would: it counts from where it was copied. */
    rewind: () => void (counter = 0),
  }
}

const present = 0x01
const verified = 0x04
const withKey = 0x40
