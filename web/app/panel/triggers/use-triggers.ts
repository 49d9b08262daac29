import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toast } from 'sonner'
import { notifications, type Trigger } from '@clear-to-post/contract/notifications'
import { subscriptions } from '@clear-to-post/contract/subscriptions'
import { keyOf, query, queryClient, send, useCall } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { audienceOf, scheduleOf, type Form } from './trigger-data.ts'
import { momentWords } from './words.ts'

/** One trigger; asked again and again while it is being sent, now and then otherwise. */
export const useTrigger = (id: string, { enabled }: { enabled: boolean }) =>
  useQuery({
    ...query(notifications.trigger, { params: { id } }),
    enabled,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 2000 : 15_000),
  })

/**
 * How many people these settings mean now, and when they would run; follows the form a moment after the last change, and
 * the clock: what was `due` may have run.
 */
export const usePreview = (form: Form, due: string | undefined) => {
  const hasAudience = form.criteria !== 'usersFromTier' || form.productIds.length > 0
  const body = {
    ...(hasAudience ? audienceOf(form) : {}),
    ...(form.timeOfDay ? { schedule: scheduleOf(form) } : {}),
  }
  const settled = useSettled(JSON.stringify(body), 300)
  const input = { body: JSON.parse(settled) as typeof body }
  return useQuery({
    queryKey: [...keyOf(notifications.previewTrigger, input), due],
    queryFn: ({ signal }) => send(notifications.previewTrigger, input, { signal }),
    enabled: settled !== '{}',
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })
}

/** The names of what can be bought, by id. */
export const useProducts = () => useQuery({ ...query(subscriptions.publicProducts, {}), staleTime: 10 * 60_000 })

/** What may be done to a trigger beside editing it. */
export const useTriggerActs = (trigger: Trigger, { onDeleted }: { onDeleted?: () => void } = {}) => {
  const { id, title } = trigger
  const change = useCall(notifications.updateTrigger, { onSuccess: seen, onError: toastFailure })
  const remove = useCall(notifications.deleteTrigger, {
    onSuccess: () => {
      onDeleted?.()
      toast.success(messages.deleted(title))
      void queryClient.invalidateQueries({ queryKey: ['notifications'], refetchType: onDeleted ? 'none' : 'active' })
    },
    onError: toastFailure,
  })
  const set = (status: 'scheduled' | 'paused' | 'cancelled') => change.mutateAsync({ params: { id }, body: { status } })
  const resume = async () => {
    const resumed = await set('scheduled')
    toast.success(messages.resumed(title, momentWords(resumed.nextExecution!, resumed.timezone ?? 'UTC')))
  }
  return {
    isPending: change.isPending || remove.isPending,
    resume: () => void resume().catch(() => {}),
    pause: () =>
      void set('paused').then(
        () => toast.success(messages.paused(title), { action: { label: messages.undo, onClick: () => void resume() } }),
        () => {},
      ),
    cancel: () =>
      void set('cancelled').then(
        () => toast.success(messages.cancelled(title)),
        () => {},
      ),
    remove: () => remove.mutate({ params: { id } }),
  }
}

/** Puts a changed trigger where it is shown. */
export const seen = (changed: Trigger): void => {
  queryClient.setQueryData(keyOf(notifications.trigger, { params: { id: changed.id } }), changed)
  void queryClient.invalidateQueries({ queryKey: ['notifications', notifications.triggers.path] })
}

const useSettled = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
