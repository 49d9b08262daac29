import { Dialog } from '../../ui/dialog.tsx'
import { keys } from './keys.ts'
import { messages } from './messages.ts'

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
                <div
                  key={key.label}
                  className="flex min-h-9 items-center justify-between gap-3 border-t border-line text-[0.8125rem]"
                >
                  <dt>{key.label}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {key.shown.map((cap) => (
                      <kbd
                        key={cap}
                        className="min-w-6 rounded-md border border-edge px-1.5 py-0.5 text-center font-mono text-xs"
                      >
                        {cap}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
