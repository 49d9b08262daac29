import { useState } from 'react'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Refusal } from '@clear-to-post/contract/errors'
import { webhooks, type WebhookEndpoint } from '@clear-to-post/contract/webhooks'
import { webhookTypes } from '@clear-to-post/domain/webhooks'
import { queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { Button } from '../../ui/button.tsx'
import { ChangedMeanwhile, useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { changesOf } from '../../ui/changes-of.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Below, FieldLabel, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { messages } from './messages.ts'
import { SecretDialog } from './secret-dialog.tsx'

type Form = Pick<WebhookEndpoint, 'url' | 'description' | 'events'>
type Faults = { url?: string; events?: string }

/** Where a program is and what it hears of: a new one, whose secret is then shown once, or one that is changed. */
export const WebhookDialog = ({ of: one, onClose }: { of?: WebhookEndpoint; onClose: () => void }) => {
  const current = one ? formOf(one) : nothing
  const [from] = useState(current)
  const [url, setUrl] = useState(from.url)
  const [description, setDescription] = useState(from.description)
  const [events, setEvents] = useState<readonly string[]>(from.events)
  const [faults, setFaults] = useState<Faults>({})
  const readAgain = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
  const onSettled = () => void readAgain()
  const { now, onError } = useMeanwhile({ from, current }, 'webhook.changed', readAgain)
  const create = useCall(webhooks.create, { onSettled })
  const update = useCall(webhooks.update, { onSuccess: onClose, onError, onSettled })
  if (create.data) return <SecretDialog secret={create.data.secret} onClose={onClose} />
  const doing = one ? update : create
  // Why the service takes no such address stands at its field.
  const refused =
    doing.error instanceof Refusal && doing.error.code === 'webhook.bad-address' ? doing.error.message : undefined
  const without = (key: keyof Faults) => setFaults(({ [key]: _fault, ...others }) => others)
  const submit = () => {
    const found: Faults = {
      ...(URL.canParse(url.trim()) ? {} : { url: messages.needUrl }),
      ...(events.length === 0 ? { events: messages.needEvents } : {}),
    }
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const body = { url: url.trim(), description: description.trim(), events: inOrder(events) }
    // An address that was changed asks for the password.
    if (one) update.mutate({ params: { endpointId: one.id }, body: changesOf<Form>(body, from, now) ?? {} })
    else create.mutate({ body })
  }
  const isAll = events.length === webhookTypes.length
  return (
    <FormDialog
      title={one ? messages.editTitle : messages.add}
      size="medium"
      submit={one ? messages.save : messages.addIt}
      cancel={messages.stop}
      problem={doing.isError && refused === undefined && failureWords(doing.error)}
      isPending={doing.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChangedMeanwhile
        from={from}
        now={now}
        titles={messages.isNow}
        say={{ events: (types) => types.map((type) => messages.types[type]).join(', ') }}
      />
      <TextField
        label={messages.url}
        hint={one && url.trim() !== from.url ? messages.urlMoved : messages.urlHint}
        value={url}
        onChange={(text) => {
          setUrl(text)
          without('url')
          doing.reset()
        }}
        error={faults.url ?? refused}
        type="url"
        placeholder="https://"
        maxLength={500}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={messages.description}
        hint={messages.descriptionHint}
        value={description}
        onChange={setDescription}
        isRequired={false}
        maxLength={200}
        autoComplete="off"
      />
      <CheckboxGroup
        value={[...events]}
        onChange={(values) => {
          setEvents(values)
          without('events')
        }}
        isInvalid={faults.events !== undefined}
        className="grid gap-2"
      >
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <FieldLabel>{messages.events}</FieldLabel>
          <Button
            variant="quiet"
            size="small"
            onPress={() => {
              setEvents(isAll ? [] : webhookTypes)
              without('events')
            }}
          >
            {isAll ? messages.none : messages.all}
          </Button>
        </div>
        <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
          {webhookTypes.map((type) => (
            <Checkbox key={type} value={type}>
              {messages.types[type]}
            </Checkbox>
          ))}
        </div>
        <Below error={faults.events} />
      </CheckboxGroup>
    </FormDialog>
  )
}

const inOrder = (events: readonly string[]) => webhookTypes.filter((type) => events.includes(type))
const formOf = ({ url, description, events }: WebhookEndpoint): Form => ({ url, description, events: inOrder(events) })
const nothing: Form = { url: '', description: '', events: [] }
