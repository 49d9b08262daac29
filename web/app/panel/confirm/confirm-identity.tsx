import { lazy, Suspense, useEffect, useState } from 'react'
import { confirmBy } from '../../send.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

/** Asks for the password wherever a call needs a fresh sign-in; the call goes on by itself. Calls of one moment ask once. */
export const ConfirmIdentity = () => {
  const [answer, setAnswer] = useState<((isConfirmed: boolean) => void) | null>(null)
  useEffect(() => {
    let asking: Promise<boolean> | null = null
    const stop = confirmBy(() => {
      asking ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asking = null
        setAnswer(null)
      })
      return asking
    })
    return stop
  }, [])
  return (
    answer !== null && (
      <Suspense>
        <ConfirmDialog onAnswer={answer} />
      </Suspense>
    )
  )
}
