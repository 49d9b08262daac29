import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { Check } from 'lucide-react'
import { captionStyles, captionStyleValues, type CaptionStyle } from '@clear-to-post/domain/captions'
import { cx } from '../../ui/cx.ts'
import { labelLook } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** The five styles, each drawn on the officer's own first frame as soon as there is one. */
export const CaptionStyleField = ({
  value,
  onChange,
  frame,
}: {
  value: CaptionStyle
  onChange: (value: CaptionStyle) => void
  frame: string | null
}) => (
  <RadioGroup
    value={String(value)}
    onChange={(chosen) => onChange(captionStyleValues.find((one) => String(one) === chosen) ?? value)}
    className="flex flex-col gap-1.5"
  >
    <Label className={labelLook}>{messages.captionStyle}</Label>
    <div className="grid grid-cols-2 gap-2.5 min-[26rem]:grid-cols-3 sm:grid-cols-5">
      {captionStyleValues.map((style) => (
        <Radio
          key={style}
          value={String(style)}
          className="group flex cursor-pointer flex-col gap-1.5 rounded-[10px] border border-line p-1.5 hover:border-edge data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-primary data-selected:border-primary data-selected:bg-primary-tint"
        >
          {({ isSelected }) => (
            <>
              <span
                aria-hidden
                className="relative block aspect-4/5 overflow-hidden rounded-md bg-[#39435a] bg-cover bg-center"
                style={frame ? { backgroundImage: `url("${frame}")` } : undefined}
              >
                {frame === null && <Stranger />}
                <span className="absolute inset-0 bg-linear-to-t from-black/55 to-transparent to-55%" />
                <Sample style={style} />
                {isSelected && (
                  <span className="absolute top-1.5 right-1.5 grid size-5 place-items-center rounded-full bg-primary text-on-primary">
                    <Check className="size-3" strokeWidth={3.5} />
                  </span>
                )}
              </span>
              <span
                className={cx(
                  'flex min-h-8 items-center px-0.5 text-[0.8125rem] leading-tight',
                  isSelected && 'font-medium text-primary-text',
                )}
              >
                {captionStyles[style]}
              </span>
            </>
          )}
        </Radio>
      ))}
    </div>
  </RadioGroup>
)

const Sample = ({ style }: { style: CaptionStyle }) => {
  const [first, second] = messages.sampleTwo
  const [tour, facts] = messages.sampleTour
  if (style === 4)
    return (
      <span className="absolute right-2 bottom-2 left-2 border-l-2 border-coral bg-black/60 px-1.5 py-1 text-[0.625rem] leading-tight text-white">
        <span className="block font-semibold">{tour}</span>
        {facts}
      </span>
    )
  return (
    <span className="absolute inset-x-1 bottom-3 text-center font-display text-[0.625rem] whitespace-nowrap min-[26rem]:text-[0.6875rem] leading-[1.25] font-bold text-white [text-shadow:0_1px_2px_#000,0_0_1px_#000]">
      {style === 1 && messages.sampleOne}
      {style === 2 && (
        <>
          {messages.sampleOne} <Chart />
        </>
      )}
      {style === 5 && (
        <>
          {first}
          <br />
          {second}
        </>
      )}
      {style === 3 && (
        <>
          {first} <House />
          <br />
          {second} <Chart />
        </>
      )}
    </span>
  )
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

// Drawn rather than typed: not every machine has a font with emojis.
const emoji = 'inline size-[1.15em] align-[-0.2em]'
const Chart = () => (
  <svg viewBox="0 0 20 20" className={emoji}>
    <rect width="20" height="20" rx="3" fill="#fff" />
    <path d="M3 15l4.5-5 3 2.5L17 5" fill="none" stroke="#e0402a" strokeWidth="2.6" strokeLinecap="round" />
  </svg>
)
const House = () => (
  <svg viewBox="0 0 20 20" className={emoji}>
    <path d="M10 2L1 10h3v8h12v-8h3z" fill="#f4c266" />
    <path d="M10 2L1 10h18z" fill="#d2553b" />
    <path d="M8 18v-5h4v5z" fill="#7a4a2b" />
  </svg>
)
