import { useEffect, useState } from 'react'

/** What opened the first of the dialogs that follow one another. */
let opener: Element | null = null
const dialogs = '[role=dialog], [role=alertdialog]'

/**
 * Whoever closes a dialog that came from another one, or from what is gone by now, such as an entry of a menu or a deleted row,
 * comes back to what opened the first, or to the page. Dialogs that know where to go back to have gone there by then. Whatever else
 * goes away with the focus in it, as the foot of a saved form, does the same.
 */
export const WayBack = () => {
  useState(() => {
    const at = document.activeElement
    if (at !== null && at !== document.body && at.closest(dialogs) === null) opener = at
  })
  useEffect(
    () => () => {
      for (const ms of backAfterMs) setTimeout(goBack, ms)
    },
    [],
  )
  return null
}
const goBack = () => {
  if (document.activeElement !== document.body || document.querySelector(dialogs) !== null) return
  const to = opener?.isConnected ? opener : document.querySelector('#content')
  if (to instanceof HTMLElement) to.focus({ preventScroll: true })
}
/** After a frame, in which dialogs give the focus back by themselves; and once a list may have taken away the row it went to. */
const backAfterMs = [100, 1000, 3000]
