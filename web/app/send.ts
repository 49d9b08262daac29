import { client } from '@clear-to-post/contract/client'
import type { CallAnswer, CallInput, CallShape } from '@clear-to-post/contract/call'
import { Refusal, type RefusalCode } from '@clear-to-post/contract/errors'
import { bearer, renew } from './session.ts'

/**
 * Calls the service with the session's token. A token that ended early is renewed once; where the service wants to know
 * whether it is still they, they are asked (`confirmBy`) and the call is repeated.
 */
export const send = async <C extends CallShape>(
  shape: C,
  input: CallInput<C>,
  options: { signal?: AbortSignal; requestId?: string } = {},
): Promise<CallAnswer<C>> => {
  const used = await bearer()
  try {
    return await clientWith(used)(shape, input, options)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const [code, listener] of listeners) if (code === error.code) listener()
    const ended = error.kind === 'unauthorized' && used !== null
    if (!(ended ? await renew(used) : isNotFresh(error) && (await confirm()))) throw error
    return await clientWith(await bearer())(shape, input, options)
  }
}

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
