import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { Frame } from './frame.tsx'
import { words } from './words/frame.ts'

/** For an address that leads nowhere, and for a page that failed: both with a way on. */
export const LostPage = ({ why }: { why: 'not-found' | 'error' }) => {
  const isError = why === 'error'
  return (
    <Frame>
      <div className="mx-auto grid max-w-lg gap-3 px-6 py-24 text-center md:py-36">
        <p aria-hidden className="figures font-display text-7xl font-bold text-primary-text">
          {isError ? '500' : '404'}
        </p>
        <h1 className="text-3xl font-bold">{isError ? words.errorTitle : words.notFoundTitle}</h1>
        <p className="text-muted">{isError ? words.errorText : words.notFoundText}</p>
        <p className="mt-4 flex flex-wrap justify-center gap-3">
          <a href={isError ? '' : paths.home} className={buttonLook({ variant: 'primary', size: 'large' })}>
            {isError ? words.again : words.toHome}
          </a>
          <a href={isError ? paths.home : paths.panel} className={buttonLook({ size: 'large' })}>
            {isError ? words.toHome : words.toPanel}
          </a>
        </p>
      </div>
    </Frame>
  )
}
