import { lazy, Suspense, useEffect, useState } from 'react'
import { MailCheck } from 'lucide-react'
import { onRefused } from '../../send.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { messages } from './messages.ts'

const VerifyDialog = lazy(() => import('./verify-dialog.tsx').then((module) => ({ default: module.VerifyDialog })))

/** Asks for the code that shows whose the address is: in a bar, and at once where something was refused without it. */
export const VerifyBar = () => {
  const { email, isEmailVerified } = useUser()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => onRefused('account.unverified', () => setOpen(true)), [])
  if (isEmailVerified) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-primary-tint px-4 py-2 text-[0.8125rem] md:px-6">
      <p className="flex min-w-0 flex-1 basis-56 items-center gap-2">
        <MailCheck aria-hidden className="size-4 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{messages.bar(email)}</span>
      </p>
      <Button size="small" onPress={() => setOpen(true)}>
        {messages.write}
      </Button>
      {isOpen && (
        <Suspense>
          <VerifyDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
