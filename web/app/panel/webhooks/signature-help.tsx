import { useState } from 'react'
import { ShieldCheck } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { messages } from './signature-messages.ts'
import { example } from './signature-example.ts'

/** How a program checks that a message comes from us; the same as docs/webhooks.md says. */
export const SignatureHelp = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={<ShieldCheck aria-hidden />}
        className="justify-self-start"
        onPress={() => setOpen(true)}
      >
        {messages.open}
      </Button>
      <Dialog
        title={messages.title}
        size="large"
        isOpen={isOpen}
        onOpenChange={setOpen}
        actions={(close) => (
          <Button variant="primary" onPress={close}>
            {messages.close}
          </Button>
        )}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p>{messages.lead}</p>
          <ol className="grid list-decimal gap-2 pl-5">
            {messages.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <h3 className="text-[0.9375rem]">{messages.byHand}</h3>
          <pre
            tabIndex={0}
            className="overflow-x-auto rounded-control border border-line bg-sunken p-3 font-mono text-[0.8125rem]"
          >
            {example}
          </pre>
          <h3 className="text-[0.9375rem]">{messages.rely}</h3>
          <ul className="grid list-disc gap-2 pl-5">
            {messages.promises.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      </Dialog>
    </>
  )
}
