import { refusal } from '@clear-to-post/contract/errors'
import { kindsOf } from '@clear-to-post/domain/audiences'
import { commentRules, type CommentAct } from '@clear-to-post/domain/comments'
import { mostKept } from '@clear-to-post/domain/most-kept'
import type { Role } from '@clear-to-post/domain/roles'
import type { Caller, Tx } from '../kernel/database.ts'
import { enqueue } from '../kernel/queue.ts'
import { asService } from '../kernel/tenancy.ts'
import { commentFacts } from './present.ts'
import {
  addAnswer,
  changeComment,
  countComments,
  findComment,
  markCommentDeleted,
  tick,
  writersOf,
  type CommentRow,
} from './comment-store.ts'
import { actorsOf, lockProject, type ProjectRow } from './store.ts'

type Place = { projectId: string; commentId: string }

/** A comment that somebody has dealt with, so that nobody looks at it twice. Whoever sees it may take the tick back. */
export const tickComment = async (tx: Tx, caller: Caller, place: Place, isDone: boolean, now: Date) => {
  const { comment } = await requireAct(tx, caller, place, 'tick')
  return (await tick(tx, comment.project_id, comment.id, caller, isDone ? now : null))!
}

/** An answer below a comment: it is read by whoever reads that one, and who wrote in the thread is told. */
export const answerComment = async (tx: Tx, caller: Caller, place: Place, text: string, now: Date) => {
  const { comment, project } = await requireAct(tx, caller, place, 'answer')
  if ((await countComments(tx, project.id, comment.internal)) >= mostKept.remarks)
    throw refusal('project.too-many-remarks')
  const answer = (await addAnswer(tx, comment, project, caller, text, now))!
  await notifyThread(tx, caller, project, comment, answer)
  return answer
}

export const editComment = async (tx: Tx, caller: Caller, place: Place, text: string, now: Date) => {
  const { comment } = await requireAct(tx, caller, place, 'edit')
  return (await changeComment(tx, comment.id, text, now))!
}

export const deleteComment = async (tx: Tx, caller: Caller, place: Place, now: Date) => {
  const { comment, project } = await requireAct(tx, caller, place, 'delete')
  const deleted = (await markCommentDeleted(tx, comment.id, now))!
  if (comment.author_id !== caller.id)
    for (const writer of await asService(tx, () => actorsOf(tx, [comment.author_id])))
      await tell(tx, project, writer, comment, {
        title: 'An admin deleted your comment',
        body: `An admin deleted your comment on “${project.title}”. Write another one if it is still needed.`,
        label: 'Open the comments',
        cause: `deletion ${comment.id}`,
      })
  return deleted
}

/** Throws project.not-found, comment.not-found, comment.refused. */
const requireAct = async (
  tx: Tx,
  caller: Caller,
  { projectId, commentId }: Place,
  act: CommentAct,
): Promise<{ project: ProjectRow; comment: CommentRow }> => {
  const project = await lockProject(tx, caller, projectId)
  if (!project) throw refusal('project.not-found')
  const comment = await findComment(tx, caller, projectId, commentId)
  if (!comment) throw refusal('comment.not-found')
  const { may, why } = commentRules[act]
  if (!may(commentFacts(comment), caller)) throw refusal('comment.refused', why)
  return { project, comment }
}

const notifyThread = async (tx: Tx, caller: Caller, project: ProjectRow, parent: CommentRow, answer: CommentRow) => {
  const writers = await asService(tx, () => writersOf(tx, parent.id))
  for (const writer of writers)
    if (writer.id !== caller.id)
      await tell(tx, project, writer, parent, {
        title: 'A comment was answered',
        body: `A comment on “${project.title}” was answered.`,
        label: 'Read the answer',
        cause: `answer ${answer.id}`,
      })
}

type Told = { title: string; body: string; label: string; cause: string }

// Each hears of it as of what else they hear: an officer of their videos, an editor of work, a reviewer of reviews.
const tell = async (
  tx: Tx,
  project: ProjectRow,
  { id, role }: { id: string; role: Role },
  comment: CommentRow,
  { title, body, label, cause }: Told,
) => {
  const kind = kindsOf(role).find((one) => one === 'videos' || one === 'work' || one === 'reviews')
  if (kind === undefined) return
  const cta = { label, url: `/panel/projects/${project.id}?tab=comments` }
  const metadata = { projectId: project.id, commentId: comment.id }
  await enqueue(tx, 'notice', {
    notice: { kind, title, body, cta, metadata, cause, about: project.id },
    userIds: [id],
  })
}
