import { recoveryCodes } from '@clear-to-post/domain/second-factor'
import { codeLetters } from '@clear-to-post/domain/tenants'
import { randomInt } from 'node:crypto'
import type { Tx } from '../kernel/database.ts'
import { replaceRecoveryCodes, useRecoveryCode } from './factor-store.ts'
import { hashOf } from './one-time-tokens.ts'

/** New codes, such as `K7QM-2XPA-9RTD-BE4H`; the ones before are no good any more. Only hashes are kept. */
export const issueRecoveryCodes = async (tx: Tx, personId: string): Promise<string[]> => {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await replaceRecoveryCodes(
    tx,
    personId,
    codes.map((code) => keptOf(code)),
  )
  return codes
}

/** Uses up a code. False when it is none, or was used. */
export const redeemRecoveryCode = (tx: Tx, personId: string, code: string): Promise<boolean> =>
  useRecoveryCode(tx, personId, keptOf(code))

// 16 of 31 letters are 79 bits: one plain hash is enough.
const newRecoveryCode = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => codeLetters[randomInt(codeLetters.length)]).join(''),
  ).join('-')

const keptOf = (code: string): Buffer => hashOf(`recovery ${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`)
