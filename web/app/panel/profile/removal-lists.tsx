import type { Receipt } from '@clear-to-post/contract/removals'
import { messages } from './messages.ts'

/** What a removal erases and what it keeps, as the service says it. */
export const RemovalLists = ({ erased, stays }: Pick<Receipt, 'erased' | 'stays'>) => (
  <div className="grid gap-4">
    <section>
      <h3 className="font-medium">{messages.erased}</h3>
      <ul className="mt-1.5 grid list-disc gap-1 pl-5 marker:text-muted">
        {erased.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
    <section>
      <h3 className="font-medium">{messages.stays}</h3>
      <dl className="mt-1.5 grid gap-2">
        {stays.map(({ what, why }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd className="text-muted">{why}</dd>
          </div>
        ))}
      </dl>
    </section>
  </div>
)
