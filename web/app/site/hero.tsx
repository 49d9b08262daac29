import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { Take } from './take.tsx'
import { words } from './words/home.ts'

export const Hero = () => (
  <section
    id="home"
    className={cx(
      column,
      'grid scroll-mt-20 items-start gap-x-12 gap-y-8 pt-7 pb-14 md:pt-12 md:pb-20 lg:grid-cols-[1fr_minmax(0,30rem)] xl:gap-x-20',
    )}
  >
    {/* Not centred beside the take: the take comes later in the page, and the headline would jump when it does. */}
    <div className="lg:pt-14 xl:pt-18">
      <h1 className="text-[clamp(2.125rem,9.2vw,2.75rem)] leading-[1.04] font-bold tracking-tight sm:text-6xl xl:text-[4.5rem]">
        {words.title.map((line) => (
          <span key={line} className="block max-lg:sm:inline max-sm:inline">
            {line}{' '}
          </span>
        ))}
      </h1>
      <p className="mt-4 max-w-xl text-[1.0625rem] text-muted sm:mt-6 sm:text-lg">{words.lead}</p>
      <div className="mt-5 flex flex-wrap items-center gap-3 sm:mt-8">
        <a href={paths.newVideo} className={buttonLook({ variant: 'primary', size: 'large' })}>
          {words.start}
        </a>
        <a href="#how-it-works" className={cx(buttonLook({ size: 'large' }), 'max-[25rem]:hidden')}>
          {words.see}
        </a>
      </div>
      <p className="mt-3 text-sm text-muted">{words.free}</p>
    </div>
    <Take />
  </section>
)
