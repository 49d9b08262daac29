import { percentWords } from '../../times.ts'
import type { Upload } from '../assets/uploads.ts'
import { messages } from './messages.ts'

/** How much of a take that runs has arrived, or what it waits for. */
export const TakeOnItsWay = ({ upload: { isFragile, state, sentBytes, fileSize } }: { upload: Upload }) => (
  <p className="text-center text-sm text-muted-on-night">
    {isFragile
      ? messages.notKept
      : state === 'paused'
        ? messages.waitsForNetwork
        : messages.sentSoFar(percentWords(sentBytes / fileSize))}
  </p>
)
