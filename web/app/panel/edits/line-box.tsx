import { useRef, type PointerEvent, type ReactNode } from 'react'
import type { LineView } from './line-view.ts'

/** So many pixels a press may tremble before it is a box. */
const trembling = 5

/**
 * What is drawn around on the tracks: a box by mouse or pen, or by finger while `byTouch`. It answers the names
 * (`data-thing`) of all that it touches.
 */
export const LineBox = ({
  view,
  byTouch,
  onBox,
  children,
}: {
  view: LineView
  byTouch: boolean
  onBox: (names: readonly string[], isMore: boolean) => void
  children: ReactNode
}) => {
  const content = useRef<HTMLDivElement>(null)
  const drawn = useRef<HTMLSpanElement>(null)
  const began = useRef<{ x: number; y: number; isBox: boolean } | null>(null)
  const at = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = content.current!.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  /** From where it began to the pointer, in pixels of the line: it may have gone on meanwhile. */
  const rectangle = (pointer: { clientX: number; clientY: number }) => {
    const [{ x, y }, to] = [began.current!, at(pointer)]
    return { left: Math.min(x, to.x), top: Math.min(y, to.y), right: Math.max(x, to.x), bottom: Math.max(y, to.y) }
  }
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const target = event.target as Element
    if (event.button !== 0 || (event.pointerType === 'touch' && !byTouch)) return
    // The ruler is sought on; what is in hand is dragged.
    if (target.closest('.player-ruler, .track-handle, [data-movable]')) return
    began.current = { ...at(event), isBox: false }
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const start = began.current
    if (!start) return
    const now = at(event)
    if (!start.isBox && Math.hypot(now.x - start.x, now.y - start.y) < trembling) return
    if (!start.isBox) event.currentTarget.setPointerCapture(event.pointerId)
    start.isBox = true
    const { clientX, clientY } = event
    show({ clientX, clientY })
    view.drawnAt(clientX, () => began.current && show({ clientX, clientY }))
  }
  const show = (pointer: { clientX: number; clientY: number }) => {
    const box = rectangle(pointer)
    Object.assign(drawn.current!.style, {
      visibility: 'visible',
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${box.right - box.left}px`,
      height: `${box.bottom - box.top}px`,
    })
  }
  const end = () => {
    began.current = null
    view.drawnAt(null)
    drawn.current!.style.visibility = 'hidden'
  }
  const up = (event: PointerEvent<HTMLDivElement>) => {
    if (began.current?.isBox) {
      const box = rectangle(event)
      const own = content.current!.getBoundingClientRect()
      const names = [...content.current!.querySelectorAll<HTMLElement>('[data-thing]')].flatMap((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const isTouched =
          left < box.right + own.left &&
          right > box.left + own.left &&
          top < box.bottom + own.top &&
          bottom > box.top + own.top
        return isTouched ? [element.dataset['thing']!] : []
      })
      onBox(names, event.shiftKey)
    }
    end()
  }
  return (
    <div
      ref={content}
      className="line-content"
      data-boxes={byTouch || undefined}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={end}
    >
      {children}
      <span ref={drawn} aria-hidden className="line-box" />
    </div>
  )
}
