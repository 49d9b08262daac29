import type { NextStep } from '@clear-to-post/contract/identity'
import { needsSecondFactor, type SecondFactorPolicy } from '@clear-to-post/domain/second-factor'
import type { Caller, Tx } from '../kernel/database.ts'
import { factorsOf, takeStep, totpOf, type FactorRow } from './factor-store.ts'
import { openFamily, type Line } from './families.ts'
import { notifyOwner } from './notify-owner.ts'
import { issueOneTimeToken } from './one-time-tokens.ts'
import { redeemRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './totp.ts'

/** A session that was opened or renewed: who it is for, the refresh token for the cookie, and its last day. */
export type Opened = Line & { person: Caller }

/**
 * Opens the session of somebody whose first factor was right, or answers the step that is left: a second factor where they
 * have one, setting one up where it is demanded of them and they have none.
 */
export const openOrAsk = async (tx: Tx, person: Caller, policy: SecondFactorPolicy): Promise<Opened | NextStep> => {
  const factors = (await factorsOf(tx, person.id))!
  const methods = methodsOf(factors)
  if (methods.length > 0)
    return { challenge: await issueOneTimeToken(tx, 'second-factor', person.id), step: 'second-factor', methods }
  if (isDemanded(factors, policy))
    return { challenge: await issueOneTimeToken(tx, 'set-up', person.id), step: 'set-up', methods }
  return { person, ...(await openFamily(tx, person.id)) }
}

export const isDemanded = ({ role, tenant_demands }: FactorRow, policy: SecondFactorPolicy): boolean =>
  needsSecondFactor(policy, { role, tenantDemands: tenant_demands })

export const hasFactor = (factors: FactorRow): boolean => factors.totp_since !== null || factors.passkeys > 0

/** Is this a code of the person's confirmed app, or a recovery code? A right one is used up. `now` in ms since 1970. */
export const verifyFactor = async (
  tx: Tx,
  personId: string,
  { method, code }: { method: 'totp' | 'recovery-code'; code: string },
  now: number,
): Promise<boolean> => {
  if (method === 'recovery-code') return takeRecoveryCode(tx, personId, code)
  const app = await totpOf(tx, personId)
  return app?.is_confirmed === true && takeCode(tx, personId, app.secret, code, now)
}

/** Uses up a recovery code, and tells its owner. False when it is none, or was used. */
const takeRecoveryCode = async (tx: Tx, personId: string, code: string): Promise<boolean> => {
  if (!(await redeemRecoveryCode(tx, personId, code))) return false
  const left = (await factorsOf(tx, personId))?.recovery_codes ?? 0
  await notifyOwner(
    tx,
    personId,
    'A recovery code was used for your account',
    `${left === 1 ? 'One recovery code is' : `${left === 0 ? 'No' : left} recovery codes are`} left. ${
      left > 3 ? '' : 'You make new ones in your profile, under Security.'
    }`.trim(),
  )
  return true
}

/** Takes a code of this secret, once. */
export const takeCode = async (
  tx: Tx,
  personId: string,
  secret: Buffer,
  code: string,
  now: number,
): Promise<boolean> => {
  const step = stepOf(secret, code, now)
  return step !== null && takeStep(tx, personId, step)
}

const methodsOf = (factors: FactorRow): NextStep['methods'] => [
  ...(factors.totp_since === null ? [] : (['totp'] as const)),
  ...(factors.passkeys === 0 ? [] : (['passkey'] as const)),
  ...(hasFactor(factors) && factors.recovery_codes > 0 ? (['recovery-code'] as const) : []),
]
