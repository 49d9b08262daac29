import { useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { apiKeys } from '@clear-to-post/contract/api-keys'
import { keyDays, type Scope } from '@clear-to-post/domain/scopes'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Below, FieldLabel, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { messages } from './messages.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'

type Days = (typeof keyDays)[number]

/** What a key is for, what it may do and for how long; then the key itself, once. */
export const MakeKeyDialog = ({
  offered,
  forCompany = false,
  onClose,
}: {
  offered: readonly Scope[]
  /** A key of the company's own. */
  forCompany?: boolean
  onClose: () => void
}) => {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [days, setDays] = useState<Days>(90)
  const [faults, setFaults] = useState<{ name?: string; scopes?: string }>({})
  const create = useCall(apiKeys.create, {
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  })
  if (create.data) return <NewKeyDialog apiKey={create.data.key} onClose={onClose} />
  const submit = () => {
    const found = {
      ...(name.trim() === '' ? { name: messages.needName } : {}),
      ...(chosen.length === 0 ? { scopes: messages.needScope } : {}),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    create.mutate({
      body: {
        name: name.trim(),
        scopes: offered.filter((scope) => chosen.includes(scope)),
        days,
        ...(forCompany && { forCompany }),
      },
    })
  }
  return (
    <FormDialog
      title={forCompany ? messages.makeCompanys : messages.make}
      size="medium"
      submit={messages.makeIt}
      cancel={messages.stop}
      problem={create.isError && failureWords(create.error)}
      isPending={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {forCompany && <p className="text-muted">{messages.companysText}</p>}
      <TextField
        label={messages.name}
        hint={messages.nameHint}
        value={name}
        onChange={(text) => {
          setName(text)
          setFaults(({ name: _name, ...others }) => others)
        }}
        error={faults.name}
        maxLength={80}
        autoComplete="off"
        autoFocus
      />
      <CheckboxGroup
        value={[...chosen]}
        onChange={(values) => {
          setChosen(values)
          setFaults(({ scopes: _scopes, ...others }) => others)
        }}
        isInvalid={faults.scopes !== undefined}
        className="grid gap-2"
      >
        <FieldLabel>{messages.allowed}</FieldLabel>
        <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
          {offered.map((scope) => (
            <Checkbox key={scope} value={scope}>
              {messages.scopes[scope]}
            </Checkbox>
          ))}
        </div>
        <Below hint={messages.never} error={faults.scopes} />
      </CheckboxGroup>
      <Select
        label={messages.days}
        value={String(days)}
        options={keyDays.map((one) => ({ value: String(one), label: messages.daysOf(one) }))}
        onChange={(value) => setDays(keyDays.find((one) => String(one) === value)!)}
      />
    </FormDialog>
  )
}
