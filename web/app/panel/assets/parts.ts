import { assets } from '@clear-to-post/contract/assets'
import { client } from '@clear-to-post/contract/client'
import { Refusal, type Kind } from '@clear-to-post/contract/errors'
import { bearerOf, renew } from '../../session.ts'
import { putByPage, sendParts, type AskForParts } from '../../spool/send-parts.ts'

/**
 * Sends a file of this person's in parts straight to the bucket. `otherwise`: the bucket is not reached from here. Words, where
 * the service will not have it; throws what trying again may mend.
 */
export const sendInParts = async (
  file: File,
  {
    userId,
    assetId,
    signal,
    onSent,
  }: { userId: string; assetId: string; signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<'whole' | 'otherwise' | { refused: string }> => {
  try {
    return await sendParts(file, { ask: askAs(userId, assetId, signal), put: putByPage, signal, onSent })
  } catch (error) {
    const isFinal = error instanceof Refusal && !passing.includes(error.kind) && error.code !== 'asset.busy'
    if (isFinal && !signal.aborted) return { refused: error.message }
    throw error
  }
}

/** Calls as whose file it is, whoever is signed in by now. */
const askAs =
  (userId: string, assetId: string, signal: AbortSignal): AskForParts =>
  async (body) => {
    const used = await bearerOf(userId)
    const once = (token: string | null) =>
      client({ origin: '', token: () => token })(assets.sendParts, { params: { assetId }, body }, { signal })
    return once(used).catch(async (error: unknown) => {
      if (!(error instanceof Refusal) || error.kind !== 'unauthorized' || !(await renew(used))) throw error
      return once(await bearerOf(userId))
    })
  }

/** Kinds of refusals that say nothing about the file. */
const passing: readonly Kind[] = ['unauthorized', 'rate-limited', 'timed-out', 'unavailable', 'unexpected']
