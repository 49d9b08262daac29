import { messages } from './count-messages.ts'
import { useGivenUp } from './use-given-up.ts'

/** Beside the room in the navigation: something is not done, and nobody else will do it. */
export const GivenUpCount = () => {
  const count = useGivenUp({ enabled: true, everyMs: 60_000 })
  if (count === 0) return null
  return (
    <span className="figures ml-auto rounded-full bg-warn-tint px-2 text-xs leading-5 font-medium text-warn">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{messages.givenUp(count)}</span>
    </span>
  )
}
