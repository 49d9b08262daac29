import { Copy } from 'lucide-react'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'

/** A new key, shown this once. */
export const NewKeyDialog = ({ apiKey, onClose }: { apiKey: string; onClose: () => void }) => (
  <Dialog
    title={messages.madeTitle}
    size="medium"
    isOpen
    onOpenChange={(isOpen) => !isOpen && onClose()}
    actions={(close) => <Button onPress={close}>{messages.done}</Button>}
  >
    <div className="grid gap-4">
      <p className="text-muted">{messages.madeText}</p>
      <TextField label={messages.key} value={apiKey} isReadOnly className="[&_input]:font-mono" />
      <Button
        variant="primary"
        icon={<Copy aria-hidden />}
        className="justify-self-start"
        onPress={() => void copyText(apiKey, messages.copied)}
        autoFocus
      >
        {messages.copy}
      </Button>
      <p className="text-muted">{messages.how}</p>
      <code className="rounded-control bg-sunken p-3 font-mono text-[0.8125rem] [overflow-wrap:anywhere]">
        {messages.header(`${apiKey.slice(0, 10)}…`)}
      </code>
    </div>
  </Dialog>
)
