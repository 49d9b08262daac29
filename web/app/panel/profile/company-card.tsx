import { useState, type FormEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { readUserAnew, useMay } from '../../session.ts'
import { InvitingTenant, useInvitation } from '../../ui/invitation.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

/** How an officer without a company joins one: by its invitation code, after they have shown that it is they. */
export const CompanyCard = () => (useMay('company.join') ? <Join /> : null)

const Join = () => {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string>()
  const { tenant, unknown } = useInvitation(code)
  const join = useCall(accounts.setup)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setWrong(undefined)
    if (code.trim() === '') return setWrong(messages.needCode)
    try {
      await join.mutateAsync({ body: { invitationCode: code.trim() } })
      toast.success(messages.joined)
      // Everything is asked for anew, by a token that knows the company.
      await readUserAnew()
      await client.invalidateQueries()
    } catch (error) {
      setWrong(failureWords(error))
    }
  }
  return (
    <Section id="company" title={messages.company} text={messages.companyText}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
        {tenant && <InvitingTenant tenant={tenant} />}
        <TextField
          label={messages.code}
          value={code}
          onChange={(value) => {
            setCode(value)
            setWrong(undefined)
          }}
          error={wrong ?? unknown}
          hint={messages.codeHint}
          autoComplete="off"
        />
        <Button type="submit" className="justify-self-start" isPending={join.isPending}>
          {messages.join}
        </Button>
      </form>
    </Section>
  )
}
