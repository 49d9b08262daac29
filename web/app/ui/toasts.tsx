import { Toaster, toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { failureWords } from '../failures.ts'
import { PersonLeft } from '../send.ts'
import { onSignedOut } from '../session.ts'
import { messages } from './messages.ts'

/** The toast area; every number is the specification's (pages.md). Width, 600 px and the swipe are sonner's own defaults. */
export const Toasts = () => (
  <Toaster
    theme="light"
    richColors
    duration={4000}
    visibleToasts={3}
    gap={14}
    position="bottom-right"
    hotkey={['altKey', 'KeyT']}
    closeButton
    toastOptions={{ closeButtonAriaLabel: messages.closeMessage }}
    offset={{ bottom: above(24), right: 24 }}
    mobileOffset={{ bottom: above(16), left: 16, right: 16 }}
    containerAriaLabel={messages.toasts}
  />
)

// Over the bars that stand at the foot of a page (look.css): a message covers no button.
const above = (pixels: number): string => `calc(${pixels}px + var(--foot))`

/**
 * A failed call as an error toast (docs/specification/failures.md). Where a code or a password was asked for in its place,
 * that said it. What was given up because its person left is nobody's to read.
 */
export const toastFailure = (error: unknown): void => {
  if (error instanceof PersonLeft) return
  if (!(error instanceof Refusal && askedInPlace.includes(error.code))) toast.error(failureWords(error))
}

// What is said to somebody, with its way back, is not for whoever signs in next.
onSignedOut(() => void toast.dismiss())

const askedInPlace = ['account.unverified', 'session.not-fresh']
