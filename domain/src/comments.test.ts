import { expect, it } from 'vitest'
import { commentActsFor, type CommentFacts } from './comments.ts'
import type { Actor, Role } from './roles.ts'

const fresh: CommentFacts = { authorId: 'author', isAnswer: false, isDeleted: false, isAttached: false }
const actor = (id: string, role: Role): Actor => ({ id, role, tenantId: null })

it('everybody who sees a comment answers and resolves it, its author changes it, an ADMIN may take it back, too', () => {
  const acts = (['User', 'Editor', 'QA', 'ADMIN'] as const).map((role) => [
    commentActsFor(fresh, actor('author', role)),
    commentActsFor(fresh, actor('other', role)),
  ])
  const [all, common] = [
    ['answer', 'edit', 'delete', 'tick'],
    ['answer', 'tick'],
  ]
  expect(acts).toEqual([
    [all, common],
    [all, common],
    [all, common],
    [all, ['answer', 'delete', 'tick']],
  ])
})

it('a comment that is part of the record stays as it is, and nothing is done with one that was taken back', () => {
  const author = actor('author', 'QA')
  expect(commentActsFor({ ...fresh, isAttached: true }, author)).toEqual(['answer', 'tick'])
  expect(commentActsFor({ ...fresh, isDeleted: true }, author)).toEqual([])
  expect(commentActsFor({ ...fresh, isAnswer: true }, author)).toEqual(['edit', 'delete'])
})
