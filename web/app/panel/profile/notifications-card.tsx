import { useEffect, useRef, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CallAnswer, CallInput } from '@clear-to-post/contract/call'
import { notifications } from '@clear-to-post/contract/notifications'
import { rhythms } from '@clear-to-post/domain/delivery'
import { keyOf, query, useCall } from '../../api.ts'
import { TextField } from '../../ui/fields.tsx'
import { Select } from '../../ui/select.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { Section } from './section.tsx'

type Choices = CallAnswer<typeof notifications.choices>
type Change = NonNullable<CallInput<typeof notifications.choose>['body']>

/** What reaches me how: a row for each kind, quiet hours. Each choice is kept as it is made. */
export const NotificationsCard = () => {
  const asked = useQuery(query(notifications.choices, {}))
  const client = useQueryClient()
  const key = keyOf(notifications.choices, {})
  // Shown over whatever is read meanwhile: a page that looks again knows nothing of what is on its way.
  const [chosen, setChosen] = useState<Partial<Choices>>({})
  const isLast = () => client.isMutating({ mutationKey: ['notification-choices'] }) === 1
  const save = useCall(notifications.choose, {
    // One after the other: the last choice is the one that stays.
    scope: { id: 'notification-choices' },
    mutationKey: ['notification-choices'],
    // An answer knows nothing of what was chosen while it was on its way.
    onSuccess: (answer) => {
      if (!isLast()) return
      client.setQueryData(key, answer)
      setChosen({})
    },
    onError: (error) => {
      if (isLast()) setChosen({})
      void client.invalidateQueries({ queryKey: key })
      toastFailure(error)
    },
  })
  const section = useRef<HTMLDivElement>(null)
  const isHere = location.hash === '#notifications'
  const isLoaded = asked.data !== undefined
  // Mails lead here; the page above has its height only now.
  useEffect(() => {
    if (isHere && isLoaded) section.current?.scrollIntoView()
  }, [isHere, isLoaded])
  const change = (body: Change, shown: Partial<Choices>) => {
    setChosen((before) => ({ ...before, ...shown }))
    save.mutate({ body })
  }
  return (
    <div ref={section} className="scroll-mt-20">
      <Section id="notifications" title={messages.notifications} text={messages.notificationsText}>
        <Loaded
          answer={asked}
          loading={[0, 1, 2].map((row) => (
            <Skeleton key={row} className="mb-3 h-12" />
          ))}
        >
          {(choices) => <ChoicesForm choices={{ ...choices, ...chosen }} change={change} />}
        </Loaded>
      </Section>
    </div>
  )
}

const ChoicesForm = ({
  choices: { kinds, quiet, timezone },
  change,
}: {
  choices: Choices
  change: (body: Change, shown: Partial<Choices>) => void
}) => {
  const chosen = (kind: Choices['kinds'][number], part: { email: typeof kind.email } | { push: boolean }) =>
    change(
      { kinds: [{ kind: kind.kind, ...part }] },
      { kinds: kinds.map((one) => (one.kind === kind.kind ? { ...one, ...part } : one)) },
    )
  const setQuiet = (hours: Choices['quiet']) => change({ quiet: hours }, { quiet: hours })
  return (
    <>
      <ul className="-mt-2 divide-y divide-line">
        {kinds.map((kind) => (
          <li key={kind.kind} className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
            <div className="min-w-52 flex-1">
              <h3 className="font-sans text-sm font-medium tracking-normal">{kind.label}</h3>
              <p className="text-[0.8125rem] text-muted">{kind.text}</p>
            </div>
            <Select
              label={messages.emailOf(kind.label)}
              hideLabel
              options={rhythms.map((value) => ({ value, label: messages.rhythms[value] }))}
              value={kind.email}
              onChange={(email) => chosen(kind, { email })}
              className="w-44"
            />
            <Switch
              aria-label={messages.pushOf(kind.label)}
              isSelected={kind.push}
              onChange={(push) => chosen(kind, { push })}
            >
              {messages.push}
            </Switch>
          </li>
        ))}
      </ul>
      <div className="mt-2 grid gap-3 border-t border-line pt-4">
        <Switch
          isSelected={quiet !== null}
          onChange={(isOn) => setQuiet(isOn ? { from: '21:00', until: '07:00' } : null)}
          hint={messages.quietText(timezone.split('/').at(-1)!.replaceAll('_', ' '))}
        >
          {messages.quiet}
        </Switch>
        {quiet !== null && (
          <div className="flex flex-wrap gap-4 pl-12">
            <Time label={messages.quietFrom} value={quiet.from} onChange={(from) => setQuiet({ ...quiet, from })} />
            <Time label={messages.quietUntil} value={quiet.until} onChange={(until) => setQuiet({ ...quiet, until })} />
          </div>
        )}
      </div>
    </>
  )
}

/** A time of day, kept as soon as it is one. While it is typed, what was typed stands, whatever the service answers. */
const Time = ({ label, value, onChange }: { label: string; value: string; onChange: (time: string) => void }) => {
  const [draft, setDraft] = useState<string>()
  return (
    <TextField
      type="time"
      label={label}
      value={draft ?? value}
      onChange={(time) => {
        setDraft(time)
        if (/^\d\d:\d\d$/.test(time) && time !== value) onChange(time)
      }}
      onBlur={() => setDraft(undefined)}
      className="w-36"
    />
  )
}
