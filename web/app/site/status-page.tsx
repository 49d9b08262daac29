import { cx } from '../ui/cx.ts'
import { column } from './column.ts'
import { Frame, slots } from './frame.tsx'
import { words } from './words/status.ts'

/** How the service is; the states are written in when it is served. */
export const StatusPage = () => (
  <Frame>
    <div className={cx(column, 'py-14 md:py-20')}>
      <h1 className="text-4xl font-bold tracking-tight md:text-5xl">{words.title}</h1>
      <p className="mt-5 text-lg text-muted">{words.intro}</p>
      <div className="mt-10 max-w-[44rem]">{slots.status}</div>
    </div>
  </Frame>
)
