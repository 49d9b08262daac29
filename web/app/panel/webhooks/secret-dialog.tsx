import { Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** A new secret, shown this once. `isSecond`: the one before still signs. */
export const SecretDialog = ({
  secret,
  isSecond = false,
  onClose,
}: {
  secret: string
  isSecond?: boolean
  onClose: () => void
}) => (
  <Dialog
    title={messages.secretTitle}
    size="medium"
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
    actions={(close) => <Button onPress={close}>{messages.done}</Button>}
  >
    <div className="grid gap-4">
      <p className="text-muted">{messages.secretText}</p>
      <TextField label={messages.secret} value={secret} isReadOnly className="[&_input]:font-mono" />
      <Button
        variant="primary"
        icon={<Copy aria-hidden />}
        className="justify-self-start"
        onPress={() => void copyText(secret, messages.copied)}
        autoFocus
      >
        {messages.copy}
      </Button>
      {isSecond && <p className="text-muted">{messages.secretBoth}</p>}
    </div>
  </Dialog>
)
