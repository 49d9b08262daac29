import { useId, type ReactNode, type Ref } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { focusWrong } from './focus-wrong.ts'
import { Problem } from './problem.tsx'

/** A small form above the page: its fields, the button that does it and the one that does not. Open while it is there. */
export const FormDialog = ({
  title,
  size,
  submit,
  cancel,
  problem,
  beside,
  isPending,
  isDisabled = false,
  autoFocusSubmit = false,
  formRef,
  onSubmit,
  onCancel,
  onClose,
  children,
}: {
  title: string
  size?: 'small' | 'medium' | 'large'
  /** The words of the two buttons. */
  submit: string
  cancel: string
  /** Why it failed as a whole. */
  problem?: string | false
  /** At the foot, before the buttons. */
  beside?: ReactNode
  isPending: boolean
  isDisabled?: boolean
  /** Where no field takes the focus, Enter does it at once. */
  autoFocusSubmit?: boolean
  formRef?: Ref<HTMLFormElement>
  onSubmit: () => void
  /** What the button that does not do it does beside closing. */
  onCancel?: () => void
  onClose: () => void
  children: ReactNode
}) => {
  const id = useId()
  return (
    <Dialog
      title={title}
      size={size}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          {beside}
          <Button
            onPress={() => {
              onCancel?.()
              close()
            }}
          >
            {cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={id}
            isDisabled={isDisabled}
            isPending={isPending}
            autoFocus={autoFocusSubmit}
          >
            {submit}
          </Button>
        </>
      )}
    >
      <form
        ref={formRef}
        id={id}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          onSubmit()
          focusWrong(form)
        }}
      >
        {problem && <Problem>{problem}</Problem>}
        {children}
      </form>
    </Dialog>
  )
}
