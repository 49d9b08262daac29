import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'
import type { Workbench } from './use-bench.ts'

/** Whether the service has the work, in words; as wide as its longest words, so that nothing moves. */
export const SaveState = ({ bench: { saving }, keeping }: Pick<Workbench, 'bench' | 'keeping'>) => {
  const { state } = saving
  const Icon =
    state === 'saved'
      ? Check
      : state === 'away'
        ? CloudOff
        : state === 'conflict' || state === 'refused'
          ? TriangleAlert
          : LoaderCircle
  return (
    <p
      role="status"
      className={cx(
        'flex min-w-22 items-center gap-1.5 truncate text-[0.8125rem] whitespace-nowrap max-lg:text-xs',
        state === 'away' ? 'text-warn' : state === 'conflict' || state === 'refused' ? 'text-danger' : 'text-muted',
      )}
    >
      <Icon
        aria-hidden
        className={cx(
          'size-4 shrink-0 max-lg:size-3.5',
          (state === 'saving' || state === 'changed') && 'motion-safe:animate-spin',
        )}
      />
      {state === 'away' ? messages.away[keeping] : messages.saving[state]}
    </p>
  )
}

/** What stands in the way of saving, and the ways on. */
export const SaveTrouble = ({ bench, theirsAreHere }: { bench: Workbench; theirsAreHere: boolean }) => {
  const { saving } = bench.bench
  if (saving.state !== 'conflict' && saving.state !== 'refused') return null
  const isConflict = saving.state === 'conflict'
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warn-tint px-4 py-2.5 text-warn md:px-6"
    >
      <p className="min-w-60 flex-1">
        <strong className="font-semibold">{isConflict ? messages.conflictTitle : messages.refusedTitle}</strong>{' '}
        {isConflict ? messages.conflictText : saving.words}
      </p>
      <div className="flex flex-wrap gap-2">
        {isConflict ? (
          <>
            <Button size="small" onPress={bench.keepMine} isDisabled={!theirsAreHere}>
              {messages.keepMine}
            </Button>
            <Button size="small" variant="primary" onPress={bench.takeRemote} isDisabled={!theirsAreHere}>
              {messages.loadTheirs}
            </Button>
          </>
        ) : (
          <Button size="small" onPress={bench.tryAgain}>
            {messages.tryAgain}
          </Button>
        )}
      </div>
    </div>
  )
}
