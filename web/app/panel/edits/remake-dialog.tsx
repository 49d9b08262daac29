import type { Edit } from '@clear-to-post/contract/edits'
import { Dialog } from '../../ui/dialog.tsx'
import { WordsForm } from './first-cut.tsx'
import { messages } from './messages.ts'

/** Asks for the first cut anew, from another script or typed words. */
export const RemakeDialog = ({ edit, isOpen, onClose }: { edit: Edit; isOpen: boolean; onClose: () => void }) => (
  <Dialog title={messages.remakeTitle} size="medium" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
    <div className="grid gap-4">
      <p className="text-muted">{messages.remakeText}</p>
      {edit.transcript && (
        <p className="text-[0.8125rem] text-muted">
          <span className="font-medium text-ink">{messages.how}:</span>{' '}
          {[messages.means(edit.transcript.means), ...edit.transcript.notes].filter(Boolean).join(' ')}
        </p>
      )}
      <WordsForm projectId={edit.projectId} script={edit.script} title={messages.whatIsSaid} isMain onMade={onClose} />
    </div>
  </Dialog>
)
