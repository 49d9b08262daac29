import { useEffect, useRef } from 'react'

/** A key that works on the whole page: `on` as `KeyboardEvent.key` in small letters, `ctrl+` (or ⌘), `alt+` and `shift+` before it, in this order. */
export type PageKey<Target> = { on: readonly string[]; run: (target: Target, event: KeyboardEvent) => void }

type Options<Key> = {
  /** Leaves a key alone that has nothing to work on. */
  counts?: (key: Key) => boolean
  /** A list that takes no keys away, as a selector. */
  except?: string
  /** Only keys that are pressed in there count, as a selector. */
  within?: string | undefined
}

/** Listens on the whole page while mounted. Keys rest while somebody types or works in a menu, list or dialog. */
export const usePageKeys = <Target, Key extends PageKey<Target>>(
  keys: readonly Key[],
  target: Target,
  { counts = () => true, except = 'x-none', within = 'html' }: Options<Key> = {},
) => {
  const latest = useRef({ target, counts })
  useEffect(() => {
    latest.current = { target, counts }
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isBusy(event, except) || !isWithin(event, within)) return
      const { ctrlKey, metaKey, altKey, shiftKey } = event
      const held = (ctrlKey || metaKey ? 'ctrl+' : '') + (altKey ? 'alt+' : '') + (shiftKey ? 'shift+' : '')
      const name = held + event.key.toLowerCase()
      const found = keys.find((key) => key.on.includes(name) && latest.current.counts(key))
      if (!found) return
      event.preventDefault()
      found.run(latest.current.target, event)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [keys, except, within])
}

const isWithin = ({ target }: KeyboardEvent, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

// Whoever has the focus comes first: a field takes every key, a button takes Space and Enter, a row of choices the arrows.
const isBusy = (event: KeyboardEvent, except: string): boolean => {
  const at = event.target instanceof Element ? event.target : null
  if (!at) return false
  const list = at.closest('[role="listbox"], [role="grid"]')
  if (at.closest(taking) || (list && !list.matches(except))) return true
  const presses = event.key === ' ' || event.key === 'Enter'
  if (presses && at.closest('button, a, summary, label, [role="button"], [role="tab"]')) return true
  return event.key.startsWith('Arrow') && at.closest(rows) !== null
}

const taking =
  'input:not([type="range"]):not([type="checkbox"]), textarea, select, [contenteditable="true"], ' +
  '[role="dialog"], [role="alertdialog"], [role="menu"]'
const rows = '[role="tablist"], [role="radiogroup"], [role="toolbar"], input[type="range"]'
