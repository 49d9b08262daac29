import { useState } from 'react'
import type { Project } from '@clear-to-post/contract/projects'
import { publishing, type NewPost } from '@clear-to-post/contract/publishing'
import { query, queryClient } from '../../api.ts'
import { useUser } from '../../session.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { approvedOf } from '../publishing/approved-file.ts'
import { DayAlready } from '../publishing/day-already.tsx'
import { ProjectEndsBefore } from '../publishing/ends-before.tsx'
import { PostsChoice } from '../publishing/posts-choice.tsx'
import { stillListed } from '../publishing/still-listed.ts'
import type { useOfferedTimes } from '../publishing/use-offered-times.ts'
import { endOf, useAct } from './act.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { messages } from './messages.ts'
import { TimeDialog } from './time-dialog.tsx'
import { verbName, type PageVerb } from './verb-name.ts'

/**
 * What is asked before a step, with the video as it was when it was opened: what comes meanwhile is not what was meant. `despite`: whether
 * a cut is meant that is not on the screen.
 */
export type Asked = { project: Project } & (
  | { what: 'schedule' | 'reschedule' | 'approveAt' | 'assign' | 'cancel' | 'rollback' }
  | { what: 'despite'; verb: PageVerb; cut: number; onScreen: string }
)

type QuestionProps = {
  asked: Asked
  offered: ReturnType<typeof useOfferedTimes>
  /** Where it is posted by itself; stays when the question is closed, and the page is left. */
  posts: readonly NewPost[]
  onPosts: (posts: readonly NewPost[]) => void
  /** These are with the service now. */
  onScheduled: (pressed: readonly NewPost[]) => void
  /** Brings a video onto the screen, by its key. */
  onShow: (key: string) => void
  /** What comes after the question, where that is more than one call. */
  onGo: (verb: PageVerb) => void
  onEnd: () => void
}

/** The dialogs of the project page. */
export const Question = ({ asked, offered, posts, onPosts, onScheduled, onShow, onGo, onEnd }: QuestionProps) => {
  const { project } = asked
  const act = useAct(project)
  const user = useUser()
  const mayPost = user.actions.includes('post.write')
  const [isTried, setTried] = useState(false)
  const close = { isOpen: true, onOpenChange: (open: boolean) => !open && onEnd() }
  const then = endOf(onEnd)
  const isPending = act.pending !== null
  switch (asked.what) {
    case 'schedule':
      return (
        <TimeDialog
          {...close}
          title={messages.scheduleTitle}
          hint={messages.scheduleHint}
          confirm={verbName('schedule', project)}
          isPending={isPending}
          {...offered}
          about={mayPost ? (at) => <DayAlready at={at} /> : undefined}
          onChoose={(at) => {
            const pressed = posts
            if (findFault()) setTried(true)
            else
              act.schedule(project.currentCut, at, stillListed(posts, listedNow()), {
                ...then,
                onError: (error) => {
                  // It may be refused for an account that is not there any more.
                  void queryClient.invalidateQueries({ queryKey: query(publishing.connections, {}).queryKey })
                  then.onError?.(error)
                },
                onSuccess: () => {
                  onScheduled(pressed)
                  onEnd()
                },
              })
          }}
        >
          {(at) =>
            mayPost && (
              <PostsChoice
                at={at}
                projectId={project.id}
                title={project.title}
                {...approvedOf(project)}
                chosen={posts}
                isTried={isTried}
                onChange={onPosts}
                onRevise={
                  project.actions.includes('review')
                    ? () => {
                        onEnd()
                        onGo('review')
                      }
                    : undefined
                }
              />
            )
          }
        </TimeDialog>
      )
    case 'approveAt':
      return (
        <TimeDialog
          {...close}
          title={verbName('approveAt', project)}
          hint={messages.approveAtHint}
          confirm={verbName('approve', project)}
          isPending={isPending}
          onChoose={(at) => act.approve(project.currentCut, at, then)}
        />
      )
    case 'reschedule':
      return (
        <TimeDialog
          {...close}
          isMove
          title={messages.moveTitle}
          hint={messages.moveHint}
          confirm={messages.move}
          isPending={isPending}
          {...offered}
          begin={project.publishAt === undefined ? undefined : new Date(project.publishAt)}
          about={(at) => (
            <>
              {mayPost && <ProjectEndsBefore projectId={project.id} at={at} />}
              <DayAlready at={at} except={project.id} />
            </>
          )}
          onChoose={(at) => act.reschedule(at, then)}
        />
      )
    case 'despite':
      return (
        <Confirm
          {...close}
          isDanger={false}
          title={`${verbName(asked.verb, project)}?`}
          text={messages.otherCutText(asked.cut, asked.onScreen)}
          confirm={verbName(asked.verb, project)}
          keep={messages.showCut(asked.cut)}
          onKeep={() => onShow(`v${asked.cut}`)}
          isPending={isPending}
          onConfirm={() => {
            if (asked.verb === 'approve') return act.approve(asked.cut, undefined, then)
            onEnd()
            onGo(asked.verb)
          }}
        />
      )
    case 'assign':
      return <AssignDialog {...close} project={project} act={act} />
    case 'cancel':
      return (
        <Confirm
          {...close}
          title={messages.cancelTitle}
          text={project.userId === user.id ? messages.cancelOwnText : messages.cancelText}
          confirm={messages.cancelDo}
          keep={messages.cancelKeep}
          isPending={isPending}
          onConfirm={() => act.cancel(then)}
        />
      )
    case 'rollback':
      return (
        <Confirm
          {...close}
          isDanger={false}
          title={messages.rollbackTitle}
          text={messages.rollbackText(project.undoable?.title)}
          confirm={messages.rollbackDo}
          keep={messages.stop}
          isPending={isPending}
          onConfirm={() => act.rollback(then)}
        />
      )
    default:
      return asked satisfies never
  }
}

/** The accounts that the form shows; undefined while it does not show them yet. */
const listedNow = () => queryClient.getQueryData(query(publishing.connections, {}).queryKey)?.items

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
