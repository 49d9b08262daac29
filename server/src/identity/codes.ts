import type { CodeLimits } from '../kernel/config.ts'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { canonicalMailbox } from '@clear-to-post/domain/mailbox'
import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../kernel/database.ts'
import { boundOf, holderOf, netsOf, networkOf } from '../kernel/network.ts'
import { hashOf } from './one-time-tokens.ts'
import {
  codeById,
  countGuess,
  countTry,
  isConfirmedAddress,
  isConfirmedPerson,
  lockCode,
  lockPerson,
  oneTimeSecret,
  redeemCodeRow,
  replaceCode,
  triesOf,
} from './store.ts'

/**
 * Six digits by e-mail. A code belongs to an address: to `password` where the address has an account, and to `address`
 * where it is nobody's yet. The one is refused for the other.
 */
export type CodePurpose = 'password' | 'address'
export const codeMinutes = 10
/**
 * Wrong guesses that a code stands: from one network, and from all networks but the one that asked for it. Whoever asked has
 * theirs whatever strangers do, and a million codes stand against 20 guesses in all.
 */
export const codeTries = { network: 5, others: 15 } as const

/**
 * Wrong codes that come from one network in `minutes`, whoever's they were, and from everybody: whoever tries a few at each of
 * thousands of codes would find some. Past the first its codes are not looked at, and past the second a code is good where it was
 * asked for alone.
 */
export const wrongCodes = { network: 40, everybody: 1000, minutes: 60 } as const

/**
 * Codes that one address is sent in `minutes`, whether or not it has an account: `codes` whoever asks, and `more` for networks
 * that have asked for less than three, so that a stranger's network uses up nobody's last one.
 */
export const sendLimit = { codes: 5, more: 3, minutes: 60 } as const

/** Which limit was reached. */
export type TooManyCodes = 'network' | 'address' | 'everybody'

/** What the count of codes that a mailbox was sent stands under, however its address was spelled. */
export const codesTo = (email: string): string => `code ${canonicalMailbox(email)}`

/** What part of everybody's codes is kept for addresses that are known to be somebody's. */
const keptPart = 1 / 4

/**
 * Counts one more of `what` in this hour for every net that holds an address; false past the bound of one of them: commit
 * then, too. Runs as the service.
 */
export const countForNets = async (
  tx: Tx,
  what: string,
  { ip, limits }: { ip: string; limits: CodeLimits },
): Promise<boolean> => {
  for (const net of netsOf(ip)) {
    const taken = await countTry(tx, hashOf(`${what} ${net.net}`), sendLimit.minutes)
    if (taken > boundOf(net, limits.network, limits.everybody)) return false
  }
  return true
}

/**
 * A code that was made. `isMailed` is false for a code that must not be mailed, while the answer is that of every other;
 * `isScarce` where invented addresses have used up what is there for anybody.
 */
export type IssuedCode = { id: string; isMailed: boolean; isScarce: boolean }

/**
 * Makes the address's code, which replaces the one before; or answers the limit that was reached: commit then, too. What one
 * limit refuses counts towards no later one. A quarter of everybody's codes is kept for confirmed addresses and for callers
 * who have one: once the rest is used up, others get none, which a caller who is signed in is told, and nobody else, for
 * known and unknown addresses are answered alike and cost the same work. Runs as the service.
 */
export const issueCode = async (
  tx: Tx,
  { email, ip, callerId, limits }: { email: string; ip: string; callerId: string | null; limits: CodeLimits },
): Promise<IssuedCode | { refused: TooManyCodes }> => {
  const isBeyond = async (what: string, most: number) => (await countTry(tx, hashOf(what), sendLimit.minutes)) > most
  if (!(await countForNets(tx, 'codes for', { ip, limits }))) return { refused: 'network' }
  const own = await countTry(tx, hashOf(`${codesTo(email)} from ${holderOf(networkOf(ip))}`), sendLimit.minutes)
  const most = own < 3 ? sendLimit.codes + sendLimit.more : sendLimit.codes
  // What one network may not counts for no other.
  if (own > most || (await triesOf(tx, hashOf(codesTo(email)), sendLimit.minutes)) >= most)
    return { refused: 'address' }
  if (await isBeyond(codesTo(email), most)) return { refused: 'address' }
  const kept = Math.floor(limits.everybody * keptPart)
  const isScarce = await isBeyond('codes for everybody', limits.everybody - kept)
  let isMailed = true
  if (isScarce) {
    const keptCodes = 'codes for confirmed addresses'
    if ((await triesOf(tx, hashOf(keptCodes), sendLimit.minutes)) >= kept) return { refused: 'everybody' }
    isMailed =
      (await isConfirmedAddress(tx, email)) ||
      (callerId !== null &&
        (await isConfirmedPerson(tx, callerId)) &&
        !(await isBeyond(`codes asked for by ${callerId}`, sendLimit.codes)))
    if (isMailed) await countTry(tx, hashOf(keptCodes), sendLimit.minutes)
    else if (callerId !== null) return { refused: 'everybody' }
  }
  const id = randomUUID()
  const secret = await oneTimeSecret(tx)
  // The hash only keeps rows apart: a code is told by its row's id and the service's secret, and by nothing that is kept.
  const hash = createHmac('sha256', secret).update(`row ${id}`).digest()
  const askedBy = guesserOf(secret, networkOf(ip))
  await replaceCode(tx, { id, hash, email, minutes: codeMinutes, tries: codeTries.others, askedBy })
  return { id, isMailed, isScarce }
}

