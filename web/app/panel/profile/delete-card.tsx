import { useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { signOut, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

/** The way out for good. It asks for the address, because nothing brings the account back. */
export const DeleteCard = () => {
  const { email } = useUser()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useCall(accounts.remove, {
    onSuccess: () => {
      toast.success(messages.removed)
      void signOut()
    },
  })
  const isSure = typed.trim().toLowerCase() === email
  return (
    <Section id="remove" title={messages.remove} text={messages.removeText}>
      <Button className="text-danger!" onPress={() => setOpen(true)}>
        {messages.removeButton}
      </Button>
      <Dialog
        title={messages.removeTitle}
        role="alertdialog"
        isOpen={isOpen}
        onOpenChange={(open) => {
          setOpen(open)
          setTyped('')
          remove.reset()
        }}
        actions={(close) => (
          <>
            <Button onPress={close} autoFocus>
              {messages.keep}
            </Button>
            <Button
              variant="danger"
              isDisabled={!isSure}
              isPending={remove.isPending}
              onPress={() => remove.mutate({ query: {} })}
            >
              {messages.removeButton}
            </Button>
          </>
        )}
      >
        <div className="grid gap-4">
          <ul className="grid list-disc gap-1.5 pl-5 marker:text-muted">
            {messages.removeList.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <TextField
            label={messages.removeField}
            hint={messages.removeConfirm(email)}
            type="email"
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            error={remove.isError ? failureWords(remove.error) : undefined}
          />
        </div>
      </Dialog>
    </Section>
  )
}
