import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Check, LoaderCircle } from 'lucide-react'
import { goals } from '@clear-to-post/contract/goals'
import { dailyTargets, defaultWeeklyTarget } from '@clear-to-post/domain/goals'
import { keyOf, queryClient, useCall } from '../../api.ts'
import { locale } from '../../language.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { bodyRow, cell } from '../../ui/table-look.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import { AvailabilityDialog } from '../availability/availability-dialog.tsx'
import { messages as hours } from '../availability/messages.ts'
import { messages } from './messages.ts'
import type { EditorWeek } from './use-weeks.ts'

/** One editor's week. A changed target is kept a moment after the last step. */
export const GoalRow = ({ editor, week, goal, isPending, isError, refetch }: EditorWeek & { week: string }) => {
  const [isOpen, setIsOpen] = useState(false)
  const [wanted, setWanted] = useState<number | null>(null)
  const save = useCall(goals.set, {
    onSuccess: (kept) => {
      queryClient.setQueryData(keyOf(goals.list, { query: { editorId: editor.id, isoWeek: week } }), {
        items: [kept],
        nextCursor: null,
      })
    },
    onError: toastFailure,
    onSettled: () => setWanted(null),
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const unsent = useRef<number | null>(null)
  const send = () => {
    clearTimeout(timer.current)
    const target = unsent.current
    unsent.current = null
    if (target !== null) save.mutate({ body: { editorId: editor.id, isoWeek: week, target } })
  }
  // Who leaves in the same moment has set it all the same.
  const sendLast = useEffectEvent(send)
  useEffect(() => () => sendLast(), [])
  const set = (target: number) => {
    if (!Number.isFinite(target)) return
    setWanted(target)
    unsent.current = target
    clearTimeout(timer.current)
    timer.current = setTimeout(send, 600)
  }

  const target = wanted ?? goal?.target ?? defaultWeeklyTarget
  const progress = goal?.progress ?? 0
  const isReached = target > 0 && progress >= target
  return (
    <tr
      className={cx(
        bodyRow,
        'max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:gap-y-2 max-md:p-4',
      )}
    >
      <th scope="row" className={cx(rowCell, 'font-medium max-md:col-span-2')}>
        <span className="flex items-center gap-3">
          <Avatar name={editor.name} photoUrl={editor.photoUrl} />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{editor.name}</span>
          <Button size="small" variant="quiet" aria-label={hours.buttonOf(editor.name)} onPress={() => setIsOpen(true)}>
            {hours.button}
          </Button>
          {isOpen && <AvailabilityDialog editor={editor} onClose={() => setIsOpen(false)} />}
        </span>
      </th>
      <td className={cx(rowCell, 'max-md:self-center')}>
        {isPending ? (
          <Skeleton className="h-5 w-full" />
        ) : isError ? (
          <span className="flex items-center gap-2 text-danger">
            {messages.rowFailed}
            <Button size="small" onPress={() => void refetch()}>
              {messages.retry}
            </Button>
          </span>
        ) : (
          <span className="grid gap-1">
            <span className="figures flex flex-wrap items-center gap-x-1.5">
              {messages.progressOf(progress, target)}
              {isReached && (
                <span className="inline-flex items-center gap-1 text-[0.8125rem] text-good">
                  <Check aria-hidden className="size-3.5" strokeWidth={3} />
                  {messages.reached}
                </span>
              )}
              {goal === undefined && wanted === null && (
                <span className="text-[0.8125rem] text-muted" title={messages.isDefault}>
                  {messages.usual}
                </span>
              )}
            </span>
            <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-sunken">
              <span
                className={cx('block h-full rounded-full', isReached ? 'bg-good' : 'bg-primary')}
                style={{ width: `${target > 0 ? Math.min(1, progress / target) * 100 : 0}%` }}
              />
            </span>
          </span>
        )}
      </td>
      <td className={cx(rowCell, 'max-md:col-span-2')}>
        {!isError && <Days week={week} goal={goal} target={target} />}
      </td>
      <td className={cx(rowCell, 'max-md:col-start-2 max-md:row-start-2')}>
        <span className="flex items-center gap-2">
          <NumberField
            label={messages.targetOf(editor.name)}
            hideLabel
            value={target}
            onChange={set}
            minValue={0}
            maxValue={500}
            isDisabled={isPending || isError}
          />
          <span role="status" className="w-4 text-good">
            {wanted !== null ? (
              <LoaderCircle aria-label={messages.saving} className="size-4 animate-spin text-muted" />
            ) : (
              save.isSuccess && <Check aria-label={messages.saved(editor.name, target)} className="size-4" />
            )}
          </span>
        </span>
      </td>
    </tr>
  )
}

// Seven small columns; what was wanted as a dashed line.
const Days = ({ week, goal, target }: { week: string; goal: EditorWeek['goal']; target: number }) => {
  const days = dailyTargets(week, target).map(({ date, target: wanted }) => ({
    date,
    wanted,
    done: goal?.dailyMilestones.find((one) => one.date === date)?.progress ?? 0,
  }))
  const most = Math.max(1, ...days.map(({ wanted, done }) => Math.max(wanted, done)))
  return (
    <ol className="flex gap-1.5 max-md:justify-between">
      {days.map(({ date, wanted, done }) => {
        const at = new Date(`${date}T12:00:00Z`)
        return (
          <li
            key={date}
            className="grid w-7 justify-items-center gap-0.5"
            title={messages.dayOf(dayOf.format(at), done, wanted)}
          >
            <span aria-hidden className="relative flex h-8 w-full items-end border-b border-line">
              {wanted > 0 && (
                <span
                  className="absolute inset-x-0.5 border-t border-dashed border-edge"
                  style={{ bottom: `${(wanted / most) * 100}%` }}
                />
              )}
              <span
                className={cx('mx-auto w-2.5', done >= wanted && done > 0 ? 'bg-good' : 'bg-primary')}
                style={{ height: `${(done / most) * 100}%` }}
              />
            </span>
            <span aria-hidden className="font-mono text-[0.6875rem] text-muted">
              {letterOf.format(at)}
            </span>
            <span className="sr-only">{messages.dayOf(dayOf.format(at), done, wanted)}</span>
          </li>
        )
      })}
    </ol>
  )
}

const rowCell = cx(cell, 'max-md:block max-md:p-0! md:py-2.5')
const letterOf = new Intl.DateTimeFormat(locale, { weekday: 'narrow', timeZone: 'UTC' })
const dayOf = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
