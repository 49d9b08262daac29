import type { CSSProperties, ReactNode } from 'react'
import { Radio } from 'react-aria-components/RadioGroup'
import { Check } from 'lucide-react'
import { captionStyles, type CaptionStyle } from '@clear-to-post/domain/captions'
import { cx } from './cx.ts'

/** One of the caption styles to choose from: its picture (the children) in a frame of the look given, and its name. */
export const CaptionStyleRadio = ({
  style,
  frame,
  frameStyle,
  children,
  className,
}: {
  style: CaptionStyle
  frame: string
  frameStyle?: CSSProperties | undefined
  children: ReactNode
  className: string
}) => (
  <Radio
    value={String(style)}
    className={cx(
      'group flex cursor-pointer flex-col rounded-[10px] border border-line p-1.5 hover:border-edge data-disabled:cursor-default data-focus-visible:outline-2 data-focus-visible:outline-offset-2 data-focus-visible:outline-primary data-selected:border-primary data-selected:bg-primary-tint',
      className,
    )}
  >
    {({ isSelected }) => (
      <>
        <span
          aria-hidden
          className={cx('relative block overflow-hidden rounded-md bg-[#39435a]', frame)}
          style={frameStyle}
        >
          {children}
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
          {captionStyles[style].label}
        </span>
      </>
    )}
  </Radio>
)
