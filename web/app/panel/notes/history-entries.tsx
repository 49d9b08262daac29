import type { Note } from '@clear-to-post/contract/notes'
import { whenWords } from '../../times.ts'
import { messages } from './messages.ts'

/** What became of a note, newest first. */
export const HistoryEntries = ({ history }: { history: NonNullable<Note['history']> }) => (
  <ol className="mt-1 grid gap-1 border-l border-line pl-3 text-[0.8125rem]">
    {history.toReversed().map(({ type, actorEmail, timestamp, details }) => (
      <li key={`${timestamp} ${type} ${details}`} className="flex flex-wrap gap-x-1.5">
        <span className="font-medium">{messages.did[type]}</span>
        {details && <span className="[overflow-wrap:anywhere]">{details}</span>}
        <span className="text-muted [overflow-wrap:anywhere]">
          {actorEmail === '' ? '' : `${actorEmail}, `}
          <time dateTime={timestamp}>{whenWords(timestamp)}</time>
        </span>
      </li>
    ))}
  </ol>
)
