import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { PageLoading } from '../page-states.tsx'
import { paths } from '../paths.ts'
import { begin, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { messages } from './messages.ts'
import { loadReceiptPage, useReceipt } from './profile/receipt.ts'

const ReceiptPage = lazy(() => loadReceiptPage().then((module) => ({ default: module.ReceiptPage })))

/** Protected pages (docs/specification/pages.md): undetermined shows Loading, nobody goes to sign in and comes back here. */
export const Protected = ({ children }: { children: ReactNode }) => {
  const receipt = useReceipt()
  const { isAuthenticating, isAuthenticated, isUnreachable } = useSession()
  // The account is gone, and its session with it: what is left to say comes first.
  if (receipt)
    return (
      <Suspense fallback={<PageLoading />}>
        <ReceiptPage receipt={receipt} />
      </Suspense>
    )
  if (isAuthenticated) return children
  if (isAuthenticating) return <PageLoading />
  if (!isUnreachable) return <ToSignIn />
  return (
    <main role="alert" className="mx-auto grid min-h-[80dvh] max-w-md place-content-center gap-3 px-6 text-center">
      <h1 className="text-2xl">{messages.unreachableTitle}</h1>
      <p className="text-muted">{messages.unreachableText}</p>
      <div className="mt-3">
        <Button variant="primary" size="large" icon={<RotateCw aria-hidden />} onPress={() => void begin()}>
          {messages.retry}
        </Button>
      </div>
    </main>
  )
}

/** Goes once: while the sign-in page loads, this one is still on screen and its address is already the next. */
const ToSignIn = () => {
  const navigate = useNavigate()
  const router = useRouter()
  useEffect(() => {
    void navigate({ to: paths.login, search: { next: router.state.location.href }, replace: true })
  }, [navigate, router])
  return <PageLoading />
}
