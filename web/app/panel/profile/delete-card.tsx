import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { accounts } from '@clear-to-post/contract/accounts'
import { query, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { messages } from './messages.ts'
import { keepReceipt, loadReceiptPage } from './receipt.ts'
import { RemovalLists } from './removal-lists.tsx'
import { Section } from './section.tsx'

/** The way out for good. It asks for the address, because nothing brings the account back. */
export const DeleteCard = () => {
  const { email } = useUser()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const preview = useQuery({ ...query(accounts.previewRemoval, { query: {} }), enabled: isOpen, staleTime: 0 })
  const remove = useCall(accounts.remove, { onSuccess: ({ receipt }) => keepReceipt(receipt) })
  const open = () => {
    setOpen(true)
    // What fails now is asked for again when it is shown.
    loadReceiptPage().catch(() => undefined)
  }
  const isSure = typed.trim().toLowerCase() === email
  return (
    <Section id="remove" title={messages.remove} text={messages.removeText}>
      <Button className="text-danger!" onPress={open}>
        {messages.removeButton}
      </Button>
      <Dialog
        title={messages.removeTitle}
        role="alertdialog"
        size="medium"
        isOpen={isOpen}
        onOpenChange={(isOpen) => {
          setOpen(isOpen)
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
              isDisabled={!isSure || preview.data === undefined}
              isPending={remove.isPending}
              onPress={() => remove.mutate({ query: {} })}
            >
              {messages.removeButton}
            </Button>
          </>
        )}
      >
        <div className="grid gap-4">
          <Loaded answer={preview} failed={messages.previewFailed} loading={<Skeleton className="h-64" />}>
            {(removal) => (
              <>
                {removal.canceled > 0 && <p>{messages.removeCanceled(removal.canceled)}</p>}
                <RemovalLists {...removal} />
              </>
            )}
          </Loaded>
          <p className="font-medium">{messages.removeFinal}</p>
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
