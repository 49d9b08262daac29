import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { cx } from '../../ui/cx.ts'

type ChooseProps<Thing> = {
  title: string
  /** Of the field, and in it. */
  label: string
  /** Of the list. */
  listLabel: string
  /** What is found by a text; the first is taken by Enter. */
  find: (text: string) => readonly Thing[]
  keyOf: (thing: Thing) => string
  show: (thing: Thing) => ReactNode
  /** Hears of each letter, where what is found has to be asked for. */
  onType?: (text: string) => void
  /** Said under the field, of what is found. */
  say: (found: readonly Thing[], text: string) => string
  /** Called when the dialog has gone and given the focus back. */
  onChoose: (thing: Thing) => void
  onClose: () => void
}

/** Some letters, arrows where the first is not meant, Enter. */
export const ChooseDialog = <Thing,>(props: ChooseProps<Thing>) => {
  const { title, label, listLabel, find, keyOf, show, say, onType, onChoose, onClose } = props
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = find(text)
  const chosen = found[Math.min(at, found.length - 1)]
  const choose = (thing: Thing | undefined) => {
    if (thing === undefined) return
    onClose()
    requestAnimationFrame(() => onChoose(thing))
  }
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (by === undefined) return choose(chosen)
    const next = (Math.min(at, found.length - 1) + by + found.length) % Math.max(1, found.length)
    setAt(next)
    document.getElementById(`${id} ${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title={title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} size="medium">
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id} ${found.indexOf(chosen)}`}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          onType?.(event.target.value)
          setAt(0)
        }}
        onKeyDown={pressed}
        className="mt-1 h-11 w-full rounded-lg border border-edge bg-surface px-3"
      />
      <p role="status" className="mt-2 min-h-5 text-[0.8125rem] text-muted">
        {say(found, text)}
      </p>
      <div id={id} role="listbox" aria-label={listLabel} className="mt-1 h-72 overflow-y-auto">
        {found.map((thing, i) => (
          <div
            key={keyOf(thing)}
            id={`${id} ${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={thing === chosen}
            className={cx(
              'touch flex cursor-default items-center justify-between gap-3 rounded-md px-2.5 py-1.5 text-[0.8125rem]',
              thing === chosen && 'bg-primary-tint text-primary-text',
            )}
            onPointerMove={() => setAt(i)}
            onClick={() => choose(thing)}
            onKeyDown={pressed}
          >
            {show(thing)}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
