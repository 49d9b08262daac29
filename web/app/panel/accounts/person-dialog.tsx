import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toast } from 'sonner'
import { accounts, type User } from '@clear-to-post/contract/accounts'
import {
  licenceStateCodes,
  licenceStates as stateNames,
  nmlsDigits,
  type LicenceState,
} from '@clear-to-post/domain/licences'
import { hasDuty, personRoles, type PersonRole } from '@clear-to-post/domain/roles'
import { query, queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { changedUser, useMay, useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { changesOf, takenBack } from '../../ui/changes-of.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Select } from '../../ui/select.tsx'
import { Badge } from '../../ui/status-chip.tsx'
import { toastUndo } from '../../ui/toast-undo.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages as licenceMessages } from '../licences/messages.ts'
import { NmlsField } from '../licences/nmls-field.tsx'
import { StatesField } from '../licences/states-field.tsx'
import { editorsFor } from './editors.ts'
import { messages } from './messages.ts'
import { editorsQuery, putPerson, useCompanies } from './use-people.ts'

/** One person for an admin: name, role, company, editor, access, and the way out. */
export const PersonDialog = ({ person: given, onClose }: { person: User; onClose: () => void }) => {
  // A list may show them no more once somebody else has changed them.
  const person: User = useQuery(query(accounts.person, { params: { userId: given.id } })).data ?? given
  const me = useUser()
  const companies = useCompanies()
  const { data: editors = [] } = useQuery(editorsQuery)
  const readsPlans = useMay('subscription.read')
  const sendsForOthers = useMay('project.create-for')
  const current = formOf(person)
  // As they were when this was opened: what somebody else changes meanwhile is not taken back.
  const [from] = useState(current)
  const [form, setForm] = useState(from)
  const [asking, setAsking] = useState<'disable' | 'remove' | 'reset' | null>(null)
  const write = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }))
  const seen = (changed: User) => {
    changedUser(changed)
    putPerson(changed)
    void queryClient.invalidateQueries({ queryKey: ['accounts'] })
    for (const room of ['tenants', 'audit', 'security']) void queryClient.invalidateQueries({ queryKey: [room] })
  }
  const { now, onError } = useMeanwhile({ from, current }, 'account.changed', () =>
    queryClient.invalidateQueries({ queryKey: ['accounts'] }),
  )
  const update = useCall(accounts.update, { onSuccess: seen, onError })
  const remove = useCall(accounts.remove, {
    onSuccess: ({ receipt }) => {
      seen(person)
      toast.success(messages.removed(person.name, receipt.number), { duration: 20_000 })
      onClose()
    },
    onError: toastFailure,
  })

  const reset = useCall(accounts.resetSecondFactor, {
    onSuccess: () => {
      seen(person)
      toast.success(messages.resetDone(person.name))
    },
    onError: toastFailure,
    onSettled: () => setAsking(null),
  })

  const isOfficer = hasDuty(form.role, 'film')
  const wasOfficer = hasDuty(person.role, 'film')
  const editorsIn = (tenantId: string | null) => editorsFor(editors, tenantId ?? undefined)
  // Whom they have now stays in sight, even when nobody new would be given to them.
  const offered = editors.filter(
    (one) =>
      one.id !== person.id &&
      (editorsIn(form.tenantId).includes(one) || (one.id === from.editorId && form.tenantId === from.tenantId)),
  )
  const body: Form = {
    ...form,
    name: form.name.trim(),
    profession: form.profession.trim(),
    nmlsNumber: nmlsDigits(form.nmlsNumber) ?? form.nmlsNumber,
    licenceStates: inOrder(form.licenceStates),
    editorId: isOfficer ? form.editorId : from.editorId,
  }
  const company = form.tenantId ?? nobody
  const changes = changesOf(body, from, now)
  const isChanged = changes !== undefined
  const save = async () => {
    if (!changes) return
    try {
      const saved = formOf(await update.mutateAsync({ body: { userId: person.id, ...changes } }))
      toast.success(messages.saved(body.name), {
        action: {
          label: messages.undo,
          onClick: () =>
            void send(accounts.update, { body: { userId: person.id, ...takenBack(changes, saved) } }).then(
              seen,
              toastFailure,
            ),
        },
      })
      onClose()
    } catch {
      // Said in the dialog.
    }
  }
  const setDisabled = async (isDisabled: boolean) => {
    try {
      await update.mutateAsync({ body: { userId: person.id, isDisabled } })
      toastUndo(isDisabled ? messages.disabledDone(person.name) : messages.enabledDone(person.name), () =>
        send(accounts.update, { body: { userId: person.id, isDisabled: !isDisabled } }).then(seen),
      )
      onClose()
    } catch (error) {
      toastFailure(error)
      setAsking(null)
    }
  }
  const movesCompany = useMay('user.move')
  return (
    <>
      <FormDialog
        title={person.name}
        size="medium"
        submit={messages.save}
        cancel={isChanged ? messages.cancel : messages.close}
        beside={
          <div className="mr-auto flex gap-2">
            {person.isDisabled ? (
              <Button isPending={update.isPending && !isChanged} onPress={() => void setDisabled(false)}>
                {messages.enable}
              </Button>
            ) : (
              person.id !== me.id && <Button onPress={() => setAsking('disable')}>{messages.disable}</Button>
            )}
            {person.id !== me.id && (
              <Button variant="quiet" className="text-danger!" onPress={() => setAsking('remove')}>
                {messages.remove}
              </Button>
            )}
          </div>
        }
        isDisabled={!isChanged || form.name.trim() === '' || nmlsDigits(form.nmlsNumber) === null}
        isPending={update.isPending && isChanged}
        onSubmit={() => void save()}
        onClose={onClose}
      >
        <div className="flex flex-wrap items-center gap-3">
          <Avatar name={person.name} photoUrl={person.photoUrl} className="size-12 text-lg" />
          <p className="min-w-0 text-muted [overflow-wrap:anywhere]">{person.email}</p>
          {person.isDisabled && <Badge tone="danger">{messages.disabled}</Badge>}
          {wasOfficer && sendsForOthers && (
            <Link
              to={paths.newVideo}
              search={{ for: person.id }}
              className="touch ml-auto inline-flex shrink-0 items-center underline underline-offset-2"
            >
              {messages.newVideoFor}
            </Link>
          )}
          {wasOfficer && readsPlans && (
            <Link
              to={paths.plan}
              search={{ person: person.id }}
              className="touch inline-flex shrink-0 items-center underline underline-offset-2"
            >
              {messages.planAndCharges}
            </Link>
          )}
        </div>
        {update.isError && asking === null && <Problem>{failureWords(update.error)}</Problem>}
        <ChangedMeanwhile
          from={from}
          now={now}
          titles={messages.isNow}
          say={{
            role: (role) => messages.roles[role],
            licenceStates: (codes) => codes.map((code) => stateNames[code]).join(', '),
            tenantId: (id) => companies.find((one) => one.id === id)?.name ?? messages.noCompany,
            editorId: (id) => editors.find((one) => one.id === id)?.name ?? messages.noEditor,
          }}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={messages.name}
            value={form.name}
            onChange={(name) => write({ name })}
            maxLength={120}
            autoComplete="off"
          />
          <TextField
            label={messages.profession}
            value={form.profession}
            onChange={(profession) => write({ profession })}
            maxLength={120}
            isRequired={false}
            autoComplete="off"
          />
          <Select
            label={messages.role}
            value={form.role}
            options={personRoles.map((role) => ({ value: role, label: messages.roles[role] }))}
            onChange={(role) => write({ role })}
            hint={wasOfficer && !isOfficer ? messages.staffHint : undefined}
          />
          <Select
            label={messages.company}
            value={company}
            isDisabled={!movesCompany}
            options={[
              { value: nobody, label: isOfficer ? messages.noCompany : messages.service },
              ...companies.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(chosen) => {
              const tenantId = idOf(chosen)
              write({
                tenantId,
                ...(editorsIn(tenantId).some(({ id }) => id === form.editorId) ? {} : { editorId: null }),
              })
            }}
            hint={!movesCompany ? messages.noMove : !isOfficer && company === nobody ? messages.serviceHint : undefined}
          />
          {isOfficer && (
            <Select
              label={messages.editor}
              value={form.editorId ?? nobody}
              options={[
                { value: nobody, label: messages.noEditor },
                ...offered.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(chosen) => write({ editorId: idOf(chosen) })}
              hint={messages.boundHint}
              className="sm:col-span-2"
            />
          )}
          {isOfficer && (
            <>
              <NmlsField
                label={licenceMessages.person}
                value={form.nmlsNumber}
                onChange={(nmlsNumber) => write({ nmlsNumber })}
              />
              <StatesField value={form.licenceStates} onChange={(licenceStates) => write({ licenceStates })} />
            </>
          )}
        </div>
        {person.id !== me.id && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
            <p className="min-w-44 flex-1 text-muted">{messages.resetText}</p>
            <Button onPress={() => setAsking('reset')}>{messages.reset}</Button>
          </div>
        )}
      </FormDialog>
      <Confirm
        title={messages.disableTitle(person.name)}
        text={messages.disableText}
        confirm={messages.disable}
        keep={messages.keep}
        isOpen={asking === 'disable'}
        onOpenChange={() => setAsking(null)}
        isPending={update.isPending}
        onConfirm={() => void setDisabled(true)}
      />
      <Confirm
        title={messages.resetTitle(person.name)}
        text={messages.resetWarning}
        confirm={messages.reset}
        keep={messages.keep}
        isOpen={asking === 'reset'}
        onOpenChange={() => setAsking(null)}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate({ body: { userId: person.id } })}
      />
      <Confirm
        title={messages.removeTitle(person.name)}
        text={messages.removeText}
        confirm={messages.remove}
        keep={messages.keep}
        isOpen={asking === 'remove'}
        onOpenChange={() => setAsking(null)}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ query: { userId: person.id } })}
      />
    </>
  )
}

const nobody = 'nobody'
const idOf = (chosen: string): string | null => (chosen === nobody ? null : chosen)

type Form = {
  name: string
  profession: string
  nmlsNumber: string
  licenceStates: readonly LicenceState[]
  role: PersonRole
  tenantId: string | null
  editorId: string | null
}

const formOf = (person: User): Form => ({
  name: person.name,
  profession: person.profession ?? '',
  nmlsNumber: person.nmlsNumber ?? '',
  licenceStates: inOrder(person.licenceStates ?? []),
  role: person.role as PersonRole,
  tenantId: person.tenantId ?? null,
  editorId: person.editorId ?? null,
})

const inOrder = (codes: readonly LicenceState[]) => licenceStateCodes.filter((code) => codes.includes(code))
