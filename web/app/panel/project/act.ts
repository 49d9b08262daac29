import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import type { CallInput } from '@clear-to-post/contract/call'
import { Refusal } from '@clear-to-post/contract/errors'
import { projects, type Project } from '@clear-to-post/contract/projects'
import type { NewPost } from '@clear-to-post/contract/publishing'
import { isStep, workflow, type Verb } from '@clear-to-post/domain/workflow'
import { keyOf, send, useCall } from '../../api.ts'
import { toastFailure } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { afterRemarks } from './unsent-remarks.ts'

type Denial = Omit<CallInput<typeof projects.deny>['body'], 'seq'>
type Then = { onSuccess?: (fresh: Project) => void; onError?: (error: Error) => void }

/**
 * The verbs of one project. Each sends the number of the last event on the screen along, so that a stale view is refused and read again;
 * what is said of a cut names it. Each ends in a toast: what was done, with an undo where the service offers one, or why not.
 */
export const useAct = (project: Project) => {
  const { done, failed } = useOutcome()
  const of = (verb: Verb) => ({
    onSuccess: (fresh: Project) => done(verb, fresh),
    onError: (error: Error) => failed(error, project.id),
  })
  const { id: projectId, seq } = project
  const params = { projectId }
  const calls = {
    start: useCall(projects.start, of('start')),
    send: useCall(projects.send, of('send')),
    approve: useCall(projects.approve, of('approve')),
    deny: useCall(projects.deny, of('deny')),
    review: useCall(projects.review, of('review')),
    schedule: useCall(projects.schedule, of('schedule')),
    reschedule: useCall(projects.reschedule, of('reschedule')),
    unschedule: useCall(projects.unschedule, of('unschedule')),
    cancel: useCall(projects.cancel, of('cancel')),
    rollback: useCall(projects.rollback, of('rollback')),
    assign: useCall(projects.assign, of('assign')),
  } satisfies Partial<Record<Verb, unknown>>
  const pending = (Object.keys(calls) as (keyof typeof calls)[]).find((verb) => calls[verb].isPending) ?? null

  // What is said of a cut goes with the comments of whoever says it; the forms list those that it waits for.
  const judge = (go: () => void) => {
    if (!afterRemarks(projectId, go)) toast.error(messages.remarksFirstThere)
  }
  return {
    /** What is under way; one verb at a time. */
    pending,
    start: () => calls.start.mutate({ body: { projectId } }),
    /** `olderIsMeant`: the page said that the edit was changed after this file was rendered. */
    send: (finalVideoId: string, then?: Then, { olderIsMeant = false } = {}) =>
      calls.send.mutate({ params, body: { finalVideoId, olderIsMeant, seq } }, then),
    approve: (cut: number | undefined, publishAt?: string, then?: Then) =>
      judge(() => calls.approve.mutate({ params, body: { ...(publishAt ? { publishAt } : {}), cut, seq } }, then)),
    deny: (body: Denial, then?: Then) => judge(() => calls.deny.mutate({ params, body: { ...body, seq } }, then)),
    review: (cut: number | undefined, revision: string, then?: Then) =>
      judge(() => calls.review.mutate({ params, body: { revision, cut, seq } }, then)),
    schedule: (cut: number | undefined, publishAt: string, posts: readonly NewPost[], then?: Then) =>
      calls.schedule.mutate({ params, body: { publishAt, posts: [...posts], cut, seq } }, then),
    reschedule: (publishAt: string, then?: Then) => calls.reschedule.mutate({ params, body: { publishAt, seq } }, then),
    unschedule: () => calls.unschedule.mutate({ params, body: { seq } }),
    cancel: (then?: Then) => calls.cancel.mutate({ params, query: { seq } }, then),
    rollback: (then?: Then) => calls.rollback.mutate({ params, body: { seq } }, then),
    assign: (editorId: string | null, then?: Then) => calls.assign.mutate({ params, body: { editorId, seq } }, then),
  }
}
export type Act = ReturnType<typeof useAct>

/** The end of a question: it was done, or cannot be done any more as it was asked. Whatever else is refused can be mended where it stands. */
export const endOf = (onEnd: () => void): Then => ({
  onSuccess: onEnd,
  onError: (error) => {
    if (error instanceof Refusal && overtaken.has(error.code)) onEnd()
  },
})
const overtaken: ReadonlySet<string> = new Set(['project.changed', 'project.other-cut', 'project.wrong-status'])

/** What every verb's end has in common, on the project page and on the board. */
export const useOutcome = () => {
  const client = useQueryClient()
  const keep = (fresh: Project) => {
    client.setQueryData(keyOf(projects.find, { params: { projectId: fresh.id } }), fresh)
    void client.invalidateQueries({ queryKey: ['projects'] })
    // What is due when, and the next free slot.
    void client.invalidateQueries({ queryKey: ['posts'] })
  }
  const failed = (error: unknown, projectId: string) => {
    toastFailure(error)
    void client.invalidateQueries({ queryKey: ['projects'] })
    void client.invalidateQueries({ queryKey: keyOf(projects.find, { params: { projectId } }) })
  }
  const undo = async (verb: 'rollback' | 'unschedule', { id: projectId, seq, undoable }: Project) => {
    try {
      keep(await send(projects[verb], { params: { projectId }, body: { seq } }))
      const step = verb === 'rollback' ? undoable?.title : undefined
      toast.success(step ? messages.undoes(step) : messages.undone, { id: toastOf(projectId) })
    } catch (error) {
      failed(error, projectId)
    }
  }
  const done = (verb: Verb, fresh: Project) => {
    keep(fresh)
    const back = verb === 'schedule' ? 'unschedule' : isStep(verb) ? 'rollback' : null
    const may = back !== null && fresh.actions.includes(back) && (back !== 'rollback' || fresh.undoable?.verb === verb)
    const action = may ? { label: messages.undo, onClick: () => void undo(back, fresh) } : undefined
    toast.success(messages.did[verb] ?? workflow[verb].title, { id: toastOf(fresh.id), action })
  }
  return { done, failed, keep }
}

// One message a project: what a later step makes untrue, with its undo, is replaced.
export const toastOf = (projectId: string): string => `step of ${projectId}`
