import before from '../../site/footage/before.avif'
import after from '../../site/footage/after.avif'
import take from '../../site/footage/take.json' with { type: 'json' }
import beforeClip from '../../site/footage/before.mp4'
import afterClip from '../../site/footage/after.mp4'
import { clockWords } from '../../times.ts'
import { messages } from './messages.ts'

/** A take as it is sent in and as it comes back: the front page's own footage. It plays when asked. */
export const FirstSample = () => (
  <figure className="mt-4 grid w-full max-w-md justify-items-center gap-2">
    <div className="grid w-full grid-cols-2 items-end gap-3">
      <Clip src={beforeClip} poster={before} seconds={take.before} words={messages.sampleBefore} />
      <Clip src={afterClip} poster={after} seconds={take.after} words={messages.sampleAfter} />
    </div>
    <figcaption className="text-[0.8125rem] text-muted">{messages.sample}</figcaption>
  </figure>
)

const Clip = ({ src, poster, seconds, words }: { src: string; poster: string; seconds: number; words: string }) => (
  <div className="grid gap-1.5">
    <p className="flex items-baseline justify-between gap-2 text-[0.8125rem]">
      <span className="font-medium">{words}</span>
      <span className="figures text-muted">{clockWords(Math.round(seconds))}</span>
    </p>
    <video
      controls
      playsInline
      preload="none"
      width={480}
      height={854}
      poster={poster}
      src={src}
      aria-label={words}
      className="aspect-[480/854] w-full rounded-card bg-sunken object-cover"
    />
  </div>
)
