import { useRef, type PointerEvent } from 'react'
import type { Point } from '@clear-to-post/edit/on-picture'

/** Called with how far the pointer is from where it went down, in parts of the frame; `merge` joins one way of the hand. */
type Drag = (by: Point, merge: string) => void

/** Pointer handlers of something on the picture; the frame is its nearest `.bench-frame`. */
export const usePictureDrag = () => {
  const under = useRef<{ x: number; y: number; frame: DOMRect; merge: string; to: Drag; end?: Drag | undefined }>(null)
  return (begin: () => { to: Drag; end?: Drag }) => {
    const by = ({ clientX, clientY }: PointerEvent): Point => {
      const { x, y, frame } = under.current!
      return { x: (clientX - x) / frame.width, y: (clientY - y) / frame.height }
    }
    return {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const frame = event.currentTarget.closest('.bench-frame')?.getBoundingClientRect()
        if (event.button !== 0 || !frame) return
        event.stopPropagation()
        event.currentTarget.setPointerCapture(event.pointerId)
        under.current = { x: event.clientX, y: event.clientY, frame, merge: `picture ${Date.now()}`, ...begin() }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (under.current) under.current.to(by(event), under.current.merge)
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (under.current) under.current.end?.(by(event), under.current.merge)
        under.current = null
      },
      onPointerCancel: () => {
        under.current?.end?.({ x: 0, y: 0 }, under.current.merge)
        under.current = null
      },
    }
  }
}

/** By how many steps the arrow keys lead, with Shift five at a time; plus and minus are a step of size. Null for other keys. */
export const stepsOf = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyLike): (Point & { size: number }) | null => {
  const far = shiftKey ? 5 : 1
  const steps = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, -1, 0], ArrowDown: [0, 1, 0] }
  const sizes = { '+': [0, 0, 1], '=': [0, 0, 1], '-': [0, 0, -1], _: [0, 0, -1] }
  const found = ({ ...steps, ...sizes } as Record<string, number[]>)[key]
  if (!found || ctrlKey || metaKey || altKey) return null
  const isSize = key in sizes
  const [x, y, size] = found.map((step) => step * (isSize ? 1 : far)) as [number, number, number]
  return { x, y, size }
}

type KeyLike = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean }
