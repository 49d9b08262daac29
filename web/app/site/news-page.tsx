import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { dayInWords } from './day-in-words.ts'
import { Frame } from './frame.tsx'
import { words } from './words/whats-new.ts'

/** What people notice of what changed, newest first. */
export const NewsPage = () => (
  <Frame>
    <div className={cx(column, 'py-14 md:py-20')}>
      <h1 className="text-4xl font-bold tracking-tight md:text-5xl">{words.title}</h1>
      <p className="mt-5 text-lg text-muted">{words.intro}</p>
      <ol className="mt-10 grid max-w-[44rem] gap-8">
        {words.news.map(({ day, heading, says }) => (
          <li key={heading} className="grid gap-x-8 gap-y-1 border-t border-line pt-5 sm:grid-cols-[10rem_1fr]">
            <time dateTime={day} className="text-sm text-muted">
              {dayInWords(day)}
            </time>
            <div>
              <h2 className="text-xl font-bold">{heading}</h2>
              <p className="mt-2">{says}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  </Frame>
)
