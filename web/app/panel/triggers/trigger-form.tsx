import { useRef, useState } from 'react'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { toast } from 'sonner'
import { Refusal } from '@clear-to-post/contract/errors'
import { notifications, type Trigger } from '@clear-to-post/contract/notifications'
import { keyOf, queryClient, useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { useMeanwhile } from '../../ui/changed-meanwhile.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormCard, LongForm } from '../../ui/form-card.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { useWritten } from '../../ui/use-written.ts'
import { TwoColumns } from '../two-columns.tsx'
import { messages } from './messages.ts'
import { blank, bodyOf, changesOf, formOf, problemsOf, sayingOf, type Form, type Problems } from './trigger-data.ts'
import { TriggerMeanwhile } from './trigger-meanwhile.tsx'
import { TriggerPreview } from './trigger-preview.tsx'
import { WhenFields } from './when-fields.tsx'
import { WhoFields } from './who-fields.tsx'
import { seen } from './use-triggers.ts'

const readAgain = ({ id }: Trigger) =>
  queryClient.invalidateQueries({ queryKey: keyOf(notifications.trigger, { params: { id } }) })

/** Everything an admin sets for a trigger, with what it would do beside it. One that has ended can only be read. */
export const TriggerForm = ({ trigger }: { trigger: Trigger | undefined }) => {
  const { timezone } = useUser()
  const navigate = useNavigate()
  const kept = trigger ? formOf(trigger) : blank(timezone ?? 'America/New_York')
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string>()
  const formRef = useRef<HTMLFormElement>(null)
  const { form, from, write: writeOver, forget } = useWritten(kept, trigger)
  const isChanged = JSON.stringify(form) !== JSON.stringify(kept)
  const isOpen = trigger === undefined || trigger.actions.includes('edit')

  const write = (part: Partial<Form>) => {
    writeOver(part)
    setFailure(undefined)
    // What was wrong is looked at again as it is mended; nothing new is complained of while somebody types.
    setProblems((before) => {
      const left = problemsOf({ ...form, ...part })
      return Object.fromEntries(
        Object.keys(before).flatMap((name) => (name in left ? [[name, left[name as keyof Problems]]] : [])),
      )
    })
  }
  // Whoever walks away from what they have written is asked first.
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isOpen && isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isOpen && isChanged,
    withResolver: true,
  })
  const failed = (error: Error) => {
    setFailure(failureWords(error))
    if (trigger && error instanceof Refusal && error.kind === 'conflict') void readAgain(trigger)
  }
  // What somebody else has changed is shown; what was written here stays over it.
  const { now, onError } = useMeanwhile({ from, current: trigger }, 'trigger.changed', async () => {
    if (trigger) await readAgain(trigger)
  })
  const update = useCall(notifications.updateTrigger, {
    onSuccess: (changed) => {
      seen(changed)
      forget()
      toast.success(messages.saved)
    },
    onError: (error) => {
      failed(error)
      onError(error)
    },
  })
  const create = useCall(notifications.createTrigger, {
    onSuccess: (made) => {
      seen(made)
      toast.success(messages.created(made.title))
      void navigate({ to: paths.trigger, params: { triggerId: made.id }, replace: true, ignoreBlocker: true })
    },
    onError: failed,
  })
  const test = useCall(notifications.testTrigger, {
    onSuccess: () => toast.success(messages.tested),
    onError: (error) => (error instanceof Refusal ? setFailure(error.message) : toastFailure(error)),
  })
  const isPending = update.isPending || create.isPending
  /** The fields of these problems, told and shown; false when there are any. */
  const isRight = (names?: readonly (keyof Problems)[]) => {
    const found = Object.entries(problemsOf(form)).filter(([name]) => !names || names.includes(name as keyof Problems))
    setProblems(Object.fromEntries(found))
    if (found.length > 0)
      requestAnimationFrame(() =>
        formRef.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus(),
      )
    return found.length === 0
  }
  const save = () => {
    if (!isRight()) return
    if (now) update.mutate({ params: { id: now.id }, body: { ...changesOf(form, kept), modified: now.modified } })
    else create.mutate({ body: bodyOf(form) })
  }
  return (
    <LongForm
      formRef={formRef}
      isUnsaved={isOpen && (isChanged || trigger === undefined)}
      isPending={isPending}
      failure={failure}
      create={trigger === undefined && messages.createIt}
      undo={messages.discard}
      onSave={save}
      onUndo={() => {
        forget()
        setProblems({})
        setFailure(undefined)
      }}
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]"
      footClassName="-mx-4 md:-mx-6 md:px-6 lg:col-span-2"
    >
      <fieldset disabled={!isOpen} className="min-w-0">
        <TwoColumns>
          <FormCard id="message" title={messages.message} text={messages.messageText}>
            {from && now && <TriggerMeanwhile from={from} now={now} />}
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField
                label={messages.name}
                hint={messages.nameHint}
                value={form.title}
                onChange={(title) => write({ title })}
                maxLength={120}
                error={problems.title}
                autoComplete="off"
                isDisabled={!isOpen}
              />
              <TextField
                label={messages.description}
                value={form.description}
                onChange={(description) => write({ description })}
                maxLength={2000}
                isRequired={false}
                autoComplete="off"
                isDisabled={!isOpen}
              />
            </div>
            <TextField
              label={messages.wordsTitle}
              value={form.wordsTitle}
              onChange={(wordsTitle) => write({ wordsTitle })}
              maxLength={120}
              error={problems.wordsTitle}
              autoComplete="off"
              isDisabled={!isOpen}
            />
            <TextArea
              label={messages.wordsBody}
              value={form.wordsBody}
              onChange={(wordsBody) => write({ wordsBody })}
              maxLength={2000}
              rows={3}
              error={problems.wordsBody}
              isDisabled={!isOpen}
            />
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField
                label={messages.ctaLabel}
                hint={messages.ctaHint}
                value={form.ctaLabel}
                onChange={(ctaLabel) => write({ ctaLabel })}
                maxLength={60}
                isRequired={false}
                error={problems.ctaLabel}
                autoComplete="off"
                isDisabled={!isOpen}
              />
              <TextField
                label={messages.ctaUrl}
                hint={messages.ctaUrlHint}
                value={form.ctaUrl}
                onChange={(ctaUrl) => write({ ctaUrl })}
                maxLength={500}
                isRequired={false}
                error={problems.ctaUrl}
                autoComplete="off"
                spellCheck="false"
                isDisabled={!isOpen}
              />
            </div>
            <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
              <div role="group" aria-labelledby="transport" aria-describedby="transport-hint" className="grid gap-1">
                <p id="transport" className="text-[0.8125rem] font-medium">
                  {messages.transport}
                </p>
                <div className="flex flex-wrap gap-x-6 gap-y-1">
                  <Checkbox isSelected={form.push} onChange={(push) => write({ push })} isDisabled={!isOpen}>
                    {messages.push}
                  </Checkbox>
                  <Checkbox isSelected={form.email} onChange={(email) => write({ email })} isDisabled={!isOpen}>
                    {messages.email}
                  </Checkbox>
                </div>
                <p
                  id="transport-hint"
                  role={problems.transport ? 'alert' : undefined}
                  className={`text-[0.8125rem] ${problems.transport ? 'text-danger' : 'text-muted'}`}
                >
                  {problems.transport ?? messages.transportHint}
                </p>
              </div>
              <Button
                icon={<Send aria-hidden />}
                isPending={test.isPending}
                onPress={() => {
                  if (isRight(['wordsTitle', 'wordsBody', 'ctaLabel', 'ctaUrl', 'transport']))
                    test.mutate({ body: sayingOf(form) })
                }}
              >
                {messages.test}
              </Button>
            </div>
          </FormCard>
          <>
            <FormCard id="who" title={messages.who} text={messages.whoText}>
              <WhoFields form={form} problems={problems} onChange={write} isDisabled={!isOpen} />
            </FormCard>
            <FormCard id="when" title={messages.when}>
              <WhenFields form={form} problems={problems} onChange={write} isDisabled={!isOpen} />
            </FormCard>
          </>
        </TwoColumns>
      </fieldset>
      <div className="lg:sticky lg:top-5">
        <TriggerPreview form={form} due={trigger?.nextExecution} />
      </div>
      <Confirm
        title={messages.leaveTitle}
        text={messages.leaveText}
        confirm={messages.leave}
        keep={messages.stay}
        isOpen={leaving.status === 'blocked'}
        onOpenChange={() => leaving.reset?.()}
        onConfirm={() => leaving.proceed?.()}
      />
    </LongForm>
  )
}
