import { mayDeleteOthersComments, mayEver } from './access.ts'
import type { Actor } from './roles.ts'

/** What of a comment decides who may do what with it; whoever asks sees the comment. */
export type CommentFacts = {
  authorId: string
  isAnswer: boolean
  isDeleted: boolean
  /** Sent along with a revision request: it is part of the record. */
  isAttached: boolean
}

export const commentActs = ['answer', 'edit', 'delete', 'tick'] as const
export type CommentAct = (typeof commentActs)[number]

type Rule = { may: (comment: CommentFacts, actor: Actor) => boolean; why: string }

/** One row an act: buttons, refusals and tests read it. */
export const commentRules: Record<CommentAct, Rule> = {
  answer: {
    may: ({ isAnswer, isDeleted }, { role }) => mayEver(role, 'comment.answer') && !isAnswer && !isDeleted,
    why: 'An answer is given to a comment that is still there. Answer the comment above it.',
  },
  edit: {
    may: ({ authorId, isDeleted, isAttached }, { id }) => authorId === id && !isDeleted && !isAttached,
    why: 'Only its author changes a comment, and none that went along with a revision request. Write another one.',
  },
  delete: {
    may: ({ authorId, isDeleted, isAttached }, { id, role }) =>
      !isDeleted && !isAttached && (authorId === id || mayDeleteOthersComments(role)),
    why: 'Only its author or an admin takes a comment back, and none that went along with a revision request.',
  },
  tick: {
    may: ({ isAnswer, isDeleted }, { role }) => mayEver(role, 'comment.tick') && !isAnswer && !isDeleted,
    why: 'Only a comment that is still there is resolved, with all its answers.',
  },
}

/** What this actor may do with a comment that they see. */
export const commentActsFor = (comment: CommentFacts, actor: Actor): CommentAct[] =>
  commentActs.filter((act) => commentRules[act].may(comment, actor))
