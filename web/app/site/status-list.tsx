import { words } from './words/status.ts'

export type AreaState = { area: keyof typeof words.areas; works: boolean }

/** Every area with its state in a word; `null` where nobody could find out. */
export const StatusList = ({ states, at }: { states: readonly AreaState[] | null; at: Date }) => {
  if (states === null)
    return <p className="rounded-card border border-line bg-surface p-5 font-semibold">{words.unknown}</p>
  const isWell = states.every(({ works }) => works)
  return (
    <>
      <div className={isWell ? 'rounded-card bg-good-tint p-5 text-good' : 'rounded-card bg-warn-tint p-5 text-warn'}>
        <h2 className="text-xl font-bold">{isWell ? words.all : words.some}</h2>
        {!isWell && <p className="mt-1">{words.now}</p>}
      </div>
      <ul className="mt-5 divide-y divide-line rounded-card border border-line bg-surface">
        {states.map(({ area, works }) => (
          <li key={area} className="flex items-center justify-between gap-x-6 px-5 py-4">
            <div>
              <h3 className="font-semibold">{words.areas[area].name}</h3>
              <p className="text-sm text-muted">{words.areas[area].what}</p>
            </div>
            <p
              className={
                works
                  ? 'shrink-0 text-sm font-semibold text-good'
                  : 'max-w-[50%] text-right text-sm font-semibold text-warn'
              }
            >
              <span aria-hidden>{works ? '✓ ' : '! '}</span>
              {works ? words.works : words.waits}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-muted">
        {words.asOf} <time dateTime={at.toISOString()}>{clock(at)}</time>
      </p>
    </>
  )
}

const clock = (at: Date): string =>
  `${at.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
