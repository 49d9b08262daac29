import { useState, type ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import {
  CalendarClock,
  CalendarX,
  Check,
  CircleX,
  Ellipsis,
  ListOrdered,
  MessageSquareReply,
  Scissors,
  Undo2,
  UserRoundPen,
  X,
} from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import { workflow, type Verb } from '@clear-to-post/domain/workflow'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import type { ButtonLook } from '../../ui/button-look.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { Act } from './act.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { messages } from './messages.ts'
import { TimeDialog } from './time-dialog.tsx'

/** Forms that are filled in beside the video, so that it can be watched meanwhile. */
export type OpenForm = 'deny' | 'review' | null

type ActionsProps = {
  project: Project
  act: Act
  onForm: (form: OpenForm) => void
  /** Download and share; before these where they are what is waited for. */
  deliver?: ReactNode
  delivers: boolean
}

/** What the viewer may do now: one button for each verb in `project.actions`, the rare ones behind “More”. */
export const Actions = ({ project, act, onForm, deliver, delivers }: ActionsProps) => {
  const [asking, setAsking] = useState<Asked | null>(null)
  const navigate = useNavigate()
  const user = useUser()
  const may = (verb: Verb) => project.actions.includes(verb)
  const close = { isOpen: true, onOpenChange: (open: boolean) => !open && setAsking(null) }

  const run: Partial<Record<Verb, () => void>> = {
    start: act.start,
    approve: () => act.approve(),
    deny: () => onForm('deny'),
    review: () => onForm('review'),
    schedule: () => setAsking('schedule'),
    unschedule: act.unschedule,
    assign: () => setAsking('assign'),
    rollback: () => setAsking('rollback'),
    cancel: () => setAsking('cancel'),
    reorder: () => void navigate({ to: paths.board, search: { status: 0, view: 'list' } }),
  }
  const choose = (verb: Rare) => (verb === 'approveAt' ? setAsking('approveAt') : run[verb]?.())
  const shown = prominent.filter(({ verb }) => may(verb))
  const rare: Rare[] = [...(may('approve') ? (['approveAt'] as const) : []), ...hidden.filter(may)]
  const last = project.timeline.reduce((a, b) => (b.timestamp >= a.timestamp ? b : a), project.timeline[0]!)
  if (shown.length + rare.length === 0 && !deliver) return null
  // A menu for one or two would only hide them.
  const inMenu = shown.length > 0 || rare.length > 2 ? rare : []

  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 md:px-5">
      {delivers && deliver}
      {shown.map(({ verb, icon: Icon, variant }) => (
        <Button
          key={verb}
          variant={variant ?? 'secondary'}
          icon={<Icon aria-hidden />}
          isPending={act.pending === verb}
          isDisabled={act.pending !== null && act.pending !== verb}
          onPress={() => run[verb]?.()}
        >
          {workflow[verb].label}
        </Button>
      ))}
      {!delivers && deliver}
      {inMenu.length === 0 &&
        rare.map((verb) => {
          const Icon = icons[verb]
          return (
            <Button key={verb} icon={<Icon aria-hidden />} onPress={() => choose(verb)}>
              {nameOf(verb)}
            </Button>
          )
        })}
      {inMenu.length > 0 && (
        <Menu
          label={messages.more}
          trigger={
            <IconButton label={messages.more} variant="secondary" className="ml-auto">
              <Ellipsis aria-hidden />
            </IconButton>
          }
        >
          {inMenu.map((verb) => {
            const Icon = icons[verb]
            return (
              <MenuItem
                key={verb}
                icon={<Icon aria-hidden />}
                isDanger={verb === 'cancel'}
                onAction={() => choose(verb)}
              >
                {nameOf(verb)}
              </MenuItem>
            )
          })}
        </Menu>
      )}
      {(asking === 'schedule' || asking === 'approveAt') && (
        <TimeDialog
          {...close}
          title={asking === 'schedule' ? messages.scheduleTitle : messages.approveAtTitle}
          hint={asking === 'schedule' ? messages.scheduleHint : messages.approveAtHint}
          confirm={asking === 'schedule' ? workflow.schedule.label : workflow.approve.label}
          isPending={act.pending === 'schedule' || act.pending === 'approve'}
          onChoose={(at) =>
            act[asking === 'schedule' ? 'schedule' : 'approve'](at, { onSuccess: () => setAsking(null) })
          }
        />
      )}
      {asking === 'assign' && <AssignDialog {...close} project={project} act={act} />}
      {asking === 'cancel' && (
        <Confirm
          {...close}
          title={messages.cancelTitle}
          text={project.userId === user.id ? messages.cancelOwnText : messages.cancelText}
          confirm={messages.cancelDo}
          keep={messages.cancelKeep}
          isPending={act.pending === 'cancel'}
          onConfirm={() => act.cancel({ onSuccess: () => setAsking(null) })}
        />
      )}
      {asking === 'rollback' && (
        <Confirm
          {...close}
          isDanger={false}
          title={messages.rollbackTitle}
          text={messages.rollbackText(last.title)}
          confirm={messages.rollbackDo}
          keep={messages.stop}
          onConfirm={() => {
            act.rollback()
            setAsking(null)
          }}
        />
      )}
    </div>
  )
}

type Asked = 'schedule' | 'approveAt' | 'assign' | 'cancel' | 'rollback'

// In the order they stand. Sending to approval has its own place, beside the upload.
const prominent: readonly { verb: Verb; icon: typeof Check; variant?: ButtonLook['variant'] }[] = [
  { verb: 'start', icon: Scissors, variant: 'primary' },
  { verb: 'approve', icon: Check, variant: 'primary' },
  { verb: 'deny', icon: X },
  { verb: 'schedule', icon: CalendarClock },
  { verb: 'unschedule', icon: CalendarX },
  { verb: 'review', icon: MessageSquareReply },
]
const hidden = ['assign', 'reorder', 'rollback', 'cancel'] as const satisfies readonly Verb[]
type Rare = 'approveAt' | (typeof hidden)[number]

const nameOf = (verb: Rare): string => (verb === 'approveAt' ? messages.approveAt : workflow[verb].label)

const icons = {
  approveAt: CalendarClock,
  assign: UserRoundPen,
  reorder: ListOrdered,
  rollback: Undo2,
  cancel: CircleX,
}
