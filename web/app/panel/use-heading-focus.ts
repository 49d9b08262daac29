import { useEffect, useRef } from 'react'

/** A page that was loaded anew begins at the top of the document; what follows it in the panel, at its heading. */
let isFirst = true

/**
 * Whoever comes to a page, or to the next step of one, by something that is no longer there would stand nowhere: the heading
 * has the focus then, and a screen reader says it. The heading needs `tabIndex={-1}`.
 */
export const useHeadingFocus = <Heading extends HTMLElement = HTMLHeadingElement>() => {
  const heading = useRef<Heading>(null)
  useEffect(() => {
    if (!isFirst && isNowhere()) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return heading
}

/** Whether what had the focus is gone. */
export const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body
