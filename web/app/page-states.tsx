import { useEffect } from 'react'
import { Link, type ErrorComponentProps } from '@tanstack/react-router'
import { LoaderCircle, RotateCw } from 'lucide-react'
import { paths } from './paths.ts'
import { Button } from './ui/button.tsx'
import { buttonLook } from './ui/button-look.ts'
import { messages } from './ui/messages.ts'

/** The centred spinner with its word (docs/specification/pages.md). */
export const PageLoading = () => (
  <div role="status" data-unsettled className="grid min-h-[60dvh] place-items-center">
    <span className="flex items-center gap-2.5 text-muted">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      {messages.loading}
    </span>
  </div>
)

export const PagePending = PageLoading

/** Within a frame: the panel's, or the public pages' (site/not-found.tsx). */
export const NoSuchRoom = () => (
  <div className="mx-auto grid min-h-[70dvh] max-w-md place-content-center gap-3 px-6 text-center">
    <title>{`${messages.notFoundTitle} · Clear to Post`}</title>
    <h1 className="text-2xl">{messages.notFoundTitle}</h1>
    <p className="text-muted">{messages.notFoundText}</p>
    <Link to={paths.panel} className={buttonLook({ variant: 'primary', size: 'large' }) + ' mt-3 justify-self-center'}>
      {messages.toPanel}
    </Link>
  </div>
)

/** Code that did not come because nobody answers; another try in the same page may bring it. */
export class Unreachable extends Error {}

export const isReachable = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

/**
 * A page that threw, or whose code did not arrive: a network that was away, or a new release that replaced it. Code that
 * failed to load stays failed until the page is loaded anew, so "Try again" does that, and by itself once the network is back;
 * never while nobody answers, for the browser's own error page has no way back.
 */
export const PageFailure = ({ error, reset }: ErrorComponentProps) => {
  const isMissing = isMissingCode(error)
  useEffect(() => {
    if (!isMissing) return
    const again = () => void reload()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [isMissing])
  return (
    <div role="alert" className="mx-auto grid min-h-[60dvh] max-w-md place-content-center gap-3 px-6 text-center">
      <h1 className="text-2xl">{isMissing ? messages.missingTitle : messages.failureTitle}</h1>
      <p className="text-muted">{isMissing ? messages.missingText : messages.failureText}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <Button variant="primary" onPress={isMissing ? () => void reload() : reset} icon={<RotateCw aria-hidden />}>
          {messages.retry}
        </Button>
        {!isMissing && <Button onPress={() => location.reload()}>{messages.reload}</Button>}
      </div>
    </div>
  )
}

const reload = async (): Promise<void> => {
  if (await isReachable()) location.reload()
}

const isMissingCode = (error: unknown): boolean =>
  !navigator.onLine ||
  error instanceof Unreachable ||
  /preload CSS|dynamically imported module|Importing a module script failed/i.test(
    error instanceof Error ? error.message : String(error),
  )
