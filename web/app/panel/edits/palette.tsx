import { useId, useState, type KeyboardEvent } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { cx } from '../../ui/cx.ts'
import { keys, type Command } from './keys.ts'
import { matching } from './matching.ts'
import { paletteWords } from './words/palette.ts'

/** Every command of the workbench by its name, from the table that feeds keys and sheet: some letters, Enter. */
export const Palette = ({ onRun, onClose }: { onRun: (command: Command) => void; onClose: () => void }) => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = matching(keys, text)
  const chosen = found[Math.min(at, found.length - 1)]
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    // The dialog gives the focus back first.
    requestAnimationFrame(() => onRun(command))
  }
  const pressed = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (by === undefined) return run(chosen)
    const next = (Math.min(at, found.length - 1) + by + found.length) % Math.max(1, found.length)
    setAt(next)
    document.getElementById(`${id} ${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title={paletteWords.title} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} size="medium">
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && `${id} ${found.indexOf(chosen)}`}
        aria-label={paletteWords.find}
        placeholder={paletteWords.find}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={pressed}
        className="mt-1 h-11 w-full rounded-lg border border-edge bg-surface px-3"
      />
      <div id={id} role="listbox" aria-label={paletteWords.commands} className="mt-2 h-72 overflow-y-auto">
        {found.map((command, i) => (
          <div
            key={command.label}
            id={`${id} ${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            className={cx(
              'touch flex cursor-default items-center justify-between gap-3 rounded-md px-2.5 py-1.5 text-[0.8125rem]',
              command === chosen && 'bg-primary-tint text-primary-text',
            )}
            onPointerMove={() => setAt(i)}
            onClick={() => run(command)}
            onKeyDown={pressed}
          >
            {command.label}
            <span className="flex shrink-0 gap-1">
              {command.shown.map((cap) => (
                <kbd key={cap} className="rounded border border-edge px-1.5 font-mono text-xs">
                  {cap}
                </kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
      <p role="status" className="mt-2 min-h-5 text-[0.8125rem] text-muted">
        {found.length === 0 && paletteWords.none}
      </p>
    </Dialog>
  )
}
