import { useEffect, useState, type RefObject } from 'react'
import type { TakeRecorder } from '../../recorder/take-recorder.ts'
import { clockWords } from '../../times.ts'
import { messages } from './messages.ts'

/** How long the take is by now. */
export const TakeClock = ({ recorder }: { recorder: RefObject<TakeRecorder | null> }) => {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setMs(recorder.current?.ms() ?? 0), 250)
    return () => clearInterval(timer)
  }, [recorder])
  return (
    <time aria-label={messages.length} className="figures font-mono text-sm">
      {clockWords(Math.floor(ms / 1000))}
    </time>
  )
}
