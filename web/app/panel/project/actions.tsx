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
import { refusal } from '@clear-to-post/contract/errors'
import type { Project } from '@clear-to-post/contract/projects'
import type { NewPost } from '@clear-to-post/contract/publishing'
import { isOfCut, Status, verbs, type Verb } from '@clear-to-post/domain/workflow'
import { paths } from '../../paths.ts'
import type { ButtonLook } from '../../ui/button-look.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { toastFailure } from '../../ui/toasts.tsx'
import type { Act } from './act.ts'
import type { Remark } from './conversation.tsx'
import { messages } from './messages.ts'
import { useOfferedTimes } from '../publishing/use-offered-times.ts'
import { Question, type Asked } from './question.tsx'
import { UnsentFirstDialog } from './unsent-first.tsx'
import { afterRemarks } from './unsent-remarks.ts'
import { useDraft } from './use-draft.ts'
import { verbName, type PageVerb } from './verb-name.ts'

/** Forms that are filled in beside the video, so that it can be watched meanwhile. */
export type OpenForm = 'deny' | 'review' | null

type ActionsProps = {
  project: Project
  act: Act
  remarks: readonly Remark[]
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
export const Actions = ({ project, act, remarks, onForm, onShow, onScreen, deliver, delivers }: ActionsProps) => {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [waiting, setWaiting] = useState<{ project: Project; verb: PageVerb } | null>(null)
  // Words for each network, of this cut.
  const [posts, setPosts, sent] = useDraft(`posts ${project.id} ${project.currentCut ?? 0}`, noPosts)
  const navigate = useNavigate()
  const { currentCut: cut } = project
  const may = (verb: Verb) => project.actions.includes(verb)
  const offered = useOfferedTimes({
    may: may('schedule') || may('reschedule'),
    isOpen: asked?.what === 'schedule' || asked?.what === 'reschedule',
  })

  const choose = (verb: PageVerb) => {
    const next = () => proceed(verb, project)
    // Forms list themselves the comments that they wait for.
    if (verb !== 'approve' && verb !== 'approveAt') next()
    else if (!afterRemarks(project.id, next)) setWaiting({ project, verb })
  }
  const proceed = (verb: PageVerb, seen: Project) => {
    // Who decides about a cut while another one is on the screen may not know that it came.
    if (onScreen !== null && cut !== undefined && ofCut.has(verb))
      setAsked({ project: seen, what: 'despite', verb, cut, onScreen })
    else go(verb, seen)
  }
  /** `seen`: the video as it is on the screen, or as it was when something was asked about it. */
  const go = (verb: PageVerb, seen: Project) => {
    if (ofCut.has(verb) && seen.currentCut !== cut) toastFailure(refusal('project.other-cut'))
    else if (verb === 'start') act.start()
    else if (verb === 'approve') act.approve(cut)
    else if (verb === 'unschedule') act.unschedule()
    else if (verb === 'reorder') void navigate({ to: paths.board, search: { status: Status.submitted, view: 'list' } })
    else if (verb !== 'deny' && verb !== 'review') setAsked({ project: seen, what: verb })
    else onForm(verb)
  }
  const shown = prominent.filter(({ verb }) => may(verb))
  const rare: Rare[] = [...(may('approve') ? (['approveAt'] as const) : []), ...hidden.filter(may)]
  const { withheld = [] } = project
  const isEmpty = shown.length + rare.length + withheld.length === 0 && !deliver
  // A menu for one or two would only hide them.
  const inMenu = shown.length > 0 || rare.length > 2 ? rare : []

  const bar = (
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
          {verbName(verb, project)}
        </Button>
      ))}
      {!delivers && deliver}
      {inMenu.length === 0 &&
        rare.map((verb) => {
          const Icon = icons[verb]
          return (
            <Button key={verb} icon={<Icon aria-hidden />} onPress={() => choose(verb)}>
              {verbName(verb, project)}
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
                {verbName(verb, project)}
              </MenuItem>
            )
          })}
        </Menu>
      )}
    </div>
  )
  return (
    <>
      {!isEmpty && bar}
      {waiting && (
        <UnsentFirstDialog
          project={project}
          remarks={remarks}
          name={verbName(waiting.verb, waiting.project)}
          onGo={() => {
            setWaiting(null)
            proceed(waiting.verb, waiting.project)
          }}
          onEnd={() => setWaiting(null)}
        />
      )}
      {asked && (
        <Question
          asked={asked}
          offered={offered}
          posts={posts}
          onPosts={setPosts}
          onScheduled={sent}
          onShow={onShow}
          onGo={(verb) => go(verb, asked.project)}
          onEnd={() => setAsked(null)}
        />
      )}
    </>
  )
}

const noPosts: readonly NewPost[] = []

// What is said of one cut.
const ofCut: ReadonlySet<Verb | 'approveAt'> = new Set([...verbs.filter(isOfCut), 'approveAt'] as const)

// In the order they stand. Sending to approval has its own place, beside the upload.
const prominent: readonly { verb: Prominent; icon: typeof Check; variant?: ButtonLook['variant'] }[] = [
  { verb: 'start', icon: Scissors, variant: 'primary' },
  { verb: 'approve', icon: Check, variant: 'primary' },
  { verb: 'deny', icon: X },
  { verb: 'schedule', icon: CalendarClock },
  { verb: 'reschedule', icon: CalendarClock },
  { verb: 'unschedule', icon: CalendarX },
  { verb: 'review', icon: MessageSquareReply },
]
type Prominent = Exclude<PageVerb, Rare>
const hidden = ['assign', 'reorder', 'rollback', 'cancel'] as const satisfies readonly Verb[]
type Rare = 'approveAt' | (typeof hidden)[number]

const icons = {
  approveAt: CalendarClock,
  assign: UserRoundPen,
  reorder: ListOrdered,
  rollback: Undo2,
  cancel: CircleX,
}
