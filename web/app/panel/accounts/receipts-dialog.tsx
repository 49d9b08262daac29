import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { accounts } from '@clear-to-post/contract/accounts'
import { query } from '../../api.ts'
import { fullWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Listed, listOf } from '../../ui/listed.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { messages } from './messages.ts'

/** When accounts were deleted, by the number that was mailed: nobody's name is left to look for. */
export const ReceiptsDialog = () => {
  const [isOpen, setOpen] = useState(false)
  const [number, setNumber] = useState('')
  const wheres = number.trim() === '' ? [] : [`number:startsWith:${number.trim().toUpperCase()}`]
  const found = useQuery({ ...query(accounts.removals, { query: { wheres, perPage: 20 } }), enabled: isOpen })
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        icon={<ReceiptText aria-hidden />}
        className="justify-self-start"
        onPress={() => setOpen(true)}
      >
        {messages.receipts}
      </Button>
      <Dialog title={messages.receipts} size="medium" isOpen={isOpen} onOpenChange={setOpen}>
        <div className="grid gap-4">
          <p className="text-muted">{messages.receiptsText}</p>
          <SearchField label={messages.receiptNumber} value={number} onChange={setNumber} />
          <Listed
            list={listOf(found, ({ items }) => items)}
            failed={messages.receiptsFailed}
            loading={<div className="h-24 rounded-control bg-sunken" />}
            empty={<p>{number.trim() === '' ? messages.receiptsNone : messages.receiptNone}</p>}
          >
            {(receipts) => (
              <ul className="grid divide-y divide-line">
                {receipts.map((receipt) => (
                  <li key={receipt.number} className="flex flex-wrap justify-between gap-x-4 gap-y-1 py-2.5">
                    <strong className="figures">{receipt.number}</strong>
                    <span>
                      {fullWords(receipt.removedAt)},{' '}
                      {receipt.isByAdmin ? messages.receiptByAdmin : messages.receiptBySelf}
                    </span>
                    <span className="w-full text-muted">
                      {receipt.finishedAt === null
                        ? messages.receiptOpen
                        : messages.receiptFinished(fullWords(receipt.finishedAt))}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Listed>
        </div>
      </Dialog>
    </>
  )
}
