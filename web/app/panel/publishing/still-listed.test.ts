import { expect, it } from 'vitest'
import { stillListed } from './still-listed.ts'

const post = (connectionId: string) => ({ connectionId, words: `Words for ${connectionId}` })

it('an account that was chosen and has been disconnected since is not posted to, and the others are', () => {
  const chosen = [post('gone'), post('there')]
  expect(stillListed(chosen, [{ id: 'there' }, { id: 'other' }])).toEqual([post('there')])
  expect(stillListed(chosen, [])).toEqual([])
})

it('accounts that were chosen stay chosen until it is known which ones there are', () => {
  expect(stillListed([post('one')], undefined)).toEqual([post('one')])
})
