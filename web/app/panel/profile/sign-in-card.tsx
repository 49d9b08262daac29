import { useState, type ReactNode } from 'react'
import { signOut, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { messages } from './messages.ts'
import { PasswordDialog } from './password-dialog.tsx'
import { Section } from './section.tsx'

/** What one signs in with, and where one is signed in. */
export const SignInCard = () => {
  const { email } = useUser()
  const [open, setOpen] = useState<'email' | 'password' | 'everywhere' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section id="sign-in" title={messages.signIn}>
      <div className="-my-3 grid divide-y divide-line">
        <Row
          title={messages.email}
          text={email}
          action={<Button onPress={() => setOpen('email')}>{messages.changeEmail}</Button>}
        />
        <Row
          title={messages.password}
          text={messages.passwordText}
          action={<Button onPress={() => setOpen('password')}>{messages.changePassword}</Button>}
        />
        <Row
          title={messages.devices}
          text={messages.devicesText}
          action={<Button onPress={() => setOpen('everywhere')}>{messages.everywhere}</Button>}
        />
      </div>
      {open === 'email' && <EmailDialog onClose={close} />}
      {open === 'password' && <PasswordDialog onClose={close} />}
      <Confirm
        title={messages.everywhereTitle}
        text={messages.everywhereText}
        confirm={messages.everywhere}
        keep={messages.stop}
        isOpen={open === 'everywhere'}
        onOpenChange={close}
        onConfirm={() => void signOut({ everywhere: true })}
      />
    </Section>
  )
}

const Row = ({ title, text, action }: { title: string; text: string; action: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
    <div className="min-w-44 flex-1">
      <h3 className="font-sans text-sm font-medium tracking-normal">{title}</h3>
      <p className="text-muted [overflow-wrap:anywhere]">{text}</p>
    </div>
    {action}
  </div>
)
