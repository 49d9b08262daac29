import { useState } from 'react'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { messages } from './messages.ts'

/** Opens the form: on the page of people and on that of invitations. Whoever is led to `#invite`, or to `#invite-` with a company, has it open. */
export const InviteButton = () => {
  const navigate = useNavigate()
  const led = /^invite(?:-([\da-f-]{36}))?$/.exec(useLocation({ select: ({ hash }) => hash }))
  const [isPressed, setPressed] = useState(false)
  const close = () => {
    setPressed(false)
    if (led) void navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false })
  }
  return (
    <>
      <Button variant="primary" icon={<UserPlus aria-hidden />} onPress={() => setPressed(true)}>
        {messages.invite}
      </Button>
      {(isPressed || led !== null) && <InviteDialog key={led?.[1]} company={led?.[1]} onClose={close} />}
    </>
  )
}
