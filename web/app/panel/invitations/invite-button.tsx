import { useState } from 'react'
import { UserPlus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { messages } from './messages.ts'

/** Opens the form: on the page of people and on that of invitations. */
export const InviteButton = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setOpen(true)}>
        {messages.invite}
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  )
}
