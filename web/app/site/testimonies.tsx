import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { Reveal } from './reveal.tsx'
import { words } from './words/testimonies.ts'

export const Testimonies = () => (
  <section id="testimonies" className="scroll-mt-16 py-16 md:py-24">
    <div className={column}>
      <h2 className="text-3xl font-bold tracking-tight md:text-[2.75rem]">{words.title}</h2>
      <p className="mt-4 max-w-2xl text-muted">{words.honest}</p>
      <ul className="mt-10 grid gap-4 md:mt-12 md:grid-cols-3">
        {words.list.map(({ said, who, where }, i) => (
          <li key={said} className="grid">
            <Reveal type="slideFade" direction={directions[i % 3]!} className="grid">
              <figure className="flex flex-col rounded-card border border-line bg-surface p-6">
                <span className="mb-4 w-fit rounded-full bg-warn-tint px-2.5 py-0.5 text-xs font-medium text-warn">
                  {words.sample}
                </span>
                <blockquote className="font-display text-xl leading-snug font-semibold text-pretty">{said}</blockquote>
                <figcaption className={cx('mt-auto pt-5 text-sm text-muted')}>
                  <span className="block font-medium text-ink">{who}</span>
                  {where}
                </figcaption>
              </figure>
            </Reveal>
          </li>
        ))}
      </ul>
    </div>
  </section>
)

// From the side they stand on towards the middle.
const directions = ['right', 'up', 'left'] as const
