import { useRef, type PointerEvent, type ReactNode } from 'react'

/** So many pixels a press may tremble before it is a box. */
const trembling = 5

/**
 * What is drawn around on the tracks: a box by mouse or pen, or by finger while `byTouch`. It answers the names
 * (`data-thing`) of all that it touches.
 */
export const LineBox = ({
  byTouch,
  onBox,
  children,
}: {
  byTouch: boolean
  onBox: (names: readonly string[], isMore: boolean) => void
  children: ReactNode
}) => {
  const content = useRef<HTMLDivElement>(null)
  const drawn = useRef<HTMLSpanElement>(null)
  const began = useRef<{ x: number; y: number; isBox: boolean } | null>(null)
  const rectangle = ({ clientX, clientY }: PointerEvent) => {
    const { x, y } = began.current!
    return {
      left: Math.min(x, clientX),
      top: Math.min(y, clientY),
      right: Math.max(x, clientX),
      bottom: Math.max(y, clientY),
    }
  }
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const at = event.target as Element
    if (event.button !== 0 || (event.pointerType === 'touch' && !byTouch)) return
    // The ruler is sought on; what is in hand is dragged.
    if (at.closest('.player-ruler, .track-handle, [data-movable]')) return
    began.current = { x: event.clientX, y: event.clientY, isBox: false }
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const start = began.current
    if (!start) return
    if (!start.isBox && Math.hypot(event.clientX - start.x, event.clientY - start.y) < trembling) return
    if (!start.isBox) event.currentTarget.setPointerCapture(event.pointerId)
    start.isBox = true
    const box = rectangle(event)
    const own = content.current!.getBoundingClientRect()
    Object.assign(drawn.current!.style, {
      visibility: 'visible',
      left: `${box.left - own.left}px`,
      top: `${box.top - own.top}px`,
      width: `${box.right - box.left}px`,
      height: `${box.bottom - box.top}px`,
    })
  }
  const end = () => {
    began.current = null
    drawn.current!.style.visibility = 'hidden'
  }
  const up = (event: PointerEvent<HTMLDivElement>) => {
    if (began.current?.isBox) {
      const box = rectangle(event)
      const names = [...content.current!.querySelectorAll<HTMLElement>('[data-thing]')].flatMap((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const isTouched = left < box.right && right > box.left && top < box.bottom && bottom > box.top
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
