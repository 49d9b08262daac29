import { useEffect } from 'react'
import { useLocation } from '@tanstack/react-router'

/**
 * Whoever is led to a part of a page by its address (`#licences`) stands there once it is loaded: its heading on top, the
 * focus in its first field, or on the heading where that can have it. The part is the section around what has this id.
 */
export const useLedTo = (isLoaded: boolean): void => {
  const hash = useLocation({ select: (place) => place.hash })
  useEffect(() => {
    const named = isLoaded && hash !== '' ? document.getElementById(hash) : null
    if (named === null) return
    const part = named.closest<HTMLElement>('section, form') ?? named
    part.scrollIntoView({ block: 'start' })
    const field = part.querySelector<HTMLElement>('button, input:not([type=file]), select, textarea')
    const place = named.hasAttribute('tabindex') ? named : field
    place?.focus({ preventScroll: true })
  }, [isLoaded, hash])
}