/** The code of this id, for the mail that carries it; null when it is no good any more. Runs as the service. */
export const codeToSend = async (
  tx: Tx,
  id: string,
): Promise<{ code: string; purpose: CodePurpose; isVerified: boolean; minutes: number } | null> => {
  const row = await codeById(tx, id)
  if (!row) return null
  const { purpose, is_verified: isVerified } = row
  return { code: codeOf(await oneTimeSecret(tx), id), purpose, isVerified, minutes: codeMinutes }
}

/** A code that was right: its id, and the person whose address it was sent to. */
export type RightCode = { id: string; purpose: CodePurpose; personId: string | null }

/**
 * Judges a code for an address; null when it is wrong, used, over, made for another purpose, or when this network has no
 * guess left at it. A wrong one costs a guess: commit either way. A right one stays good until `redeemCode`. Throws
 * `request.too-many` where too many wrong ones came, whoever's they were: this one is not looked at. Runs as the service.
 */
export const verifyCode = async (
  tx: Tx,
  { email, code, network }: { email: string; code: string; network: string },
  purpose: CodePurpose | 'any',
): Promise<RightCode | null> => {
  const secret = await oneTimeSecret(tx)
  const row = await lockCode(tx, email)
  const guesser = guesserOf(secret, network)
  const isAsker = row?.asked_by === guesser
  const tooMany = await wrongCodesOf(tx, network, isAsker)
  if (tooMany) throw refusal('request.too-many', tooMany)
  if (!row) return null
  if ((row.guesses[guesser] ?? 0) >= codeTries.network || (!isAsker && row.tries_left === 0)) return null
  const isKnown = timingSafeEqual(Buffer.from(codeOf(secret, row.id)), Buffer.from(code))
  const right = isKnown && (purpose === 'any' || purpose === row.purpose)
  if (right && !row.is_redeemed) return { id: row.id, purpose: row.purpose, personId: row.person_id }
  await countGuess(tx, row.id, { guesser, isAsker })
  if (!isKnown)
    for (const what of [...netsOf(network).map(({ net }) => wrongFrom(net)), wrongOfEverybody])
      await countTry(tx, what, wrongCodes.minutes)
  return null
}

/** Why no code of this network is looked at, in words for whoever typed one in; undefined where it is. */
const wrongCodesOf = async (tx: Tx, network: string, isAsker: boolean): Promise<string | undefined> => {
  const wrong = (what: Buffer) => triesOf(tx, what, wrongCodes.minutes)
  for (const net of netsOf(network))
    if ((await wrong(wrongFrom(net.net))) >= boundOf(net, wrongCodes.network))
      return 'Too many wrong codes came from your network. Wait an hour, or type the code in on another network.'
  if (!isAsker && (await wrong(wrongOfEverybody)) >= wrongCodes.everybody)
    return 'Too many wrong codes are being tried right now. Ask for a new code here, and type that one in.'
  return undefined
}

const wrongFrom = (net: string): Buffer => hashOf(`wrong codes from ${net}`)
const wrongOfEverybody = hashOf('wrong codes of everybody')

/** Uses up a code that was right. False when somebody else did so first. Runs as the service. */
export const redeemCode = async (tx: Tx, { id, personId }: RightCode): Promise<boolean> => {
  if (personId !== null) await lockPerson(tx, personId)
  return redeemCodeRow(tx, id)
}

/** What stands for a network in a code's row: nobody reads an address out of it. */
const guesserOf = (secret: Buffer, network: string): string =>
  createHmac('sha256', secret).update(`network ${network}`).digest('base64url')

// 48 bits folded into a million: no code is noticeably more likely than another.
const codeOf = (secret: Buffer, id: string): string => {
  const digest = createHmac('sha256', secret).update(`code ${id}`).digest()
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}
