import type { Asset } from '@clear-to-post/contract/assets'
import type { Phase } from '../assets/phase.ts'
import { messages } from './messages.ts'

type Brought = { phase: Phase; asset: Pick<Asset, 'type' | 'isBRollOnly'> | undefined }

/**
 * Which of the files that were brought to a video goes to approval, and why it cannot, in words. The newest only: while it still
 * uploads, an older cut that is ready must not go in its place. B-roll is no cut.
 */
export const cutToSend = <One extends Brought>(brought: readonly One[]) => {
  const whole = brought.filter(({ phase }) => phase !== 'refused' && phase !== 'rejected' && phase !== 'failed')
  const isBRoll = ({ asset }: Brought) => asset?.isBRollOnly === true
  const newest = whole.findLast((one) => !isBRoll(one))
  const last = whole.at(-1)
  const whyNot =
    newest === undefined
      ? last && isBRoll(last)
        ? messages.cutBRollOnly
        : messages.sendNeeds
      : newest.phase === 'ready' && newest.asset?.type !== 'video'
        ? messages.cutNoPicture
        : null
  return { newest, whyNot }
}
