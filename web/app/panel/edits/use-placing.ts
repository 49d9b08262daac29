import { useRef, type PointerEvent } from 'react'
import type { LineView } from './line-view.ts'

/** So many pixels a press may tremble before something is drawn. */
const trembling = 5

type Placing = {
  /** Where it is played when it is let go at a share of the track: its place, and where that is on the track; null where it is. */
  placeAt: (share: number) => { before: number; share: number } | null
  /** Shows a place on the track; null hides it. */
  guide: (share: number | null) => void
  drop: (before: number) => void
}

/**
 * Draws a passage to another place in the order: it goes along with the hand, a line shows where it would be played, and it is
 * there once it is let go. Answers the pointer handlers of an element within `track`.
 */
export const usePlacing = (
  track: () => HTMLElement | null,
  view: LineView | undefined,
  { placeAt, guide, drop }: Placing,
) => {
  const under = useRef<{ x: number; left: number; isDrawn: boolean; before: number | null } | null>(null)
  const wasDrawn = useRef(false)
  const end = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.style.translate = ''
    event.currentTarget.removeAttribute('data-drawn')
    under.current = null
    view?.drawnAt(null)
    guide(null)
  }
  const show = (element: HTMLElement, clientX: number) => {
    const drawn = under.current
    const box = track()?.getBoundingClientRect()
    if (!drawn || !box) return
    element.style.translate = `${clientX - drawn.x + (view?.left() ?? 0) - drawn.left}px`
    const place = placeAt((clientX - box.left) / Math.max(1, box.width))
    drawn.before = place?.before ?? null
    guide(place?.share ?? null)
  }
  return {
    /** The press that ends a drawing is none. */
    wasDrawn: () => {
      const was = wasDrawn.current
      wasDrawn.current = false
      return was
    },
    setDrawn: (is: boolean) => void (wasDrawn.current = is),
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        wasDrawn.current = false
        event.currentTarget.setPointerCapture(event.pointerId)
        under.current = { x: event.clientX, left: view?.left() ?? 0, isDrawn: false, before: null }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const drawn = under.current
        if (!drawn) return
        if (!drawn.isDrawn && Math.abs(event.clientX - drawn.x) < trembling) return
        drawn.isDrawn = wasDrawn.current = true
        const { currentTarget: element, clientX } = event
        element.setAttribute('data-drawn', '')
        show(element, clientX)
        view?.drawnAt(clientX, () => show(element, clientX))
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const before = under.current?.before ?? null
        end(event)
        if (before !== null) drop(before)
      },
      onPointerCancel: end,
    },
  }
}
