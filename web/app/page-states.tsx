import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { LoaderCircle, RotateCw } from 'lucide-react'
import { paths } from './paths.ts'
import { Button } from './ui/button.tsx'
import { buttonLook } from './ui/button-look.ts'
import { messages } from './ui/messages.ts'

/** The centred spinner with its word (specification, section 2). */
export const PageLoading = () => (
  <div role="status" className="grid min-h-[60dvh] place-items-center">
    <span className="flex items-center gap-2.5 text-muted">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      {messages.loading}
    </span>
  </div>
)

export const PagePending = PageLoading

export const NotFound = () => (
  <main className="mx-auto grid min-h-[80dvh] max-w-md place-content-center gap-3 px-6 text-center">
    <p className="font-mono text-muted">404</p>
    <h1 className="text-2xl">{messages.notFoundTitle}</h1>
    <p className="text-muted">{messages.notFoundText}</p>
    <Link to={paths.panel} className={buttonLook({ variant: 'primary', size: 'large' }) + ' mt-3 justify-self-center'}>
      {messages.toPanel}
    </Link>
  </main>
)

/** A page that threw, or whose code did not arrive (a new release replaced it). */
export const PageFailure = ({ error, reset }: ErrorComponentProps) => (
  <div role="alert" className="mx-auto grid min-h-[60dvh] max-w-md place-content-center gap-3 px-6 text-center">
    <h1 className="text-2xl">{messages.failureTitle}</h1>
    <p className="text-muted">{messages.failureText}</p>
    <p className="font-mono text-xs break-words text-muted">{error instanceof Error ? error.message : String(error)}</p>
    <div className="mt-3 flex flex-wrap justify-center gap-2">
      <Button variant="primary" onPress={reset} icon={<RotateCw aria-hidden />}>
        {messages.retry}
      </Button>
      <Button onPress={() => location.reload()}>{messages.reload}</Button>
    </div>
  </div>
)
