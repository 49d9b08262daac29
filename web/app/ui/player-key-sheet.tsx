import { cx } from './cx.ts'
import { Dialog } from './dialog.tsx'
import { playerKeys, type PlayerKey } from './player-keys.ts'
import { words } from './player-words.ts'

type KeySheetProps = {
  isOpen: boolean
  onClose: () => void
  /** Keys without anything to work on here are left out. */
  has: Record<NonNullable<PlayerKey['needs']>, boolean>
}

/** What `?` opens: every key of the player, read from the same table that listens. */
export const KeySheet = ({ isOpen, onClose, has }: KeySheetProps) => (
  <Dialog title={words.keysTitle} size="medium" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
    <p className="text-muted">{words.keysNote}</p>
    <dl className="mt-3 grid gap-x-8 sm:grid-cols-2">
      {playerKeys
        .filter((key) => !key.needs || has[key.needs])
        .map((key) => (
          <KeyRow key={key.label} {...key} className="min-h-10" />
        ))}
    </dl>
  </Dialog>
)

/** A key and what it does, in a list of them. */
export const KeyRow = ({ label, shown, className }: Pick<PlayerKey, 'label' | 'shown'> & { className: string }) => (
  <div className={cx('flex items-center justify-between gap-3 border-t border-line', className)}>
    <dt>{label}</dt>
    <dd className="flex shrink-0 gap-1">
      {shown.map((cap) => (
        <kbd key={cap} className="min-w-6 rounded-md border border-edge px-1.5 py-0.5 text-center font-mono text-xs">
          {cap}
        </kbd>
      ))}
    </dd>
  </div>
)
