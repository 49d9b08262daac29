import { client } from '@clear-to-post/contract/client'
import type { CallAnswer, CallInput, CallShape } from '@clear-to-post/contract/call'
import { Refusal, type RefusalCode } from '@clear-to-post/contract/errors'
import { bearer, renew } from './session.ts'

/** Calls the service with the session's token. A token that ended early is renewed once. */
export const send = async <C extends CallShape>(
  shape: C,
  input: CallInput<C>,
  options: { signal?: AbortSignal; requestId?: string } = {},
): Promise<CallAnswer<C>> => {
  const used = await bearer()
  try {
    return await clientWith(used)(shape, input, options)
  } catch (error) {
    if (error instanceof Refusal) for (const [code, listener] of listeners) if (code === error.code) listener()
    const ended = error instanceof Refusal && error.kind === 'unauthorized' && used !== null
    if (!ended || !(await renew(used))) throw error
    return await clientWith(await bearer())(shape, input, options)
  }
}

/** Hears of every call that is refused with this code; answers how to stop. */
export const onRefused = (code: RefusalCode, listener: () => void): (() => void) => {
  const heard = [code, listener] as const
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

const listeners = new Set<readonly [RefusalCode, () => void]>()

const clientWith = (value: string | null) => client({ origin: '', token: () => value })
