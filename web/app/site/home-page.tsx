import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { buttonLook } from '../ui/button-look.ts'
import { cx } from '../ui/cx.ts'
import { messages } from './messages.ts'
import { Phone } from './phone.tsx'
import { SiteFooter, SiteHeader } from './site-frame.tsx'
import { Waveform } from './waveform.tsx'

/** The public page: plain and honest for now; the whole site is an issue of its own. */
export const HomePage = () => (
  <>
    <a
      href="#content"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-2.5 text-surface focus:translate-y-0"
    >
      {messages.skip}
    </a>
    <SiteHeader />
    <main id="content" className="text-base">
      <section id="home" className={cx(column, 'grid items-center gap-12 py-14 md:grid-cols-[7fr_5fr] md:py-20')}>
        <div>
          <h1 className="text-[clamp(2.5rem,7vw,4.25rem)] leading-[1.05] font-bold tracking-tight">
            {messages.title.map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </h1>
          <p className="mt-6 max-w-lg text-lg text-muted">{messages.lead}</p>
          <div className="mt-8 flex flex-wrap gap-3">
            <a href={paths.newVideo} className={buttonLook({ variant: 'primary', size: 'large' })}>
              {messages.start}
            </a>
            <a href="#how-it-works" className={buttonLook({ size: 'large' })}>
              {messages.see}
            </a>
          </div>
          <p className="mt-4 text-sm text-muted">{messages.free}</p>
        </div>
        <Phone />
      </section>

      <section className="bg-[#0f1729] py-10 text-[#e8ecf4]">
        <div className={cx(column, 'grid gap-4')}>
          <Strip label={messages.send} time="2:04">
            <Waveform bars={150} withPauses className="text-[#b9c2d4]" />
          </Strip>
          <Strip label={messages.get} time="0:58" isShort>
            <Waveform bars={70} className="text-white" />
          </Strip>
        </div>
      </section>

      <section id="how-it-works" className={cx(column, 'scroll-mt-16 py-20')}>
        <h2 className="max-w-sm text-4xl font-bold tracking-tight">{messages.howTitle}</h2>
        <ol className="mt-10 grid gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
          {messages.steps.map(([time, title, text]) => (
            <li key={title} className="relative pr-8">
              <span aria-hidden className="ruler block h-3" />
              <span aria-hidden className="absolute top-0 left-0 h-5 w-0.5 bg-coral" />
              <span className="figures mt-3 block text-sm text-muted">{time}</span>
              <h3 className="mt-1 text-lg">{title}</h3>
              <p className="mt-1 text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section id="plans" className="scroll-mt-16 border-y border-line bg-surface py-20">
        <div className={column}>
          <h2 className="text-4xl font-bold tracking-tight">{messages.plansTitle}</h2>
          <p className="mt-3 max-w-lg text-muted">{messages.plansText}</p>
          <ul id="plan-list" hidden className="mt-10 grid gap-4 md:grid-cols-3" />
          <template id="plan-card" dangerouslySetInnerHTML={{ __html: planCard }} />
          <a href={paths.newVideo} className={cx(buttonLook({ variant: 'primary', size: 'large' }), 'mt-8')}>
            {messages.start}
          </a>
        </div>
      </section>

      <section id="faq" className={cx(column, 'grid scroll-mt-16 gap-8 py-20 md:grid-cols-[2fr_3fr]')}>
        <h2 className="text-4xl font-bold tracking-tight">{messages.questionsTitle}</h2>
        <div className="border-t border-line">
          {messages.questions.map(([question, answer]) => (
            <details key={question} name="faq" className="group border-b border-line">
              <summary className="flex cursor-pointer list-none items-center justify-between gap-4 py-4 font-medium [&::-webkit-details-marker]:hidden">
                {question}
                <span aria-hidden className="text-xl leading-none text-muted transition-transform group-open:rotate-45">
                  +
                </span>
              </summary>
              <p className="pr-10 pb-5 text-muted">{answer}</p>
            </details>
          ))}
        </div>
      </section>
    </main>
    <SiteFooter />
  </>
)

const Strip = ({
  label,
  time,
  isShort = false,
  children,
}: {
  label: string
  time: string
  isShort?: boolean
  children: ReactNode
}) => (
  <div className="grid items-center gap-x-4 gap-y-1.5 sm:grid-cols-[8rem_1fr_4rem]">
    <span className="text-sm text-[#9ba6b9]">{label}</span>
    <div className={cx('h-14 rounded-lg px-3', isShort ? 'w-[47%] bg-[#2647e0]' : 'bg-white/8')}>{children}</div>
    <span className="figures hidden text-sm text-[#9ba6b9] sm:block">{time}</span>
  </div>
)

const column = 'mx-auto max-w-6xl px-5 md:px-8'

// React writes no children into a template element; the script of the page fills its parts.
const planCard = `<li class="rounded-card border border-line bg-canvas p-6">
<h3 data-part="name" class="text-lg"></h3>
<p data-part="subtitle" class="text-sm text-muted"></p>
<p class="mt-4"><span data-part="price" class="font-display text-4xl font-bold"></span> <span data-part="period" class="text-muted"></span></p>
<p data-part="yearly" class="min-h-6 text-sm text-muted"></p>
<ul class="mt-4 grid gap-2 border-t border-line pt-4 text-sm"><li data-part="videos"></li><li data-part="turnaround"></li><li data-part="revisions"></li></ul>
</li>`
