import { expect, it } from 'vitest'
import { networkNames, networks, type NetworkLimits } from './networks.ts'
import { afterCommentEvent, commentActionsFor, commenting, commentProblems, commentStates } from './post-comments.ts'

it('each event of a comment starts where its row says and nowhere else', () => {
  for (const event of Object.keys(commenting) as (keyof typeof commenting)[])
    for (const state of commentStates)
      expect(afterCommentEvent(state, event), `${event} of one that is ${state}`).toBe(
        (commenting[event].from as readonly string[]).includes(state) ? commenting[event].to : null,
      )
})

it('a comment that may be there is sent again by its officer alone, and one that is there by nobody', () => {
  expect(afterCommentEvent('live', 'repeat')).toBeNull()
  expect(afterCommentEvent('armed', 'repeat')).toBeNull()
  const actions = (state: (typeof commentStates)[number]) => commentActionsFor(state, { isUsable: true })
  expect(commentStates.map((state) => [state, actions(state)])).toEqual([
    ['waiting', []],
    ['armed', []],
    ['live', []],
    ['failed', ['repeatComment']],
    ['unconfirmed', ['confirmComment', 'repeatComment']],
  ])
  expect(commentActionsFor('unconfirmed', { isUsable: false })).toEqual(['confirmComment'])
})

it('a comment as long as a network takes fits, one sign more does not, and where none is taken it is said', () => {
  for (const network of networkNames) {
    const { comment }: NetworkLimits = networks[network]
    if (!comment)
      expect(commentProblems(network, 'a')).toEqual([
        `${networks[network].name} takes no first comment from here. Leave it out.`,
      ])
    else
      expect([
        commentProblems(network, 'a'.repeat(comment.most)),
        commentProblems(network, 'a'.repeat(comment.most + 1)).length,
      ]).toEqual([[], 1])
  }
  expect(commentProblems('instagram', '#a #b #c #d')).toEqual([])
  expect(commentProblems('instagram', '#a #b #c #d #e')).toEqual([
    'Instagram takes 4 hashtags in a comment. Leave some out.',
  ])
})
