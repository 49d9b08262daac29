import { Dialog } from '../../ui/dialog.tsx'
import { KeyRow } from '../../ui/player-key-sheet.tsx'
import { keys } from './keys.ts'
import { messages } from './messages.ts'
import { paletteWords } from './words/palette.ts'

/** What `?` opens: every key of the workbench, read from the table that listens. */
export const BenchKeySheet = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog title={messages.keysTitle} size="large" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
    <p className="text-muted">{messages.keysNote}</p>
    <div className="mt-4 grid gap-x-10 gap-y-5 sm:grid-cols-2">
      {(['edit', 'watch'] as const).map((group) => (
        <section key={group} aria-label={group === 'edit' ? messages.keysEdit : messages.keysWatch}>
          <h3 className="mb-1 text-[0.9375rem]">{group === 'edit' ? messages.keysEdit : messages.keysWatch}</h3>
          <dl>
            {keys
              .filter((key) => key.group === group)
              .map((key) => (
                <KeyRow
                  key={key.label}
                  {...key}
                  shown={key.shown.length > 0 ? key.shown : [paletteWords.byName]}
                  className="min-h-9 text-[0.8125rem]"
                />
              ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
