import { useEffect, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { PageLoading } from '../page-states.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { messages } from './messages.ts'
import { sendReturn, storeReturn, type OAuthReturn } from './oauth-flow.ts'

/** Where Google and Apple send people back to: it hands over what came back and closes. */
export const ReturnPage = () => {
  const navigate = useNavigate()
  const [isTaken, setTaken] = useState(false)
  useEffect(() => {
    const back = readOAuthReturn()
    if (back === null) return
    void sendReturn(back).then((taken) => {
      if (taken) {
        window.close()
        return setTaken(true)
      }
      const flow = storeReturn(back)
      if (flow?.purpose === 'connect') void navigate({ to: paths.profile, replace: true })
      else void navigate({ to: paths.login, search: flow?.next ? { next: flow.next } : {}, replace: true })
    })
  }, [navigate])
  if (!isTaken) return <PageLoading />
  return (
    <main className="mx-auto grid min-h-[80dvh] max-w-md place-content-center justify-items-center gap-4 px-6 text-center">
      <Logo />
      <h1 className="text-2xl">{messages.doneTitle}</h1>
      <p className="text-muted">{messages.doneText}</p>
      <Button variant="primary" onPress={() => window.close()}>
        {messages.closeWindow}
      </Button>
    </main>
  )
}

/** Read once and taken out of the address: it must not stay in the history. */
const readOAuthReturn = (): OAuthReturn | null => {
  if (location.hash === '') return null
  const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  history.replaceState(history.state, '', location.pathname)
  return { state: '', ...given }
}
