import { toast } from 'sonner'
import { messages } from './messages.ts'

/**
 * Puts a text into the clipboard and says so. Where the browser does not let us, it says how to go on; a text that cannot be
 * read on the page (`isRead` is false) is shown, long enough to be marked and copied by hand.
 */
export const copyText = async (text: string, said: string, { isRead = true } = {}): Promise<void> => {
  try {
    // Without https there is no clipboard at all.
    await navigator.clipboard.writeText(text)
    toast.success(said)
  } catch {
    toast.error(messages.notCopied, isRead ? {} : { description: text, duration: 20_000 })
  }
}
