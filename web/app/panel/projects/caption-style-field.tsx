import { Label } from 'react-aria-components/Label'
import { RadioGroup } from 'react-aria-components/RadioGroup'
import { captionStyles, captionStyleValues, type CaptionStyle } from '@clear-to-post/domain/captions'
import type { CaptionSample } from '../../ui/caption-canvas.ts'
import { CaptionPicture } from '../../ui/caption-picture.tsx'
import { CaptionStyleRadio } from '../../ui/caption-style-radio.tsx'
import { labelLook } from '../../ui/fields.tsx'
import { messages } from './new-video-messages.ts'

/** The styles, each drawn on the officer's own first frame as soon as there is one. */
export const CaptionStyleField = ({
  value,
  onChange,
  frame,
  colour,
}: {
  value: CaptionStyle
  onChange: (value: CaptionStyle) => void
  frame: string | null
  /** Behind the spoken word: the officer's or their company's. */
  colour: string
}) => (
  <RadioGroup
    value={String(value)}
    onChange={(chosen) => onChange(captionStyleValues.find((one) => String(one) === chosen) ?? value)}
    className="flex flex-col gap-1.5"
  >
    <Label className={labelLook}>{messages.captionStyle}</Label>
    <div className="grid grid-cols-2 gap-2.5 min-[26rem]:grid-cols-3 sm:grid-flow-col sm:grid-cols-none sm:auto-cols-fr">
      {captionStyleValues.map((style) => (
        <CaptionStyleRadio
          key={style}
          style={style}
          className="gap-1.5"
          frame="aspect-4/5 bg-cover bg-center"
          frameStyle={frame ? { backgroundImage: `url("${frame}")` } : undefined}
        >
          {frame === null && <Stranger />}
          <span className="absolute inset-0 bg-linear-to-t from-black/55 to-transparent to-55%" />
          <CaptionPicture sample={sampleOf(style, colour)} />
        </CaptionStyleRadio>
      ))}
    </div>
  </RadioGroup>
)

/** By style: words that show what it does. */
const sampleOf = (style: CaptionStyle, colour: string): CaptionSample => {
  const { size, hasTour } = captionStyles[style]
  return {
    width: 360,
    height: 450,
    text: size === 'large' ? messages.sampleOne : messages.sampleTwo,
    spoken: 1,
    style,
    colour,
    size: size === 'small' ? 1.9 : 1.4,
    ...(hasTour ? { tour: { price: messages.sampleTour, facts: messages.sampleTourFacts } } : {}),
  }
}

/** Somebody in front of a wall, until the officer's own frame is there. */
const Stranger = () => (
  <svg viewBox="0 0 80 100" className="absolute inset-0 size-full">
    <rect width="80" height="100" fill="#4a5670" />
    <rect x="52" y="10" width="20" height="30" rx="1" fill="#5f6d8b" />
    <circle cx="40" cy="42" r="13" fill="#aeb8cc" />
    <path d="M14 100c0-22 11-34 26-34s26 12 26 34z" fill="#8793ac" />
  </svg>
)
