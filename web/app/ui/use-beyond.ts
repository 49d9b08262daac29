import { useEffect, useState, type RefObject } from 'react'

/**
 * Whether a list that scrolls has more before or after what is seen of it. Where somebody is (`aria-current`) is brought into
 * view, at first and when `place` changes.
 */
export const useBeyond = (
  list: RefObject<HTMLElement | null>,
  axis: 'x' | 'y',
  place: string = '',
): { before: boolean; after: boolean } => {
  const [beyond, setBeyond] = useState({ before: false, after: false })
  useEffect(() => {
    const box = list.current!
    const here = box.querySelector<HTMLElement>('[aria-current=page], [aria-selected=true]')
    if (!here) return
    const [from, size, at, room] =
      axis === 'x'
        ? [here.offsetLeft, here.offsetWidth, box.scrollLeft, box.clientWidth]
        : [here.offsetTop, here.offsetHeight, box.scrollTop, box.clientHeight]
    if (from - edge >= at && from + size + edge <= at + room) return
    box.scrollTo({ [axis === 'x' ? 'left' : 'top']: from - room / 2 + size / 2 })
  }, [list, axis, place])
  useEffect(() => {
    const box = list.current!
    const look = () => {
      const [at, room] =
        axis === 'x'
          ? [box.scrollLeft, box.scrollWidth - box.clientWidth]
          : [box.scrollTop, box.scrollHeight - box.clientHeight]
      const found = { before: at > 1, after: at < room - 1 }
      setBeyond((last) => (last.before === found.before && last.after === found.after ? last : found))
    }
    const sizes = new ResizeObserver(look)
    sizes.observe(box)
    if (box.firstElementChild) sizes.observe(box.firstElementChild)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [list, axis])
  return beyond
}

/** So much at either edge lies below an arrow, px. */
const edge = 56
