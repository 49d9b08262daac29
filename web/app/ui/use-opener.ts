import { useEffect, useRef, useState } from 'react'
import { toastFailure } from './toasts.tsx'

/** What of something that was opened has the focus: of a menu its first or last entry, or just the menu. */
export type Entered = 'first' | 'last' | true

/**
 * A button of every page that opens something nobody needs before: `load` brings its code once the browser rests, or as
 * soon as somebody comes near the button. What is opened stands where `entered` is not null.
 */
export const useOpener = (opens: 'menu' | 'dialog', load: () => Promise<unknown>) => {
  const button = useRef<HTMLButtonElement>(null)
  const [entered, setEntered] = useState<Entered | null>(null)
  const prepare = () => void load().catch(() => undefined)
  useEffect(() => {
    // Safari knows no rest.
    ;(globalThis.requestIdleCallback ?? setTimeout)(() => void load().catch(() => undefined))
  }, [load])
  const open = (by: Entered) => {
    button.current?.focus()
    load().then(() => setEntered(by), toastFailure)
  }
  return {
    button,
    entered,
    close: () => setEntered(null),
    buttonProps: {
      ref: button,
      'aria-haspopup': opens,
      'aria-expanded': entered !== null,
      onHoverStart: prepare,
      onFocus: prepare,
      onPress: ({ pointerType }: { pointerType: string }) =>
        open(pointerType === 'keyboard' || pointerType === 'virtual' ? 'first' : true),
      onKeyDown: (event: { key: string; preventDefault: () => void; continuePropagation: () => void }) => {
        if (opens !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp'))
          return event.continuePropagation()
        event.preventDefault()
        open(event.key === 'ArrowDown' ? 'first' : 'last')
      },
    },
  } as const
}
