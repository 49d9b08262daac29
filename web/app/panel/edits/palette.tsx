import { ChooseDialog } from './choose-dialog.tsx'
import { keys, type Command } from './keys.ts'
import { matching } from './matching.ts'
import { paletteWords } from './words/palette.ts'

/** Every command of the workbench by its name, from the table that feeds keys and sheet: some letters, Enter. */
export const Palette = ({ onRun, onClose }: { onRun: (command: Command) => void; onClose: () => void }) => (
  <ChooseDialog
    title={paletteWords.title}
    label={paletteWords.find}
    listLabel={paletteWords.commands}
    find={(text) => matching(keys, text)}
    keyOf={({ label }) => label}
    show={({ label, shown }) => (
      <>
        {label}
        <span className="flex shrink-0 gap-1">
          {shown.map((cap) => (
            <kbd key={cap} className="rounded border border-edge px-1.5 font-mono text-xs">
              {cap}
            </kbd>
          ))}
        </span>
      </>
    )}
    say={(found) => (found.length === 0 ? paletteWords.none : '')}
    onChoose={onRun}
    onClose={onClose}
  />
)
