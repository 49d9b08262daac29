import { useEffect, useRef, type FormEvent, type ReactNode, type Ref } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { focusWrong } from './focus-wrong.ts'
import { messages } from './messages.ts'
import { WayBack } from './way-back.tsx'

/** A card of a form that is as long as a page: what it asks about, and its fields. */
export const FormCard = ({
  id,
  title,
  text,
  children,
  className,
}: {
  id: string
  title: string
  text?: string
  children: ReactNode
  className?: string
}) => (
  <section
    aria-labelledby={id}
    className={cx(
      'grid scroll-mt-20 grid-cols-[minmax(0,1fr)] gap-5 rounded-card border border-line bg-surface p-4 md:p-5',
      className,
    )}
  >
    <div>
      <h2 id={id} className="scroll-mt-24 text-base">
        {title}
      </h2>
      {text !== undefined && <p className="mt-0.5 text-muted">{text}</p>}
    </div>
    {children}
  </section>
)

/**
 * A form as long as a page, or a card of one: it is sent once, and its foot comes up while something in it is not saved.
 */
export const LongForm = ({
  label,
  isUnsaved,
  isPending,
  failure,
  create,
  undo,
  onSave,
  onUndo,
  formRef,
  className,
  footClassName,
  children,
}: {
  /** The id of its heading, where it is one of several on a page. */
  label?: string
  /** Something in it is not saved, or it makes something new. */
  isUnsaved: boolean
  isPending: boolean
  /** Why it was not saved. */
  failure: string | undefined
  /** The words of the button that makes something new; what is new is not undone. */
  create?: string | false
  undo?: string
  onSave: () => void
  onUndo: () => void
  formRef?: Ref<HTMLFormElement>
  className?: string
  /** Fits the foot to the edges of the form. */
  footClassName: string
  children: ReactNode
}) => {
  const sent = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isUnsaved || isPending) return
    sent.current = event.currentTarget
    onSave()
    focusWrong(event.currentTarget)
  }
  // The service refuses later than the form itself.
  useEffect(() => {
    if (failure !== undefined && sent.current !== null) focusWrong(sent.current)
  }, [failure])
  return (
    <form ref={formRef} noValidate aria-labelledby={label} onSubmit={submit} className={className}>
      {children}
      {(isUnsaved || isPending) && (
        <SaveBar
          failure={failure}
          isPending={isPending}
          create={create}
          undo={undo}
          onUndo={onUndo}
          className={footClassName}
        />
      )}
    </form>
  )
}

/** Stays at the foot of the form; `className` fits it to its edges. */
const SaveBar = ({
  failure,
  isPending,
  create,
  undo = messages.undoChanges,
  onUndo,
  className,
}: {
  /** Why it was not saved. */
  failure: string | undefined
  isPending: boolean
  /** The words of the button that makes something new; what is new is not undone. */
  create?: string | false
  undo?: string
  onUndo: () => void
  className: string
}) => (
  <div
    data-save-bar
    className={cx(
      'sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-4 py-3 animate-appear max-md:bottom-(--bottom-bar)',
      className,
    )}
  >
    <WayBack />
    <p role="status" className={cx('mr-auto', failure === undefined ? 'text-muted' : 'text-danger')}>
      {failure ?? (create ? '' : messages.unsaved)}
    </p>
    {!create && (
      <Button variant="quiet" onPress={onUndo}>
        {undo}
      </Button>
    )}
    <Button type="submit" variant="primary" isPending={isPending}>
      {create || messages.save}
    </Button>
  </div>
)
