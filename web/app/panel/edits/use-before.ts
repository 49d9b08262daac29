import { useEffect, useState } from 'react'

/** Whether the picture is shown as it was recorded: while a key or a button is held. */
export const useBefore = () => {
  const [isShown, show] = useState(false)
  useEffect(() => {
    if (!isShown) return
    const end = () => show(false)
    const ends = ['keyup', 'pointerup', 'pointercancel', 'blur'] as const
    for (const name of ends) addEventListener(name, end)
    return () => ends.forEach((name) => removeEventListener(name, end))
  }, [isShown])
  return { isShown, show: () => show(true) }
}

export type Before = ReturnType<typeof useBefore>
