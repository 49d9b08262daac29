import { useSyncExternalStore } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { Group } from './fields.tsx'
import type { HeldSteady } from './use-held-steady.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.steady

/** A picture that was filmed by hand is held steady. */
export const SteadyGroup = ({ steady, mayWrite }: { steady: HeldSteady; mayWrite: boolean }) => {
  const { chosen, state } = steady
  useSyncExternalStore(steady.onSeen, steady.seenNow)
  const now = steady.now()
  return (
    <Group title={words.title}>
      <Switch isSelected={now} isDisabled={!mayWrite} onChange={steady.set} hint={words.hint}>
        {chosen.length > 0 ? words.hold(chosen.length) : words.holdAll}
      </Switch>
      <p role="status" className="text-[0.8125rem] text-muted empty:hidden">
        {now && state !== 'measured' && words.state[state]}
      </p>
    </Group>
  )
}
