import { useState } from 'react'
import { Refusal, type RefusalCode } from '@clear-to-post/contract/errors'
import { partsApart } from './changes-of.ts'
import { messages } from './messages.ts'

/**
 * What a thing says now (`current`) instead of what a form began with (`from`), once a save was refused with `code` because
 * somebody else had changed it, and it was read again: then it is in sight, and may be replaced. What is begun anew later has
 * another `from`, and is refused for itself.
 */
export const useMeanwhile = <Thing,>(
  { from, current }: { from: Thing; current: Thing },
  code: RefusalCode,
  readAgain: () => Promise<unknown>,
) => {
  const [refused, setRefused] = useState<{ from: Thing }>()
  return {
    now: refused?.from === from ? current : from,
    onError: (error: Error) => {
      if (!(error instanceof Refusal) || error.code !== code) return
      // What could not be read is refused once more, and read then.
      void readAgain().then(
        () => setRefused({ from }),
        () => undefined,
      )
    },
  }
}

/** What the parts say that somebody else has changed since a form began. `titles` stand above them; `say`: how one is read. */
export const ChangedMeanwhile = <Form extends object>({
  from,
  now,
  titles,
  say,
}: {
  from: Form
  now: Form
  titles: Readonly<Record<keyof Form, string>>
  say?: { [Part in keyof Form]?: (value: Form[Part]) => string }
}) =>
  partsApart(now, from).map((part) => (
    <section key={String(part)} className="rounded-control border border-edge/60 px-4 py-3">
      <h3 className="font-medium">{titles[part]}</h3>
      <p className="max-h-40 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-wrap text-muted">
        {(say?.[part]?.(now[part]) ?? [now[part]].flat().join(', ')) || messages.none}
      </p>
    </section>
  ))
