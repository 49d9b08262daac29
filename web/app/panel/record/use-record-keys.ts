import { useEffect, useEffectEvent } from 'react'

/** The recorder's keys, by their name; they rest while somebody types, watches or answers. */
export const useRecordKeys = (keys: Record<string, () => unknown>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (target.closest('input, textarea, select, video, [role="dialog"], [role="alertdialog"], [role="listbox"]'))
      return
    const work = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!work) return
    event.preventDefault()
    work()
  })
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
