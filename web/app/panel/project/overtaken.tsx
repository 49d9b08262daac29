import { Copy } from 'lucide-react'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { FormPanel } from './form-panel.tsx'
import { messages } from './messages.ts'

/** Somebody else acted while this person wrote: what happened, and the text that was not sent. */
export const Overtaken = ({ did, text, onClose }: { did: string; text: string; onClose: () => void }) => (
  <FormPanel
    title={messages.overtakenTitle}
    text={messages.overtakenText(did)}
    stop={messages.overtakenClose}
    onClose={onClose}
    actions={
      <Button size="large" icon={<Copy aria-hidden />} onPress={() => void copyText(text, messages.textCopied)}>
        {messages.copyText}
      </Button>
    }
  >
    <p className="rounded-control bg-sunken px-3 py-2.5 [overflow-wrap:anywhere] whitespace-pre-line">{text}</p>
  </FormPanel>
)
