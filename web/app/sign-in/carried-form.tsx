import { useEffect, useRef, useState } from 'react'
import { signInWithCustomToken, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { messages } from './messages.ts'

/**
 * What a link with a custom token shows. Opening it signs nobody in: somebody else may have sent it, so that one works in
 * their account without knowing. The token is used by a press alone; `onEnd` when it was, or is not wanted.
 */
export const CarriedForm = ({ token, onEnd }: { token: string; onEnd: () => void }) => {
  const { user, isAuthenticating } = useSession()
  const [isPending, setPending] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const signIn = async () => {
    setPending(true)
    // A failure is logged, and the other ways in come back (docs/specification/failures.md).
    await signInWithCustomToken(token).catch((error: unknown) =>
      console.error('The custom token was not accepted', error),
    )
    onEnd()
  }
  return (
    <div className="grid gap-5">
      <h1 ref={heading} tabIndex={-1} className="text-2xl font-bold outline-none">
        {user ? messages.switchTitle : messages.carriedTitle}
      </h1>
      {user && <p>{messages.switchText(user.name, user.email)}</p>}
      <p className={user ? 'text-muted' : ''}>{messages.carriedText}</p>
      <p className="rounded-control bg-warn-tint px-3 py-2.5 text-warn">{messages.carriedWarning}</p>
      <Button variant="primary" size="large" isPending={isPending || isAuthenticating} onPress={() => void signIn()}>
        {user ? messages.switchIt : messages.carriedTitle}
      </Button>
      <Button size="large" onPress={onEnd}>
        {user ? messages.switchNot : messages.carriedNot}
      </Button>
    </div>
  )
}
