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
  UsersRound,
  X,
} from 'lucide-react'
import type { Project } from '@clear-to-post/contract/projects'
import type { NewPost } from '@clear-to-post/contract/publishing'
import { isOfCut, Status, verbs, type Verb } from '@clear-to-post/domain/workflow'
import { paths } from '../../paths.ts'
import { useUser } from '../../session.ts'
import type { ButtonLook } from '../../ui/button-look.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { Act } from './act.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { messages } from './messages.ts'
import { approvedOf } from '../publishing/approved-file.ts'
import { DayAlready } from '../publishing/day-already.tsx'
import { ProjectEndsBefore } from '../publishing/ends-before.tsx'
import { PostsChoice } from '../publishing/posts-choice.tsx'
import { useOfferedTimes } from '../publishing/use-offered-times.ts'
import { TimeDialog } from './time-dialog.tsx'
import { verbName } from './verb-name.ts'

/** Forms that are filled in beside the video, so that it can be watched meanwhile. */
export type OpenForm = 'deny' | 'review' | null

type ActionsProps = {
  project: Project
  act: Act
  onForm: (form: OpenForm) => void
  /** Brings a video onto the screen, by its key. */
  onShow: (key: string) => void
  /** What is on the screen, while it is not the cut that counts. */
  onScreen: string | null
  /** Download and share; before these where they are what is waited for. */
  deliver?: ReactNode
  delivers: boolean
}

