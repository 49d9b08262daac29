import { client } from '@clear-to-post/contract/client'
import type { CallAnswer, CallInput, CallShape } from '@clear-to-post/contract/call'
import { Refusal, refusals, type RefusalCode } from '@clear-to-post/contract/errors'
import { bearerOf, personHere, renew } from './session.ts'

type SendOptions = {
  signal?: AbortSignal
  requestId?: string
  /** Whose call it is, where it was pressed before this: an id of a person, or null. */
  as?: string | null
}

/**
 * Calls the service as who is here at this moment, and as nobody else: whoever signs in meanwhile neither sends it nor reads the
 * answer (`PersonLeft`). A token that ended early is renewed once; where the service wants to know whether it is still they, they are
 * asked (`confirmBy`) and the call is repeated.
 */
export const send = async <C extends CallShape>(
  shape: C,
  input: CallInput<C>,
  { as = personHere(), ...options }: SendOptions = {},
): Promise<CallAnswer<C>> => {
  const used = await bearerFor(as)
  try {
    return await answerFor(as, clientWith(used)(shape, input, options))
  } catch (error) {
    if (hasLeft(as)) throw new PersonLeft()
    if (!(error instanceof Refusal)) throw error
    for (const [code, listener] of listeners) if (code === error.code) listener()
    const ended = error.kind === 'unauthorized' && used !== null
    if (!(ended ? await renew(used) : isNotFresh(error) && (await confirm()))) throw error
    return await answerFor(as, clientWith(await bearerFor(as))(shape, input, options))
  }
}

/** A call was given up because the person whose it was has left this page. Nobody who is here has to be told. */
export class PersonLeft extends Refusal {
  constructor() {
    super('session.ended', refusals['session.ended'].message, 'unauthorized')
  }
}

/** Of nobody, nobody's: a call that was begun signed out is not sent as whoever signs in. */
const bearerFor = async (person: string | null): Promise<string | null> => {
  if (person === null) return null
  const token = await bearerOf(person)
  if (token === null) throw new PersonLeft()
  return token
}

/** What would have come next is not done in the name of whoever is here now: neither after an answer, nor after a refusal. */
const answerFor = async <A>(person: string | null, answer: Promise<A>): Promise<A> => {
  await Promise.allSettled([answer])
  if (hasLeft(person)) throw new PersonLeft()
  return answer
}

const hasLeft = (person: string | null): boolean => person !== null && personHere() !== person

/** Whether a call was refused because nobody showed that it is still they; who sees this has stopped being asked. */
export const isNotFresh = (error: unknown): boolean => error instanceof Refusal && error.code === 'session.not-fresh'

/** Has `ask` find out whether it is still they; it answers whether they showed it. Answers how to stop. */
export const confirmBy = (ask: () => Promise<boolean>): (() => void) => {
  confirm = ask
  return () => {
    if (confirm === ask) confirm = nobodyAsks
  }
}

const nobodyAsks = async () => false
let confirm: () => Promise<boolean> = nobodyAsks

/** Hears of every call that is refused with this code; answers how to stop. */
export const onRefused = (code: RefusalCode, listener: () => void): (() => void) => {
  const heard = [code, listener] as const
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

const listeners = new Set<readonly [RefusalCode, () => void]>()

const clientWith = (value: string | null) => client({ origin: '', token: () => value })
