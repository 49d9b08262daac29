import { useState } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { toast } from 'sonner'
import { invitations } from '@clear-to-post/contract/invitations'
import { invitationRules } from '@clear-to-post/domain/invitations'
import { hasDuty, personRoles } from '@clear-to-post/domain/roles'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useMay, useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { messages as people } from '../accounts/messages.ts'
import { readAddresses } from './addresses.ts'
import { fileNotes, roleNamed } from './file-notes.ts'
import { linesOf, service, stillLeft, useInvited } from './invite-draft.ts'
import { messages } from './messages.ts'
import { useCompanies } from '../accounts/use-people.ts'

/** Several addresses at once, with the role and the company that wait for them. What did not go stays, with the reason. */
export const InviteDialog = ({ company: chosen, onClose }: { company?: string | undefined; onClose: () => void }) => {
  const { id: userId, tenantId: own } = useUser()
  const companies = useCompanies()
  const choosesCompany = useMay('user.move')
  const [invited, setInvited, sent] = useInvited(own ?? chosen ?? service, userId)
  const { written, role, company, left } = invited
  const [wrong, setWrong] = useState<string>()
  const [notes, setNotes] = useState<string[]>([])
  const lines = linesOf(written)
  const send = useCall(invitations.send, {
    onMutate: () => invited,
    onSuccess: ({ sent: count, lines: answered }, { body }, pressed) => {
      if (count > 0) {
        void queryClient.invalidateQueries({ queryKey: ['invitations'] })
        toast.success(messages.sent(count))
      }
      const { role: as, tenantId, lines: gone } = body
      const still = sent(pressed, (now) =>
        stillLeft(now, { role: as, company: tenantId ?? service, lines: gone }, answered),
      )
      if (still === null) onClose()
    },
  })
  const read = async (files: FileList | null) => {
    const text = await files?.[0]?.text().catch(() => '')
    if (text === undefined) return
    const file = readAddresses(text)
    const found = file.addresses
    setNotes(found.length === 0 ? [] : fileNotes(file))
    if (found.length === 0) return setWrong(messages.noneInFile)
    setWrong(undefined)
    const all = new Set([...written.split('\n').filter((line) => line.trim() !== ''), ...found])
    setInvited({ ...invited, role: roleNamed(file) ?? role, written: [...all].join('\n') })
  }
  const submit = () => {
    setInvited({ ...invited, left: [] })
    const fault =
      lines.length === 0
        ? messages.needAddress
        : lines.length > invitationRules.lines
          ? messages.tooManyLines(invitationRules.lines)
          : undefined
    setWrong(fault)
    if (fault === undefined) send.mutate({ body: { role, tenantId: company === service ? null : company, lines } })
  }
  return (
    <FormDialog
      title={messages.invite}
      size="medium"
      submit={messages.sendIt(lines.length)}
      cancel={people.close}
      problem={send.isError && failureWords(send.error)}
      isPending={send.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label={messages.addresses}
        hint={messages.addressesHint}
        value={written}
        onChange={(text) => {
          setInvited({ ...invited, written: text })
          setWrong(undefined)
        }}
        error={wrong}
        rows={4}
        autoFocus
        autoComplete="off"
        spellCheck="false"
      />
      <div className="-mt-2">
        <FileTrigger
          acceptedFileTypes={['.csv', '.txt', 'text/csv', 'text/plain']}
          onSelect={(files) => void read(files)}
        >
          <Button size="small" icon={<FileUp aria-hidden />}>
            {messages.fromFile}
          </Button>
        </FileTrigger>
      </div>
      {notes.length > 0 && (
        <div role="status" className="-mt-2 rounded-control bg-warn-tint px-3 py-2.5 text-warn">
          <ul className="grid gap-1">
            {notes.map((note) => (
              <li key={note} className="[overflow-wrap:anywhere]">
                {note}
              </li>
            ))}
          </ul>
        </div>
      )}
      {left.length > 0 && (
        <div role="alert" className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">
          <p className="font-medium">{messages.notSent(left.length)}</p>
          <ul className="mt-1 grid gap-1">
            {left.map(({ line, error }) => (
              <li key={line} className="[overflow-wrap:anywhere]">
                <strong className="font-medium">{line}</strong>: {error}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label={people.role}
          value={role}
          options={personRoles.map((one) => ({ value: one, label: people.roles[one] }))}
          onChange={(one) => setInvited({ ...invited, role: one })}
          hint={messages.roleHints[role]}
        />
        <Select
          label={people.company}
          value={company}
          isDisabled={!choosesCompany}
          options={[
            ...(choosesCompany
              ? [{ value: service, label: hasDuty(role, 'film') ? people.noCompany : people.service }]
              : []),
            ...companies.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(one) => setInvited({ ...invited, company: one })}
          hint={company === service && !hasDuty(role, 'film') ? people.serviceHint : undefined}
        />
      </div>
      <p className="text-muted">
        {messages.goodFor(invitationRules.days)}{' '}
        <Link to={paths.invitations} className="touch underline underline-offset-2">
          {messages.toList}
        </Link>
      </p>
    </FormDialog>
  )
}
