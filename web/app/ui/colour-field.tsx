import { useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { ColorArea } from 'react-aria-components/ColorArea'
import { ColorPicker, parseColor } from 'react-aria-components/ColorPicker'
import { ColorSlider, SliderTrack } from 'react-aria-components/ColorSlider'
import { ColorThumb } from 'react-aria-components/ColorThumb'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Input } from 'react-aria-components/Input'
import { Popover } from 'react-aria-components/Popover'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import { isColour } from '@clear-to-post/edit/contrast'
import { cx } from './cx.ts'
import { Below, box, field, FieldLabel } from './fields.tsx'
import { floating } from './floating.ts'
import { messages } from './messages.ts'

/** A colour as `#rrggbb`, typed or picked; an empty text is none. What is typed counts once it is a whole colour. */
export const ColourField = ({
  label,
  value,
  onChange,
  start,
  hint,
  isRequired = false,
  className,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  /** Where the picker begins while there is no colour. */
  start: string
  hint?: ReactNode
  isRequired?: boolean
  className?: string
}) => {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? value
  const isWrong = typed !== null && typed !== '' && !isColour(whole(typed))
  const type = (text: string) => {
    const colour = whole(text)
    setTyped(text)
    if (text.trim() === '' || isColour(colour)) onChange(text.trim() === '' ? '' : colour)
  }
  return (
    <div className={className}>
      <AriaTextField
        value={shown}
        onChange={type}
        onBlur={() => !isWrong && setTyped(null)}
        isInvalid={isWrong}
        className={field}
      >
        <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
        <div className="relative">
          <DialogTrigger>
            <Button
              aria-label={messages.pick(label)}
              className="absolute inset-y-0 left-0 grid w-11 place-items-center rounded-l-control"
            >
              <span
                className={cx('size-6 rounded-md border border-edge/60', !isColour(value) && noColour)}
                style={isColour(value) ? { background: value } : undefined}
              />
            </Button>
            <Popover placement="bottom start" className={cx(floating, 'p-3')}>
              <Dialog aria-label={label} className="outline-none">
                <Picker
                  value={isColour(value) ? value : start}
                  onChange={(colour) => {
                    setTyped(null)
                    onChange(colour)
                  }}
                />
              </Dialog>
            </Popover>
          </DialogTrigger>
          <Input
            placeholder={start}
            maxLength={7}
            spellCheck={false}
            autoCapitalize="none"
            className={cx(box, 'touch figures h-10 pr-3 pl-11 font-mono')}
          />
        </div>
        <Below hint={hint} error={isWrong ? messages.wrongColour : undefined} />
      </AriaTextField>
    </div>
  )
}

const Picker = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <ColorPicker
    value={parseColor(value).toFormat('hsb')}
    onChange={(colour) => onChange(colour.toString('hex').toLowerCase())}
  >
    <div className="grid gap-3">
      <ColorArea colorSpace="hsb" xChannel="saturation" yChannel="brightness" className="h-40 w-56 rounded-md">
        <ColorThumb className={thumb} />
      </ColorArea>
      <ColorSlider colorSpace="hsb" channel="hue" aria-label={messages.hue}>
        <SliderTrack className="h-6 rounded-md">
          <ColorThumb className={cx(thumb, 'top-1/2')} />
        </SliderTrack>
      </ColorSlider>
    </div>
  </ColorPicker>
)

const whole = (text: string): string => {
  const colour = text.trim().toLowerCase()
  return colour.startsWith('#') || colour === '' ? colour : `#${colour}`
}

const thumb =
  'size-6 rounded-full border-2 border-white shadow-[0_0_0_1px_#0c111b99] data-focus-visible:size-7 data-focus-visible:shadow-[0_0_0_2px_#0c111b]'
const noColour = 'bg-[repeating-conic-gradient(var(--color-line)_0_25%,var(--color-surface)_0_50%)] bg-[length:8px_8px]'
