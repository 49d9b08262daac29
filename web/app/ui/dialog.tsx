import { useEffect, useRef, type FormEvent, type ReactNode } from 'react'
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { X } from 'lucide-react'
import { Button, IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { messages } from './messages.ts'
import { WayBack } from './way-back.tsx'

type DialogProps = {
  title: string
  children: ReactNode | ((close: () => void) => ReactNode)
  /** Buttons at the foot, the main one last. */
  actions?: (close: () => void) => ReactNode
  size?: 'small' | 'medium' | 'large'
  /** `alertdialog` for questions that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** Controlled: leave `trigger` out. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** A button that opens it. */
  trigger?: ReactNode
}

/**
 * A question or a small form above the page; a sheet from below on phones. Escape closes it, and so does a press outside, until
 * something was written in it: a thumb beside a sheet is no answer to what becomes of the words.
 */
export const Dialog = ({
  title,
  children,
  actions,
  size = 'small',
  role = 'dialog',
  isOpen,
  onOpenChange,
  trigger,
}: DialogProps) => {
  const isWritten = useRef(false)
  const note = ({ target }: FormEvent) => {
    if (isWords(target)) isWritten.current = true
  }
  const overlay = (
    <ModalOverlay
      isDismissable={role === 'dialog'}
      shouldCloseOnInteractOutside={() => !isWritten.current}
      {...(trigger === undefined && isOpen !== undefined ? { isOpen } : {})}
      {...(trigger === undefined && onOpenChange !== undefined ? { onOpenChange } : {})}
      className="fixed inset-0 z-40 flex items-end justify-center bg-[#0c111b]/45 animate-appear sm:items-center sm:p-6"
    >
      <Modal
        className={cx(
          'flex max-h-[92dvh] w-full flex-col rounded-t-2xl border border-line bg-surface text-ink shadow-float sm:rounded-card',
          widths[size],
        )}
      >
        <AriaDialog role={role} className="flex min-h-0 flex-col outline-none">
          {({ close }) => (
            <>
              <WayBack />
              <Blank of={isWritten} />
              <header className="flex items-center justify-between gap-4 py-3 pr-3 pl-5">
                <Heading slot="title" className="text-lg">
                  {title}
                </Heading>
                <IconButton label={messages.close} onPress={close}>
                  <X aria-hidden />
                </IconButton>
              </header>
              <div onInput={note} className="min-h-0 overflow-y-auto px-5 pb-5">
                {typeof children === 'function' ? children(close) : children}
              </div>
              {actions !== undefined && (
                <footer
                  data-sheet-foot
                  className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
                >
                  {actions(close)}
                </footer>
              )}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
  return trigger === undefined ? (
    overlay
  ) : (
    <DialogTrigger {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      {trigger}
      {overlay}
    </DialogTrigger>
  )
}

/** Whatever is opened anew has nothing written in it yet. */
const Blank = ({ of }: { of: { current: boolean } }) => {
  useEffect(() => {
    of.current = false
  }, [of])
  return null
}

/** Fields of words; what is searched for, chosen or ticked is quickly there again. */
const isWords = (field: EventTarget): boolean =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && wordTypes.has(field.type))
const wordTypes = new Set(['text', 'email', 'url', 'tel'])

/** "Are you sure", only for what cannot be undone. */
export const Confirm = ({
  title,
  text,
  confirm,
  keep,
  isDanger = true,
  isOpen,
  onOpenChange,
  onKeep,
  onConfirm,
  isPending = false,
}: {
  title: string
  text: ReactNode
  /** The words of the button that does it. */
  confirm: string
  /** The words of the button that does not. */
  keep: string
  isDanger?: boolean
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** What the button that does not do it does beside closing. */
  onKeep?: () => void
  onConfirm: () => void
  isPending?: boolean
}) => (
  <Dialog
    title={title}
    role="alertdialog"
    isOpen={isOpen}
    onOpenChange={onOpenChange}
    actions={(close) => (
      <>
        <Button
          onPress={() => {
            close()
            onKeep?.()
          }}
          autoFocus
        >
          {keep}
        </Button>
        <Button variant={isDanger ? 'danger' : 'primary'} onPress={onConfirm} isPending={isPending}>
          {confirm}
        </Button>
      </>
    )}
  >
    <p className="text-muted">{text}</p>
  </Dialog>
)

const widths = { small: 'sm:max-w-md', medium: 'sm:max-w-xl', large: 'sm:max-w-4xl' }
