import { useState } from 'react'
import { ShieldCheck } from 'lucide-react'
import { audit } from '@clear-to-post/contract/audit'
import type { CallAnswer } from '@clear-to-post/contract/call'
import { send } from '../../api.ts'
import { whenWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

type Portion = CallAnswer<typeof audit.verify>
type Checked = Omit<Portion, 'next'>

/** Checks every link of the chains in the caller's reach, and says what it found. */
export const VerifyButton = () => {
  const [isPending, setPending] = useState(false)
  const [checked, setChecked] = useState<Checked | null>(null)
  const press = async () => {
    setPending(true)
    try {
      setChecked(await checkAll())
    } catch (error) {
      toastFailure(error)
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      <Button icon={<ShieldCheck aria-hidden />} isPending={isPending} onPress={() => void press()}>
        {messages.verify}
      </Button>
      {checked && (
        <Dialog
          title={messages.verifyTitle}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setChecked(null)}
          actions={(close) => <Button onPress={close}>{messages.close}</Button>}
        >
          <Found of={checked} />
        </Dialog>
      )}
    </>
  )
}

const checkAll = async (): Promise<Checked> => {
  const all: Checked = { checked: 0, erased: 0, waiting: 0, faults: [] }
  for (let after: number | null = 0; after !== null;) {
    const portion: Portion = await send(audit.verify, { query: { after } })
    all.checked += portion.checked
    all.erased += portion.erased
    all.waiting += portion.waiting
    all.faults.push(...portion.faults)
    after = portion.next
  }
  return all
}

const Found = ({ of: { checked, erased, waiting, faults } }: { of: Checked }) => (
  <div className="grid gap-2">
    <p className={faults.length > 0 ? 'font-medium text-danger' : undefined}>
      {faults.length > 0 ? messages.broken(faults.length) : checked === 0 ? messages.nothing : messages.whole(checked)}
    </p>
    {faults.length > 0 && (
      <ul className="grid max-h-60 gap-1 overflow-y-auto text-[0.8125rem]">
        {faults.slice(0, 100).map(({ fault, seq, entryId, at }) => (
          <li key={entryId} className="[overflow-wrap:anywhere]">
            {messages.entry(seq)} {messages.fault[fault]}
            {at !== undefined && ` (${whenWords(at)})`}
          </li>
        ))}
      </ul>
    )}
    {erased > 0 && <p className="text-muted">{messages.goneWith(erased)}</p>}
    {waiting > 0 && <p className="text-muted">{messages.waiting(waiting)}</p>}
  </div>
)
