import { useEffect, useRef } from 'react'
import { CircleCheck, Copy } from 'lucide-react'
import type { Receipt } from '@clear-to-post/contract/removals'
import { signOut } from '../../session.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'
import { keepReceipt } from './receipt.ts'
import { RemovalLists } from './removal-lists.tsx'

/** What somebody sees whose account is gone. */
export const ReceiptPage = ({ receipt }: { receipt: Receipt }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main className="mx-auto grid max-w-xl gap-5 px-4 py-10 md:py-16">
      <title>{`${messages.receiptTitle} · Clear to Post`}</title>
      <header className="grid gap-2">
        <CircleCheck aria-hidden className="size-8" />
        <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
          {messages.receiptTitle}
        </h1>
        <p className="text-muted">{messages.receiptText}</p>
      </header>
      <section className="rounded-card border border-line bg-surface p-4 md:p-5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line pb-4">
          <p className="min-w-44 flex-1">
            {messages.receiptNumber} <strong className="figures">{receipt.number}</strong>
            <span className="block text-muted">{messages.receiptKeep}</span>
          </p>
          <Button icon={<Copy aria-hidden />} onPress={() => void copyText(receipt.number, messages.numberCopied)}>
            {messages.copyNumber}
          </Button>
        </div>
        <div className="pt-4">
          <RemovalLists {...receipt} />
        </div>
      </section>
      <div>
        <Button
          variant="primary"
          size="large"
          onPress={() => {
            keepReceipt(null)
            void signOut()
          }}
        >
          {messages.receiptDone}
        </Button>
      </div>
    </main>
  )
}
