import { useState } from 'react'
import { toast } from 'sonner'
import { accounts } from '@clear-to-post/contract/accounts'
import type { CallInput } from '@clear-to-post/contract/call'
import { useCall } from '../../api.ts'
import { failureWords } from '../../failures.ts'
import { changedUser } from '../../session.ts'
import { messages } from './messages.ts'

type Changes = CallInput<typeof accounts.update>['body']

/** Saves parts of one's own profile. The page shows them as soon as the service has them. */
export const useProfile = () => {
  const update = useCall(accounts.update)
  const [failure, setFailure] = useState<string>()
  /** Throws; for what shows its own failure. */
  const change = async (body: Changes): Promise<void> => changedUser(await update.mutateAsync({ body }))
  const save = async (body: Changes, onSaved: () => void): Promise<void> => {
    setFailure(undefined)
    try {
      await change(body)
      onSaved()
      toast.success(messages.saved)
    } catch (error) {
      setFailure(failureWords(error))
    }
  }
  return { change, save, isPending: update.isPending, failure, forget: () => setFailure(undefined) }
}
