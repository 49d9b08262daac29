import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { projects } from '@clear-to-post/contract/projects'
import { query } from '../../api.ts'
import { cuesIn } from '../../ui/player-captions.ts'
import { clock } from '../../ui/player-time.ts'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { languageName } from './captions-choice.tsx'
import { messages } from './messages.ts'

/** A cut whose captions can go with its posts as a file. */
export type Captioned = { projectId: string; assetId: string }

/** The words of such a file, to be read without playing. Asked for when somebody looks. */
export const CaptionWords = ({ language, ...of }: Captioned & { language: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="touch inline-flex cursor-pointer items-center text-[0.8125rem] underline-offset-4 hover:underline">
        {messages.readCaptions(languageName(language))}
      </summary>
      {isOpen && <Words {...of} language={language} />}
    </details>
  )
}

const Words = ({ language, ...params }: Captioned & { language: string }) => {
  const answer = useQuery(query(projects.captions, { params }))
  return (
    <Loaded
      answer={answer}
      failed={messages.captionsFailed}
      isSmall
      loading={<Skeleton className="mt-2 h-24 w-full" />}
    >
      {({ items }) => {
        const cues = cuesIn(items.find((one) => one.language === language)?.srt ?? '')
        return cues.length === 0 ? (
          <p className="mt-2 text-muted">{messages.noWords}</p>
        ) : (
          <ol
            // A keyboard scrolls what has the focus.
            tabIndex={0}
            aria-label={messages.captionWords(languageName(language))}
            className="mt-2 max-h-80 overflow-y-auto rounded-control border border-line bg-sunken px-3 py-2"
          >
            {cues.map(({ start, lines }, i) => (
              <li key={i} className="flex gap-3 py-0.5">
                <span className="figures shrink-0 text-muted">{clock(start / 1000)}</span>
                <span lang={language} className="min-w-0 [overflow-wrap:anywhere]">
                  {lines.join(' ')}
                </span>
              </li>
            ))}
          </ol>
        )
      }}
    </Loaded>
  )
}
