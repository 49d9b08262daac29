import type { CodeLimits } from '../kernel/config.ts'
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { refusal } from '@clear-to-post/contract/errors'
import type { Tx } from '../kernel/database.ts'
import { countWrongGuess } from '../kernel/metrics.ts'
import { boundOf, netsOf, networkOf } from '../kernel/network.ts'
import { proofMinutes } from '../kernel/personal-data.ts'
import { countWrongAt, freeTurn, hasRoom, isGuessed, isOwnersPlace, mayAsk, sendLimit } from './mailbox-codes.ts'
import { hashOf } from './one-time-tokens.ts'
import {
  codeById,
  countGuess,
  countTry,
  isConfirmedAddress,
  isConfirmedPerson,
  joinCode,
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
export const codeMinutes = proofMinutes
/**
 * Wrong guesses that a code stands: from one network, and from all networks but the one that asked for it. Whoever asked has
 * theirs whatever strangers do; what one mailbox stands in a day is bounded beside (mailbox-codes.ts).
 */
export const codeTries = { network: 5, others: 15 } as const

/**
 * Wrong codes that come from one network in `minutes`, whoever's they were, and from everybody: whoever tries a few at each of
 * thousands of codes would find some. Past the first its codes are not looked at, and past the second a code is good where it was
 * asked for, and where its owner signed in before, alone.
 */
export const wrongCodes = { network: 40, everybody: 1000, minutes: 60 } as const

/** At how many codes that lay there already one network has guesses of its own within the hour. */
export const codesAskedAgain = 2

/** Which limit was reached. */
export type TooManyCodes = 'network' | 'address' | 'everybody'

/** What part of everybody's codes is kept for addresses that are known to be somebody's; as many come on top for who asks again. */
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
 * A code that was made, or that lies in the mailbox already. `isMailed` is false for one that must not be mailed, while the
 * answer is that of every other; `isScarce` where invented addresses have used up what is there for anybody.
 */
export type IssuedCode = { id: string; isMailed: boolean; isScarce: boolean }

/**
 * Makes the address's code, which replaces the one before; where its mailbox takes no more now, the one that lies there is as
 * good for this network as if it had asked for it alone, for ten minutes from now. Or answers the limit that was reached:
 * commit then, too. What one limit refuses counts towards no later one. Known and unknown addresses are answered alike and
 * cost the same work: where one gets no mail, only a caller who is signed in is told. Runs as the service.
 */
export const issueCode = async (tx: Tx, asked: Asked): Promise<IssuedCode | { refused: TooManyCodes }> => {
  const { email, ip, callerId, limits } = asked
  const network = networkOf(ip)
  if (!(await countForNets(tx, 'codes for', { ip, limits }))) return { refused: 'network' }
  if (!(await mayAsk(tx, { email, network }))) return { refused: 'address' }
  const secret = await oneTimeSecret(tx)
  const askedBy = guesserOf(secret, network)
  const isRoom = await hasRoom(tx, { email, network })
  if (!isRoom) {
    const there = await joinCode(tx, email, codeMinutes)
    if (there !== undefined) {
      await askToo(tx, there, { askedBy, limits })
      return { id: there.id, isMailed: false, isScarce: false }
    }
    if (callerId !== null) return { refused: 'address' }
  }
  const share = await shareOfAll(tx, asked)
  if ('refused' in share) return share
  const id = randomUUID()
  // The hash only keeps rows apart: a code is told by its row's id and the service's secret, and by nothing that is kept.
  const hash = createHmac('sha256', secret).update(`row ${id}`).digest()
  await replaceCode(tx, { id, hash, email, minutes: codeMinutes, tries: codeTries.others, askedBy })
  return { id, isMailed: share.isMailed && isRoom, isScarce: share.isScarce }
}

/**
 * From now on a network has guesses of its own at a code that lies in the mailbox already: a quarter as many networks in the hour
 * as everybody is sent codes, or whoever has a thousand of them guessed at all codes from each. One is counted once in the
 * hour, so that a few use nothing up, and has guesses at `codesAskedAgain` codes in it. Decision 1182.
 */
const askToo = async (
  tx: Tx,
  there: { id: string; asked_by: string | null },
  { askedBy, limits }: { askedBy: string; limits: CodeLimits },
): Promise<void> => {
  if (await hasAsked(tx, there, askedBy)) return
  const own = hashOf(`codes asked for again by ${askedBy}`)
  const codes = await triesOf(tx, own, sendLimit.minutes)
  if (codes >= codesAskedAgain) return
  const isNew = codes === 0
  if (isNew && (await countTry(tx, networksAskingAgain, sendLimit.minutes)) > limits.everybody * keptPart) return
  await countTry(tx, own, sendLimit.minutes)
  await countTry(tx, askedToo(there.id, askedBy), 2 * codeMinutes)
}

const networksAskingAgain = hashOf('networks that asked for a code again')

type Asked = { email: string; ip: string; callerId: string | null; limits: CodeLimits }

/**
 * Counts one more of everybody's codes. A quarter of them is kept for confirmed addresses and for callers who have one: once
 * the rest is used up, others get none.
 */
const shareOfAll = async (
  tx: Tx,
  { email, callerId, limits }: Asked,
): Promise<Omit<IssuedCode, 'id'> | { refused: TooManyCodes }> => {
  const isBeyond = async (what: string, most: number) => (await countTry(tx, hashOf(what), sendLimit.minutes)) > most
  const kept = Math.floor(limits.everybody * keptPart)
  if (!(await isBeyond('codes for everybody', limits.everybody - kept))) return { isMailed: true, isScarce: false }
  const keptCodes = 'codes for confirmed addresses'
  if ((await triesOf(tx, hashOf(keptCodes), sendLimit.minutes)) >= kept) return { refused: 'everybody' }
  const isMailed =
    (await isConfirmedAddress(tx, email)) ||
    (callerId !== null &&
      (await isConfirmedPerson(tx, callerId)) &&
      !(await isBeyond(`codes asked for by ${callerId}`, sendLimit.codes)))
  if (isMailed) await countTry(tx, hashOf(keptCodes), sendLimit.minutes)
  else if (callerId !== null) return { refused: 'everybody' }
  return { isMailed, isScarce: true }
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
  const isOwners = await isOwnersPlace(tx, { email, network })
  const isAsker = isOwners || (row !== undefined && (await hasAsked(tx, row, guesser)))
  const tooMany = await wrongCodesOf(tx, { email, network }, { isAsker, isOwners })
  if (tooMany) throw refusal('request.too-many', tooMany)
  if (!row) return null
  if ((row.guesses[guesser] ?? 0) >= codeTries.network || (!isAsker && row.tries_left === 0)) return null
  const isKnown = timingSafeEqual(Buffer.from(codeOf(secret, row.id)), Buffer.from(code))
  const right = isKnown && (purpose === 'any' || purpose === row.purpose)
  if (right && !row.is_redeemed) return { id: row.id, purpose: row.purpose, personId: row.person_id }
  await countGuess(tx, row.id, { guesser, isAsker })
  if (!isKnown) await countWrong(tx, { email, network }, { isOwners })
  return null
}

type Typed = { email: string; network: string }

/** Did this network ask for the code, or for another while this one lay in the mailbox? */
const hasAsked = async (tx: Tx, row: { id: string; asked_by: string | null }, guesser: string): Promise<boolean> =>
  row.asked_by === guesser || (await triesOf(tx, askedToo(row.id, guesser), 2 * codeMinutes)) > 0

const askedToo = (id: string, guesser: string): Buffer => hashOf(`asked for code ${id}, too: ${guesser}`)

const countWrong = async (tx: Tx, typed: Typed, from: { isOwners: boolean }): Promise<void> => {
  countWrongGuess('code')
  await countWrongAt(tx, typed, from)
  for (const what of [...netsOf(typed.network).map(({ net }) => wrongFrom(net)), wrongOfEverybody])
    await countTry(tx, what, wrongCodes.minutes)
}

/** Why no code of this network is looked at, in words for whoever typed one in; undefined where it is. */
const wrongCodesOf = async (
  tx: Tx,
  typed: Typed,
  { isAsker, isOwners }: { isAsker: boolean; isOwners: boolean },
): Promise<string | undefined> => {
  const wrong = (what: Buffer) => triesOf(tx, what, wrongCodes.minutes)
  for (const net of netsOf(typed.network))
    if ((await wrong(wrongFrom(net.net))) >= boundOf(net, wrongCodes.network))
      return 'Too many wrong codes came from your network. Wait an hour, or type the code in on another network.'
  if (!isAsker && (await wrong(wrongOfEverybody)) >= wrongCodes.everybody)
    return 'Too many wrong codes are being tried right now. Ask for a new code here, and type that one in.'
  if (await isGuessed(tx, typed, { isOwners }))
    return 'Too many wrong codes came for this address. Type the code in where you have signed in before, or wait a day.'
  return undefined
}

const wrongFrom = (net: string): Buffer => hashOf(`wrong codes from ${net}`)
const wrongOfEverybody = hashOf('wrong codes of everybody')

/** Uses up a code that was right; the mailbox may be sent the next one at once. False when somebody else did so first. Runs as the service. */
export const redeemCode = async (tx: Tx, { id, personId }: RightCode): Promise<boolean> => {
  if (personId !== null) await lockPerson(tx, personId)
  const email = await redeemCodeRow(tx, id)
  if (email !== undefined) await freeTurn(tx, email)
  return email !== undefined
}

/** What stands for a network in a code's row: nobody reads an address out of it. */
const guesserOf = (secret: Buffer, network: string): string =>
  createHmac('sha256', secret).update(`network ${network}`).digest('base64url')

// 48 bits folded into a million: no code is noticeably more likely than another.
const codeOf = (secret: Buffer, id: string): string => {
  const digest = createHmac('sha256', secret).update(`code ${id}`).digest()
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}
