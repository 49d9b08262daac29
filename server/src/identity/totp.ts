import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** As every authenticator app takes it (RFC 6238): SHA-1, six digits, thirty seconds. */
const seconds = 30

export const newTotpSecret = (): Buffer => randomBytes(20)

/** The secret as people type it, and as a QR code holds it. */
export const totpForApp = (secret: Buffer, email: string): { secret: string; uri: string } => {
  const totp = totpOf(secret, email)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step whose code this is, the one before and after counting too; null for a wrong code. `now` in ms since 1970. */
export const stepOf = (secret: Buffer, code: string, now: number): number | null => {
  const digits = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(digits)) return null
  const delta = totpOf(secret, '').validate({ token: digits, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / 1000 / seconds) + delta
}

const totpOf = (secret: Buffer, label: string): TOTP =>
  new TOTP({
    issuer: 'Clear to Post',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: seconds,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })
