import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { toast } from 'sonner'
import { accounts, type User } from '@clear-to-post/contract/accounts'
import type { CallInput } from '@clear-to-post/contract/call'
import { nmlsDigits, type LicenceState } from '@clear-to-post/domain/licences'
import { hasDuty, personRoles, type PersonRole } from '@clear-to-post/domain/roles'
import { queryClient, send, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { changedUser, useMay, useUser } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
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

type Changes = CallInput<typeof accounts.update>['body']

/** One person for an admin: name, role, company, editor, access, and the way out. */
export const PersonDialog = ({ person, onClose }: { person: User; onClose: () => void }) => {
  const me = useUser()
  const companies = useCompanies()
  const { data: editors = [] } = useQuery(editorsQuery)
  const readsPlans = useMay('subscription.read')
  const sendsForOthers = useMay('project.create-for')
  const [form, setForm] = useState({
    name: person.name,
    profession: person.profession ?? '',
    nmlsNumber: person.nmlsNumber ?? '',
    licenceStates: person.licenceStates ?? [],
    role: person.role as PersonRole,
    tenantId: person.tenantId ?? nobody,
    editorId: person.editorId ?? nobody,
  })
  const [asking, setAsking] = useState<'disable' | 'remove' | 'reset' | null>(null)
  const write = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }))
  const seen = (changed: User) => {
    changedUser(changed)
    putPerson(changed)
    void queryClient.invalidateQueries({ queryKey: ['accounts'] })
    for (const room of ['tenants', 'audit', 'security']) void queryClient.invalidateQueries({ queryKey: [room] })
  }
  const update = useCall(accounts.update, { onSuccess: seen })
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
  const editorsIn = (tenantId: string) => editorsFor(editors, tenantId === nobody ? undefined : tenantId)
  // Whom they have now stays in sight, even when nobody new would be given to them.
  const offered = editors.filter(
    (one) =>
      one.id !== person.id &&
      (editorsIn(form.tenantId).includes(one) ||
        (one.id === person.editorId && form.tenantId === (person.tenantId ?? nobody))),
  )
  const changes = changesOf(person, form)
  const isChanged = Object.keys(changes).length > 0
  const save = async () => {
    try {
      await update.mutateAsync({ body: { userId: person.id, ...changes } })
      const before = undoOf(person, changes)
      toast.success(messages.saved(form.name.trim()), {
        action: {
          label: messages.undo,
          onClick: () =>
            void send(accounts.update, { body: { userId: person.id, ...before } }).then(seen, toastFailure),
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
        onSubmit={() => {
          if (isChanged) void save()
        }}
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
            value={form.tenantId}
            isDisabled={!movesCompany}
            options={[
              { value: nobody, label: isOfficer ? messages.noCompany : messages.service },
              ...companies.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(tenantId) =>
              write({
                tenantId,
                ...(editorsIn(tenantId).some(({ id }) => id === form.editorId) ? {} : { editorId: nobody }),
              })
            }
            hint={
              !movesCompany
                ? messages.noMove
                : !isOfficer && form.tenantId === nobody
                  ? messages.serviceHint
                  : undefined
            }
          />
          {isOfficer && (
            <Select
              label={messages.editor}
              value={form.editorId}
              options={[
                { value: nobody, label: messages.noEditor },
                ...offered.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(editorId) => write({ editorId })}
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

const changesOf = (
  person: User,
  form: {
    name: string
    profession: string
    nmlsNumber: string
    licenceStates: readonly LicenceState[]
    role: PersonRole
    tenantId: string
    editorId: string
  },
): Omit<Changes, 'userId'> => {
  const id = (value: string) => (value === nobody ? null : value)
  return {
    ...(form.name.trim() === person.name ? {} : { name: form.name.trim() }),
    ...(form.profession.trim() === (person.profession ?? '') ? {} : { profession: form.profession.trim() }),
    ...((nmlsDigits(form.nmlsNumber) ?? form.nmlsNumber) === (person.nmlsNumber ?? '')
      ? {}
      : { nmlsNumber: form.nmlsNumber }),
    ...([...form.licenceStates].toSorted().join() === [...(person.licenceStates ?? [])].toSorted().join()
      ? {}
      : { licenceStates: [...form.licenceStates] }),
    ...(form.role === person.role ? {} : { role: form.role }),
    ...(id(form.tenantId) === (person.tenantId ?? null) ? {} : { tenantId: id(form.tenantId) }),
    ...(!hasDuty(form.role, 'film') || id(form.editorId) === (person.editorId ?? null)
      ? {}
      : { editorId: id(form.editorId) }),
  }
}

const undoOf = (person: User, changes: Omit<Changes, 'userId'>): Omit<Changes, 'userId'> => {
  const before = {
    name: person.name,
    profession: person.profession ?? '',
    nmlsNumber: person.nmlsNumber ?? '',
    licenceStates: person.licenceStates ?? [],
    role: person.role as PersonRole,
    tenantId: person.tenantId ?? null,
    editorId: person.editorId ?? null,
  }
  return Object.fromEntries(Object.entries(before).filter(([key]) => key in changes))
}
