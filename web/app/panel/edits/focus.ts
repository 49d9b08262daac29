/**
 * Has the focus go to what a command opened, as soon as it is there and no dialog gives the focus back any more; a text in it
 * is selected, so that what is typed replaces it.
 */
export const focusSoon = (selector: string, frames = 120): void => {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found || document.querySelector('[role="dialog"]')) {
    if (frames > 0) requestAnimationFrame(() => focusSoon(selector, frames - 1))
    return
  }
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      found.focus()
      if (found instanceof HTMLInputElement) found.select()
    }),
  )
}

/** The keys work on the words of the transcript again, where it is seen. */
export const backToWords = (): void => {
  const transcript = document.querySelector<HTMLElement>('.transcript')
  if (transcript) transcript.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
