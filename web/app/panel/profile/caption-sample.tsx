import { CircleCheck, TriangleAlert } from 'lucide-react'
import { coloursOf } from '@clear-to-post/edit/caption-colours'
import { contrast } from '@clear-to-post/edit/contrast'
import { CaptionPicture } from '../../ui/caption-picture.tsx'
import { ownBrand, type Brand } from '../brand/tokens.ts'
import { messages } from './messages.ts'

/** The two colours at work: one caption and the closing card, and in words whether they can be read. */
export const CaptionSample = ({
  primary,
  secondary,
  fallback,
  name,
  profession,
  logo,
}: {
  primary: string
  secondary: string
  /** Whose colours count where the person has none. */
  fallback: Brand
  name: string
  profession: string
  logo: string | undefined
}) => {
  const first = primary || fallback.primary
  const second = secondary || fallback.secondary
  const { spoken, spokenText } = coloursOf(first)
  const ratio = contrast(spoken, spokenText).toFixed(1)
  return (
    <figure className="grid w-75 max-w-full content-start gap-3">
      <figcaption className="text-[0.8125rem] font-medium">{messages.sample}</figcaption>
      <div role="img" aria-label={messages.sampleOf(messages.sampleWord)} className="flex gap-3">
        <div className="relative aspect-9/16 min-w-0 max-w-36 flex-1 overflow-hidden rounded-lg bg-[linear-gradient(160deg,#b9c6d8,#7d8eaa_55%,#53617d)]">
          <span className="absolute top-[22%] left-1/2 aspect-square w-[36%] -translate-x-1/2 rounded-full bg-white/75" />
          <span className="absolute top-[48%] left-1/2 h-3/5 w-[84%] -translate-x-1/2 rounded-t-[42%] bg-white/75" />
          <CaptionPicture
            sample={{
              width: 432,
              height: 768,
              text: `${messages.sampleBefore} ${messages.sampleWord}`,
              spoken: messages.sampleBefore.split(' ').length,
              style: 5,
              colour: first,
              size: 1.3,
            }}
          />
        </div>
        <div
          className="relative aspect-9/16 min-w-0 max-w-36 flex-1 overflow-hidden rounded-lg"
          style={{ background: first }}
        >
          <CaptionPicture
            sample={{
              width: 432,
              height: 768,
              brand: { primary: first, secondary: second, name, line: profession || messages.professionPlaceholder },
              call: messages.sampleCall,
              logo: logo ?? null,
            }}
          />
        </div>
      </div>
      <div aria-live="polite" className="grid gap-1.5 text-[0.8125rem]">
        {primary === '' && secondary === '' ? (
          <p className="text-muted">{fallback === ownBrand ? messages.noColours : messages.companyColours}</p>
        ) : spoken.toLowerCase() === first.toLowerCase() ? (
          <p className="flex items-start gap-1.5 text-good">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
            {messages.readsWell(`${ratio} : 1`)}
          </p>
        ) : (
          <p className="flex items-start gap-1.5 text-warn">
            <span
              aria-hidden
              className="mt-0.5 size-4 shrink-0 rounded border border-line"
              style={{ background: spoken }}
            />
            {messages.moved(`${ratio} : 1`)}
          </p>
        )}
        {contrast(first, second) < 1.4 && (
          <p className="flex items-start gap-1.5 text-warn">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {messages.alike}
          </p>
        )}
      </div>
    </figure>
  )
}
