import { expect, it } from 'vitest'
import { noTiktokChoices } from '@clear-to-post/domain/tiktok-choices'
import { faultsOf, hasFaults } from './post-faults.ts'

const post = { connectionId: '00000000-0000-4000-8000-000000000001', words: 'Rate lock', title: 'Rate lock' }
const open = { ...noTiktokChoices, allows: [], discloses: [] }

it('a first comment that is switched on and empty is a fault of its field', () => {
  expect(hasFaults(faultsOf('youtube', post))).toBe(false)
  expect(faultsOf('youtube', { ...post, comment: ' ' }).comment).toEqual({
    words: 'Write the comment, or switch it off.',
    isUnwritten: true,
  })
  expect(faultsOf('youtube', { ...post, comment: 'More on my page.' }).comment).toBeUndefined()
  expect(faultsOf('youtube', { ...post, comment: 'x'.repeat(20_000) }).comment?.isUnwritten).toBe(false)
})

it('each question of TikTok stands once, at the field that answers it', () => {
  const asked = faultsOf('tiktok', { ...post, tiktok: open })
  expect(Object.keys(asked.tiktok).toSorted()).toEqual(['agrees', 'privacy'])
  expect(asked.texts).toEqual([])
  const paid = { ...open, agrees: true, isCommercial: true }
  expect(Object.keys(faultsOf('tiktok', { ...post, privacy: 'SELF_ONLY', tiktok: paid }).tiktok)).toEqual(['discloses'])
  expect(hasFaults(faultsOf('tiktok', { ...post, tiktok: { ...open, mode: 'inbox' } }))).toBe(false)
})

it('a title that is missing is a fault of the texts', () => {
  expect(faultsOf('youtube', { ...post, title: '' }).texts).toHaveLength(1)
})
