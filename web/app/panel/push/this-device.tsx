import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { toast } from 'sonner'
import { push } from '@clear-to-post/contract/push'
import { Refusal } from '@clear-to-post/contract/errors'
import { query, useCall } from '../../api.ts'
import { useUser } from '../../session.ts'
import { dayWords } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { Section } from '../profile/section.tsx'
import { deviceId, followPresses, pushState, switchOff, switchOn, type PushState } from './device.ts'
import { messages } from './messages.ts'

/** Notifications of this browser, on or off, and the person's other ones. */
export const ThisDeviceCard = () => (
  <Section id="this-device" title={messages.title} text={messages.text}>
    <ThisDevice />
  </Section>
)

const ThisDevice = () => {
  const { id } = useUser()
  const { history } = useRouter()
  const client = useQueryClient()
  const known = useQuery(query(push.read, {}))
  const [now, setNow] = useState(pushState)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const again = () => void client.invalidateQueries({ queryKey: ['push'] })
  const remove = useCall(push.unsubscribe, { onError: toastFailure, onSettled: again })
  const test = useCall(push.test, { onSuccess: () => toast.success(messages.tested), onError: toastFailure })
  const mine = deviceId()
  // The service may have forgotten it: signed out everywhere, or removed from another device.
  const isOn = now === 'on' && (known.data?.devices.some((device) => device.id === mine) ?? true)
  const others = known.data?.devices.filter((device) => device.id !== mine) ?? []

  const change = async (on: boolean) => {
    setBusy(true)
    setProblem(null)
    try {
      if (on) {
        const then = await switchOn(id)
        if (then === 'off') setProblem(messages.dismissed)
        followPresses((path) => history.push(path))
      } else await switchOff()
    } catch (error) {
      setProblem(error instanceof Refusal ? error.message : messages.failed)
    }
    setNow(pushState())
    setBusy(false)
    again()
  }

  const reason = reasons[now]
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        {reason === null && (
          <Switch isSelected={isOn} isDisabled={isBusy} onChange={(on) => void change(on)}>
            {messages.show}
          </Switch>
        )}
        <p role="status" className={reason !== null ? 'text-muted' : problem === null ? 'sr-only' : 'text-danger'}>
          {reason ?? problem}
        </p>
        {isOn && mine !== null && (
          <Button
            size="small"
            className="justify-self-start"
            icon={<Send aria-hidden />}
            isPending={test.isPending}
            onPress={() => test.mutate({ params: { deviceId: mine } })}
          >
            {messages.test}
          </Button>
        )}
        {known.data?.hasPhone && <p className="text-muted">{messages.phone}</p>}
      </div>
      {others.length > 0 && (
        <div>
          <h3 className="font-sans text-sm font-medium tracking-normal">{messages.others}</h3>
          <ul className="divide-y divide-line">
            {others.map(({ id: other, name, createdAt }) => (
              <li key={other} className="flex items-center gap-3 py-2">
                <span className="min-w-0 flex-1">
                  <span className="block [overflow-wrap:anywhere]">{name}</span>
                  <span className="block text-[0.8125rem] text-muted">{messages.since(dayWords(createdAt))}</span>
                </span>
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={messages.removeOf(name)}
                  onPress={() => remove.mutate({ params: { deviceId: other } })}
                >
                  {messages.remove}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

/** Why there is no switch, and what to do. */
const reasons: Record<PushState, string | null> = {
  on: null,
  off: null,
  unsupported: messages.unsupported,
  'install-first': messages.installFirst,
  blocked: messages.blocked,
}
