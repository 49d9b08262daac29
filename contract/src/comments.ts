import { z } from 'zod'
import { commentActs } from '@clear-to-post/domain/comments'
import { call } from './call.ts'
import { visibleText } from './visible.ts'

/** A remark at a moment of a cut, in milliseconds from its start. */
export const Comment = z.object({
  id: z.uuid(),
  projectId: z.uuid(),
  cut: z.number().int(),
  atMs: z.number().int().min(0),
  text: z.string(),
  authorId: z.uuid(),
  authorName: z.string(),
  createdAt: z.iso.datetime(),
  /** Sent along with a revision request. */
  attached: z.boolean(),
  /** Since when it is dealt with; missing while it is not. */
  doneAt: z.iso.datetime().optional(),
  /** The comment that it answers. */
  parentId: z.uuid().optional(),
  editedAt: z.iso.datetime().optional(),
  /** Taken back: without its words, and only there because it was answered. */
  isDeleted: z.boolean().optional(),
  /** Between staff: its officer does not read it. */
  isInternal: z.boolean().optional(),
  /** What the caller may do with it. */
  actions: z.array(z.enum(commentActs)),
})

/** The cut that is spoken of, by its number; refused when another one is the current cut by then. Absent: the current one. */
const cut = z.number().int().min(1).optional()
/** Whether the writer believes that it stays between staff; refused when it would not, or the reverse. Absent: as it is then. */
const isInternal = z.boolean().optional()
const inProject = z.object({ projectId: z.uuid() })
const inComment = inProject.extend({ commentId: z.uuid() })

/** What is said about cuts, as calls of the room `projects`. An officer sees the finished video's cuts only, and their comments. */
export const commentCalls = {
  comments: call({
    method: 'GET',
    path: '/projects/:projectId/comments/',
    summary: 'Time-coded comments, by time',
    access: 'comment.list',
    params: inProject,
    returns: z.object({ items: z.array(Comment) }),
    refuses: ['project.not-found'],
  }),
  comment: call({
    method: 'POST',
    path: '/projects/:projectId/comments/',
    summary: 'Comment on a moment of the current cut',
    access: 'comment.write',
    params: inProject,
    body: z.strictObject({ atMs: z.number().int().min(0).max(36_000_000), text: visibleText(2000), cut, isInternal }),
    returns: Comment,
    creates: true,
    refuses: [
      'project.not-found',
      'project.wrong-status',
      'project.other-cut',
      'project.other-readers',
      'project.beyond-cut',
      'project.too-many-remarks',
    ],
  }),
  answerComment: call({
    method: 'POST',
    path: '/projects/:projectId/comments/:commentId/answers/',
    summary: 'Answer a comment; who wrote in its thread is told',
    access: 'comment.answer',
    params: inComment,
    body: z.strictObject({ text: visibleText(2000) }),
    returns: Comment,
    creates: true,
    refuses: ['project.not-found', 'comment.not-found', 'comment.refused', 'project.too-many-remarks'],
  }),
  editComment: call({
    method: 'POST',
    path: '/projects/:projectId/comments/:commentId/',
    summary: 'Change what I wrote in a comment',
    access: 'comment.edit',
    params: inComment,
    body: z.strictObject({ text: visibleText(2000) }),
    returns: Comment,
    refuses: ['project.not-found', 'comment.not-found', 'comment.refused'],
  }),
  deleteComment: call({
    method: 'DELETE',
    path: '/projects/:projectId/comments/:commentId/',
    summary: 'Take a comment back',
    access: 'comment.delete',
    params: inComment,
    returns: Comment,
    refuses: ['project.not-found', 'comment.not-found', 'comment.refused'],
  }),
  tickComment: call({
    method: 'PUT',
    path: '/projects/:projectId/comments/:commentId/',
    summary: 'Tick a comment off, or take the tick back',
    access: 'comment.tick',
    params: inComment,
    body: z.strictObject({ isDone: z.boolean() }),
    returns: Comment,
    refuses: ['project.not-found', 'comment.not-found', 'comment.refused'],
  }),
}
