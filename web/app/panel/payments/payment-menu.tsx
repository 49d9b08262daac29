import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { CreditCard, FileText, Undo2 } from 'lucide-react'
import type { Payment } from '@clear-to-post/contract/subscriptions'
import { paths } from '../../paths.ts'
import { ActionMenu, type MenuAction } from '../../ui/action-menu.tsx'
import { GiveBackDialog } from './give-back-dialog.tsx'
import { messages } from './messages.ts'

/** What can be done about a payment: open its plan or its invoice, give money back. */
export const PaymentMenu = ({ of: payment }: { of: Payment }) => {
  const navigate = useNavigate()
  const [isGiving, setGiving] = useState(false)
  const { payer, receiptUrl, paid, ways, description = '' } = payment
  const toPlan = () =>
    void navigate({ to: paths.plan, search: payer.isCompany ? { company: payer.id } : { person: payer.id } })
  const actions: MenuAction[] = [
    { label: messages.openPlan, icon: CreditCard, onAction: toPlan },
    ...(receiptUrl === ''
      ? []
      : [
          {
            label: paid ? messages.receipt : messages.openInvoice,
            icon: FileText,
            onAction: () => void window.open(receiptUrl, '_blank', 'noreferrer'),
          },
        ]),
    ...(ways.length > 0 ? [{ label: messages.giveBack, icon: Undo2, onAction: () => setGiving(true) }] : []),
  ]
  return (
    <>
      <ActionMenu label={messages.actionsOf(description || messages.invoice, payer.name)} actions={actions} />
      {/* It is given the payment as it is now: what is left changes while the dialog is open. */}
      {isGiving && <GiveBackDialog payment={payment} onClose={() => setGiving(false)} />}
    </>
  )
}
