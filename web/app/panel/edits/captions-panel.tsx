import { useState } from 'react'
import { Plus, RotateCcw, Trash2 } from 'lucide-react'
import { captionStyles } from '@clear-to-post/domain/captions'
import { addRoom, isColourMoved, setCaptions, setTour } from '@clear-to-post/edit/commands/captions'
import type { Recipe, Span } from '@clear-to-post/edit/recipe'
import { Button, IconButton } from '../../ui/button.tsx'
import { ColourField } from '../../ui/colour-field.tsx'
import { clock } from '../../ui/player-time.ts'
import { Switch } from '../../ui/switch.tsx'
import type { CanvasTools } from './canvas-tools.ts'
import { DrawnField, Group, Range } from './fields.tsx'
import { messages } from './messages.ts'
import { StyleSamples } from './style-samples.tsx'
import type { Workbench } from './use-bench.ts'

type CaptionsPanelProps = {
  bench: Workbench
  tools: CanvasTools | null
  poster: string | undefined
  /** Where a room's name is shown: the selected words, else from what is seen now. */
  spanHere: () => Span | null
  secondsOf: (span: Span) => number | null
}

/** How captions look: style, place, size, colour; for a Home Tour the house. */
export const CaptionsPanel = ({ bench, tools, poster, spanHere, secondsOf }: CaptionsPanelProps) => {
  const { recipe, change, mayWrite } = bench
  const { captions, brand } = recipe
  const set = (name: string, part: Partial<Recipe['captions']>, merge?: string) =>
    change(name, setCaptions(part), merge)
  const isOff = !mayWrite || !captions.on
  return (
    <>
      <Group title={messages.captions}>
        <Switch
          isSelected={captions.on}
          isDisabled={!mayWrite}
          onChange={(on) => set(on ? messages.did.captionsOn : messages.did.captionsOff, { on })}
        >
          {messages.captionsOn}
        </Switch>
        <StyleSamples
          recipe={recipe}
          tools={tools}
          poster={poster}
          isDisabled={isOff}
          onChange={(style) => set(messages.did.style, { style })}
        />
      </Group>
      {captionStyles[captions.style].hasTour && <TourFields bench={bench} spanHere={spanHere} secondsOf={secondsOf} />}
      <Group title={messages.look}>
        <Range
          label={messages.position}
          value={Math.round((1 - (captions.position ?? 0.62)) * 100)}
          min={5}
          max={95}
          step={1}
          isDisabled={isOff}
          say={() => (captions.position === null ? messages.positionAuto : messages.percent(1 - captions.position))}
          onChange={(value) => set(messages.did.position, { position: 1 - value / 100 }, 'position')}
          action={
            captions.position !== null &&
            mayWrite && (
              <Button
                size="small"
                variant="quiet"
                icon={<RotateCcw aria-hidden />}
                className="h-6! px-1.5!"
                onPress={() => set(messages.did.position, { position: null })}
              >
                {messages.auto}
              </Button>
            )
          }
        />
        <Range
          label={messages.size}
          value={Math.round(captions.size * 100)}
          min={50}
          max={150}
          step={5}
          isDisabled={isOff}
          say={(value) => messages.percent(value / 100)}
          onChange={(value) => set(messages.did.size, { size: value / 100 }, 'size')}
        />
        <ColourField
          label={messages.colour}
          value={captions.colour ?? ''}
          start={brand.primary}
          onChange={(colour) => mayWrite && set(messages.did.colour, { colour: colour || null }, 'colour')}
          hint={
            isColourMoved(captions.colour ?? brand.primary)
              ? messages.colourMoved
              : captions.colour
                ? messages.colourOwn
                : messages.colourBrand
          }
        />
      </Group>
    </>
  )
}

const TourFields = ({ bench, spanHere, secondsOf }: Pick<CaptionsPanelProps, 'bench' | 'spanHere' | 'secondsOf'>) => {
  const { recipe, change, mayWrite } = bench
  const tour = recipe.captions.tour ?? { address: '', price: '', beds: '', baths: '', rooms: [] }
  const [room, setRoom] = useState('')
  const field = (key: 'address' | 'price' | 'beds' | 'baths', longest: number, className?: string) => (
    <DrawnField
      label={messages.tour[key]}
      value={tour[key]}
      maxLength={longest}
      isReadOnly={!mayWrite}
      onChange={(value) => change(messages.did.tour, setTour({ [key]: value }), `tour ${key}`)}
      {...(className ? { className } : {})}
    />
  )
  const add = () => {
    const span = spanHere()
    if (!span || room.trim() === '') return
    change(messages.did.room(room.trim()), addRoom(room.trim(), span))
    setRoom('')
  }
  return (
    <Group title={messages.tour.title}>
      <div className="grid grid-cols-2 gap-3">
        {field('address', 120, 'col-span-2')}
        {field('price', 40, 'col-span-2')}
        {field('beds', 20)}
        {field('baths', 20)}
      </div>
      <h3 className="pt-1 text-[0.8125rem] font-medium">{messages.tour.rooms}</h3>
      {tour.rooms.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {tour.rooms.map(({ id, name, ...span }) => {
            const at = secondsOf(span)
            return (
              <li key={id} className="flex min-h-11 items-center justify-between gap-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {name} <span className="figures text-muted">{at === null ? messages.notInVideo : clock(at)}</span>
                </span>
                {mayWrite && (
                  <IconButton
                    label={messages.removeNamed(name)}
                    onPress={() =>
                      change(messages.did.roomGone(name), setTour({ rooms: tour.rooms.filter((one) => one.id !== id) }))
                    }
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {mayWrite && (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <DrawnField
            label={messages.tour.room}
            value={room}
            onChange={setRoom}
            maxLength={60}
            hint={messages.tour.roomHint}
            className="flex-1"
          />
          <Button type="submit" icon={<Plus aria-hidden />} isDisabled={room.trim() === ''} className="mb-6.5">
            {messages.tour.add}
          </Button>
        </form>
      )}
    </Group>
  )
}
