import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { Reveal } from './reveal.tsx'
import { words } from './words/how.ts'

export const How = () => (
  <section id="how-it-works" className="scroll-mt-16 border-t border-line bg-surface py-16 md:py-24">
    <div className={column}>
      <h2 className="max-w-md text-3xl font-bold tracking-tight md:text-[2.75rem] md:leading-[1.1]">{words.title}</h2>
      <p className="mt-4 max-w-xl text-muted">{words.lead}</p>
      <ol className="mt-10 grid gap-y-9 sm:grid-cols-2 md:mt-14 lg:grid-cols-4">
        {words.steps.map(({ title, text }, i) => (
          <li key={title}>
            <Reveal direction="up">
              <div className="relative sm:pr-8">
                <span aria-hidden className="ruler block h-3" />
                <span aria-hidden className="absolute top-0 left-0 h-6 w-0.5 bg-coral" />
                <span aria-hidden className="figures mt-5 block font-display text-2xl font-bold text-coral-text">
                  {i + 1}
                </span>
                <h3 className="mt-2 text-xl">{title}</h3>
                <p className="mt-1.5 text-muted">{text}</p>
              </div>
            </Reveal>
          </li>
        ))}
      </ol>
      <a href={paths.newVideo} className={cx(buttonLook({ variant: 'primary', size: 'large' }), 'mt-10')}>
        {words.start}
      </a>
    </div>
  </section>
)
