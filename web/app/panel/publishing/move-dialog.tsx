import { useState } from 'react'
import { networks } from '@clear-to-post/domain/networks'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TimeDialog } from '../project/time-dialog.tsx'
import { movingOf, type CalendarCard } from './calendar-cards.ts'
import { DayAlready } from './day-already.tsx'
import { EndsBefore } from './ends-before.tsx'
import { messages } from './messages.ts'
import type { Move } from './use-move.ts'
import { useOfferedTimes } from './use-offered-times.ts'

/** Another time for what a card shows: all of it, or some of its posts alone. */
export const MoveDialog = ({ card, move, onClose }: { card: CalendarCard; move: Move; onClose: () => void }) => {
  const waiting = card.posts.filter(({ actions }) => actions.includes('move'))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(waiting.map(({ id }) => id)))
  const offered = useOfferedTimes({ may: true, isOpen: true })
  const whole = movingOf(card)
  const choose = async (to: string) => {
    if (!whole) return
    const moving = chosen.size === waiting.length ? whole : { ...whole, posts: [...chosen] }
    if (await move.move(moving, to)) onClose()
  }
  return (
    <TimeDialog
      title={messages.moveTitle(card.title)}
      hint={messages.moveHint}
      confirm={messages.moveDo}
      isMove
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isPending={move.isPending}
      isReady={waiting.length === 0 || chosen.size > 0}
      begin={new Date(card.at)}
      {...offered}
      about={(at) => (
        <>
          <EndsBefore posts={waiting.filter(({ id }) => chosen.has(id))} at={at} />
          <DayAlready at={at} except={card.projectId} />
        </>
      )}
      onChoose={(to) => void choose(to)}
    >
      {waiting.length > 1 && (
        <fieldset className="mt-5 grid gap-2 border-t border-line pt-4">
          <legend className="sr-only">{messages.moveWhich}</legend>
          <h3 aria-hidden className="text-sm">
            {messages.moveWhich}
          </h3>
          {waiting.map(({ id, network, account }) => (
            <Checkbox
              key={id}
              isSelected={chosen.has(id)}
              onChange={(isOn) =>
                setChosen((before) => new Set(isOn ? [...before, id] : [...before].filter((one) => one !== id)))
              }
            >
              {account === undefined ? networks[network].name : messages.on(networks[network].name, account)}
            </Checkbox>
          ))}
          {chosen.size === 0 && (
            <p role="status" className="text-[0.8125rem] text-danger">
              {messages.needOne}
            </p>
          )}
        </fieldset>
      )}
    </TimeDialog>
  )
}
