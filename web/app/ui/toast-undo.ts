import { toast } from 'sonner'
import { messages } from './messages.ts'
import { toastFailure } from './toasts.tsx'

/** Says what was done, with the way back; a way back that fails says why. */
export const toastUndo = (words: string, back: () => Promise<unknown>): void =>
  void toast.success(words, {
    action: { label: messages.undo, onClick: () => void back().catch(toastFailure) },
  })
