import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { Frame } from './frame.tsx'
import { dayInWords } from './day-in-words.ts'

export type DocumentWords = {
  title: string
  intro: string
  /** Each with its heading; a list of several is shown as points below the first sentence. */
  sections: readonly { heading: string; says: string; points?: readonly string[] }[]
}

/** A page to read, such as the terms: a title, since when it holds, and sections that can be led to. */
export const DocumentPage = ({ words, since }: { words: DocumentWords; since?: { label: string; day: string } }) => (
  <Frame>
    <article className={cx(column, 'py-14 md:py-20')}>
      <header className="max-w-[44rem]">
        <h1 className="text-4xl font-bold tracking-tight md:text-5xl">{words.title}</h1>
        {since && (
          <p className="mt-3 text-sm text-muted">
            {since.label} <time dateTime={since.day}>{dayInWords(since.day)}</time>
          </p>
        )}
        <p className="mt-5 text-lg text-muted">{words.intro}</p>
      </header>
      <div className="mt-10 grid max-w-[44rem] gap-9">
        {words.sections.map(({ heading, says, points }) => (
          <section key={heading}>
            <h2 className="text-xl font-bold">{heading}</h2>
            <p className="mt-2">{says}</p>
            {points && (
              <ul className="mt-3 grid list-disc gap-1.5 pl-5 marker:text-muted">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </div>
    </article>
  </Frame>
)
