import type { KeyboardEvent, RefObject } from 'react'
import { placeAt, placeTowards } from '@clear-to-post/edit/on-picture'
import type { Pinned } from '@clear-to-post/edit/commands/pictures'
import { messages } from './messages.ts'
import { stepsOf, usePictureDrag } from './use-picture-drag.ts'
import { pictureWords } from './words/picture.ts'

/** What is done to a picture or the logo where it lies. */
export type PinnedHand = {
  title: string
  set: (part: { place?: Pinned['place']; size?: number }, merge?: string) => void
}

/** Takes a picture to another place of the frame, and makes it larger or smaller by its inner corner. */
export const PinnedHandles = ({
  layer,
  hand,
  wrapper,
}: {
  layer: Pinned
  hand: PinnedHand
  wrapper: RefObject<HTMLElement | null>
}) => {
  const drag = usePictureDrag()
  const { place, size } = layer
  if (place === 'full') return null
  const [down, right] = [!place.startsWith('bottom'), !place.endsWith('right')]
  const merge = `keys ${layer.id}`
  const resized = (steps: number) => hand.set({ size: size + steps / 100 }, merge)
  const keys = (event: KeyboardEvent) => {
    const steps = stepsOf(event)
    if (!steps) return
    event.preventDefault()
    if (steps.size !== 0) return resized(steps.size)
    hand.set({
      place: placeTowards(place, steps.x < 0 ? 'left' : steps.x > 0 ? 'right' : steps.y < 0 ? 'top' : 'bottom'),
    })
  }
  const shift = (x: number, y: number) => {
    const { width = 0, height = 0 } = wrapper.current?.closest('.bench-frame')?.getBoundingClientRect() ?? {}
    wrapper.current?.style.setProperty('transform', `translate(${x * width}px, ${y * height}px)`)
  }
  return (
    <>
      <button
        type="button"
        className="picture-hold"
        aria-label={pictureWords.place(hand.title, messages.pinnedPlace[place])}
        onKeyDown={keys}
        {...drag(() => ({
          to: ({ x, y }) => shift(x, y),
          end: ({ x, y }) => {
            const [frame, own] = [wrapper.current?.closest('.bench-frame'), wrapper.current].map((one) =>
              one?.getBoundingClientRect(),
            )
            shift(0, 0)
            // A press alone moves nothing.
            if (!frame || !own || Math.hypot(x, y) < 0.02) return
            const middle = {
              x: (own.left + own.width / 2 - frame.left) / frame.width,
              y: (own.top + own.height / 2 - frame.top) / frame.height,
            }
            hand.set({ place: placeAt(middle) })
          },
        }))}
      />
      <div
        role="slider"
        tabIndex={0}
        aria-label={pictureWords.size(hand.title)}
        aria-valuemin={5}
        aria-valuemax={100}
        aria-valuenow={Math.round(size * 100)}
        aria-valuetext={pictureWords.percent(size)}
        className="picture-corner"
        style={{
          [right ? 'left' : 'right']: '100%',
          [down ? 'top' : 'bottom']: '100%',
          translate: `${right ? '-50%' : '50%'} ${down ? '-50%' : '50%'}`,
        }}
        onKeyDown={(event) => {
          const steps = stepsOf(event)
          if (!steps) return
          event.preventDefault()
          resized(steps.x - steps.y + steps.size)
        }}
        {...drag(() => ({
          to: (by, way) => {
            const frame = wrapper.current?.closest('.bench-frame')?.getBoundingClientRect()
            if (!frame) return
            const short = Math.min(frame.width, frame.height)
            const [x, y] = [(by.x * frame.width) / short, (by.y * frame.height) / short]
            const out = ((right ? x : -x) + (down ? y : -y)) / 2
            // In the middle it grows to both sides.
            hand.set({ size: size + out * (place === 'centre' ? 2 : 1) }, way)
          },
        }))}
      />
    </>
  )
}
