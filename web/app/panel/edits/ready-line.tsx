import { useQuery } from '@tanstack/react-query'
import { edits, type RenderAhead } from '@clear-to-post/contract/edits'
import { query } from '../../api.ts'
import { cx } from '../../ui/cx.ts'
import { messages } from './messages.ts'

/**
 * What of the edit is made before its render is asked for: a line along the top of the ruler, and a sentence for who does
 * not see it. It is paler while it tells of what was saved before `revision`.
 */
export const ReadyLine = ({ projectId, revision }: { projectId: string; revision: number }) => {
  const { data } = useQuery({
    ...query(edits.ahead, { params: { projectId } }),
    refetchInterval: ({ state }) => (state.data && mayChange(state.data, revision) ? 3000 : false),
  })
  if (!data || data.length === 0 || data.state === 'off') return null
  const isOfNow = data.revision === revision
  const share = (ms: number) => `${(ms / data.length) * 100}%`
  const made = data.ready.reduce((sum, { from, to }) => sum + to - from, 0) / data.length
  return (
    <>
      <div
        aria-hidden
        className={cx('pointer-events-none absolute inset-x-0 top-[3px] h-[3px]', !isOfNow && 'opacity-40')}
      >
        {data.ready.map(({ from, to }) => (
          <span
            key={from}
            className="absolute inset-y-0 bg-good"
            style={{ left: share(from), width: share(to - from) }}
          />
        ))}
      </div>
      <p className="sr-only">{messages.madeAhead(isOfNow ? made : 0)}</p>
    </>
  )
}

const mayChange = ({ state, revision: about }: RenderAhead, revision: number): boolean =>
  state !== 'off' && (about < revision || state === 'waiting' || state === 'running')