/** What the viewer may do now: one button for each verb in `project.actions`, the rare ones behind “More”. */
export const Actions = ({ project, act, onForm, onShow, onScreen, deliver, delivers }: ActionsProps) => {
  const [asking, setAsking] = useState<Asked | null>(null)
  const [posts, setPosts] = useState<readonly NewPost[]>([])
  const [isTried, setTried] = useState(false)
  const navigate = useNavigate()
  const user = useUser()
  const { currentCut: cut } = project
  const may = (verb: Verb) => project.actions.includes(verb)
  const mayPost = user.actions.includes('post.write')
  const offered = useOfferedTimes({
    may: may('schedule') || may('reschedule'),
    isOpen: asking === 'schedule' || asking === 'reschedule',
  })
  const close = { isOpen: true, onOpenChange: (open: boolean) => !open && setAsking(null) }

  const run: Partial<Record<Verb, () => void>> = {
    start: act.start,
    approve: () => act.approve(cut),
    deny: () => onForm('deny'),
    review: () => onForm('review'),
    schedule: () => setAsking('schedule'),
    reschedule: () => setAsking('reschedule'),
    unschedule: act.unschedule,
    assign: () => setAsking('assign'),
    rollback: () => setAsking('rollback'),
    cancel: () => setAsking('cancel'),
    reorder: () => void navigate({ to: paths.board, search: { status: Status.submitted, view: 'list' } }),
  }
  const choose = (verb: Verb | Rare) => {
    // Who decides about a cut while another one is on the screen may not know that it came.
    if (onScreen !== null && cut !== undefined && ofCut.has(verb)) setAsking({ despite: verb })
    else go(verb)
  }
  const go = (verb: Verb | Rare) => (verb === 'approveAt' ? setAsking('approveAt') : run[verb]?.())
  const nameOf = (verb: Verb | Rare): string => {
    if (verb !== 'approveAt') return verbName(verb, project)
    return cut === undefined ? messages.approveAt : messages.approveAtTitle(cut)
  }
  const shown = prominent.filter(({ verb }) => may(verb))
  const rare: Rare[] = [...(may('approve') ? (['approveAt'] as const) : []), ...hidden.filter(may)]
  const last = project.timeline.reduce((a, b) => (b.timestamp >= a.timestamp ? b : a), project.timeline[0]!)
  const { withheld = [] } = project
  if (shown.length + rare.length + withheld.length === 0 && !deliver) return null
  // A menu for one or two would only hide them.
  const inMenu = shown.length > 0 || rare.length > 2 ? rare : []

  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 md:px-5">
      {delivers && deliver}
      {withheld.map(({ verb, reason }) => (
        <p key={verb} className="flex basis-full items-center gap-2 text-muted">
          <UsersRound aria-hidden className="size-4.5 shrink-0" />
          {reason}
        </p>
      ))}
      {shown.map(({ verb, icon: Icon, variant }) => (
        <Button
          key={verb}
          variant={variant ?? 'secondary'}
          icon={<Icon aria-hidden />}
          isPending={act.pending === verb}
          isDisabled={act.pending !== null && act.pending !== verb}
          onPress={() => choose(verb)}
        >
          {nameOf(verb)}
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
          title={asking === 'schedule' ? messages.scheduleTitle : nameOf('approveAt')}
          hint={asking === 'schedule' ? messages.scheduleHint : messages.approveAtHint}
          confirm={nameOf(asking === 'schedule' ? 'schedule' : 'approve')}
          isPending={act.pending === 'schedule' || act.pending === 'approve'}
          {...(asking === 'schedule' ? offered : {})}
          about={asking === 'schedule' && mayPost ? (at) => <DayAlready at={at} /> : undefined}
          onChoose={(at) => {
            const then = { onSuccess: () => setAsking(null) }
            if (asking === 'schedule' && findFault()) setTried(true)
            else if (asking === 'schedule') act.schedule(cut, at, posts, then)
            else act.approve(cut, at, then)
          }}
        >
          {(at) =>
            asking === 'schedule' &&
            mayPost && (
              <PostsChoice
                at={at}
                projectId={project.id}
                title={project.title}
                {...approvedOf(project)}
                chosen={posts}
                isTried={isTried}
                onChange={setPosts}
                onRevise={
                  may('review')
                    ? () => {
                        setAsking(null)
                        onForm('review')
                      }
                    : undefined
                }
              />
            )
          }
        </TimeDialog>
      )}
      {asking === 'reschedule' && (
        <TimeDialog
          {...close}
          isMove
          title={messages.moveTitle}
          hint={messages.moveHint}
          confirm={messages.move}
          isPending={act.pending === 'reschedule'}
          {...offered}
          begin={project.publishAt === undefined ? undefined : new Date(project.publishAt)}
          about={(at) => (
            <>
              {mayPost && <ProjectEndsBefore projectId={project.id} at={at} />}
              <DayAlready at={at} except={project.id} />
            </>
          )}
          onChoose={(at) => act.reschedule(at, { onSuccess: () => setAsking(null) })}
        />
      )}
      {typeof asking === 'object' && asking !== null && cut !== undefined && onScreen !== null && (
        <Confirm
          {...close}
          isDanger={false}
          title={`${nameOf(asking.despite)}?`}
          text={messages.otherCutText(cut, onScreen)}
          confirm={nameOf(asking.despite)}
          keep={messages.showCut(cut)}
          onKeep={() => onShow(`v${cut}`)}
          onConfirm={() => {
            setAsking(null)
            go(asking.despite)
          }}
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

/** Whether something of the posts is still to be answered; the keyboard is then led to the first such field. */
const findFault = (): boolean => {
  if (!document.querySelector('[data-post-faults]')) return false
  // Once the field says what is wrong.
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-fault] :is(textarea, input, button)')?.focus(),
    ),
  )
  return true
}

type Asked = 'schedule' | 'reschedule' | 'approveAt' | 'assign' | 'cancel' | 'rollback' | { despite: Verb | Rare }

// What is said of one cut.
const ofCut: ReadonlySet<Verb | Rare> = new Set([...verbs.filter(isOfCut), 'approveAt'] as const)

// In the order they stand. Sending to approval has its own place, beside the upload.
const prominent: readonly { verb: Verb; icon: typeof Check; variant?: ButtonLook['variant'] }[] = [
  { verb: 'start', icon: Scissors, variant: 'primary' },
  { verb: 'approve', icon: Check, variant: 'primary' },
  { verb: 'deny', icon: X },
  { verb: 'schedule', icon: CalendarClock },
  { verb: 'reschedule', icon: CalendarClock },
  { verb: 'unschedule', icon: CalendarX },
  { verb: 'review', icon: MessageSquareReply },
]
const hidden = ['assign', 'reorder', 'rollback', 'cancel'] as const satisfies readonly Verb[]
type Rare = 'approveAt' | (typeof hidden)[number]

const icons = {
  approveAt: CalendarClock,
  assign: UserRoundPen,
  reorder: ListOrdered,
  rollback: Undo2,
  cancel: CircleX,
}
