import type { ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { words } from './words/faq.ts'

export const Faq = ({ children }: { children: ReactNode }) => (
  <section id="faq" className={cx(column, 'scroll-mt-16 py-16 md:py-24')}>
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[2fr_3fr]">
      <h2 className="text-3xl font-bold tracking-tight md:text-[2.75rem]">{words.title}</h2>
      <div className="border-t border-line">
        {words.list.map(({ question, answer }) => (
          <details key={question} name="faq" className="group border-b border-line">
            <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 py-3 text-[1.0625rem] font-medium [&::-webkit-details-marker]:hidden">
              {question}
              <span aria-hidden className="text-2xl leading-none text-muted transition-transform group-open:rotate-45">
                +
              </span>
            </summary>
            <p className="pr-10 pb-5 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </div>
    {children}
  </section>
)
