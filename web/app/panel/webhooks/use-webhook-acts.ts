import { toast } from 'sonner'
import { webhooks } from '@clear-to-post/contract/webhooks'
import { queryClient, send, useCall } from '../../api.ts'
import { toastUndo } from '../../ui/toast-undo.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

const again = () => void queryClient.invalidateQueries({ queryKey: ['webhooks'] })

/** What may be done with an endpoint beside editing it. */
export const useWebhookActs = (endpointId: string, { onDeleted }: { onDeleted?: () => void } = {}) => {
  const told = (words: string) => ({ onSuccess: () => toast.success(words), onError: toastFailure, onSettled: again })
  const test = useCall(webhooks.test, told(messages.tested))
  const at = { params: { endpointId } }
  const pause = useCall(webhooks.pause, {
    ...told(messages.pausedToast),
    onSuccess: () => toastUndo(messages.pausedToast, () => send(webhooks.resume, at).then(again)),
  })
  const resume = useCall(webhooks.resume, {
    ...told(messages.resumedToast),
    onSuccess: () => toastUndo(messages.resumedToast, () => send(webhooks.pause, at).then(again)),
  })
  const rotate = useCall(webhooks.rotate, { onError: toastFailure, onSettled: again })
  const remove = useCall(webhooks.remove, {
    onSuccess: () => {
      onDeleted?.()
      toast.success(messages.deleted)
      void queryClient.invalidateQueries({ queryKey: ['webhooks'], refetchType: onDeleted ? 'none' : 'active' })
    },
    onError: toastFailure,
  })
  return {
    isPending: [test, pause, resume, rotate, remove].some((one) => one.isPending),
    test: () => test.mutate(at),
    pause: () => pause.mutate(at),
    resume: () => resume.mutate(at),
    rotate: () => rotate.mutate(at),
    remove: () => remove.mutate(at),
    /** The secret that was just made, until it is put away. */
    secret: rotate.data?.secret,
    forgetSecret: rotate.reset,
  }
}
