import { useSyncExternalStore } from 'react'
import { mostTurn } from '@clear-to-post/edit/framing'
import { Button } from '../../ui/button.tsx'
import { Group, Range } from './fields.tsx'
import type { Turn } from './use-turn.ts'
import { pictureWords } from './words/picture.ts'

const words = pictureWords.straight

/** A picture that hangs to one side is turned, by tenths of a degree. */
export const StraightenGroup = ({ turn, mayWrite }: { turn: Turn; mayWrite: boolean }) => {
  const { chosen } = turn
  useSyncExternalStore(turn.onSeen, turn.seenNow)
  const now = turn.now()
  return (
    <Group title={words.title}>
      <Range
        label={chosen.length > 0 ? words.turn(chosen.length) : words.turnAll}
        value={now ?? 0}
        min={-mostTurn}
        max={mostTurn}
        step={0.1}
        isDisabled={!mayWrite}
        say={(value) => (now === null ? words.mixed : words.degrees(value))}
        onChange={turn.set}
        action={
          mayWrite &&
          now !== 0 && (
            <Button size="small" variant="quiet" onPress={() => turn.set(0)}>
              {words.reset}
            </Button>
          )
        }
      />
      <p className="text-[0.8125rem] text-muted">{words.hint}</p>
    </Group>
  )
}
