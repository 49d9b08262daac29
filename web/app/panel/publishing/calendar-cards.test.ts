import { expect, it } from 'vitest'
import type { Project } from '@clear-to-post/contract/projects'
import type { Post } from '@clear-to-post/contract/publishing'
import { stateShown } from './state-shown.ts'
import { cardsOf, movingOf, statesOf } from './calendar-cards.ts'

const post = (id: string, dueAt: string, more: Partial<Post> = {}): Post =>
  ({
    id,
    projectId: 'video',
    projectTitle: 'Rates',
    network: 'youtube',
    words: '',
    dueAt,
    state: 'scheduled',
    actions: ['move', 'withdraw'],
    ...more,
  }) satisfies Post
const video = (id: string, publishAt: string, actions: Project['actions'] = ['reschedule']) =>
  ({ id, title: 'Rates', publishAt, actions }) as unknown as Project
const [nine, ten] = ['2026-11-30T09:00:00.000Z', '2026-11-30T10:00:00.000Z']

it('posts of a video at one moment are one card with their states, and a video without a post has its own', () => {
  const posts = [post('a', ten), post('b', nine), post('c', nine, { network: 'x', state: 'failed', actions: [] })]
  const cards = cardsOf(posts, [video('video', nine), video('alone', ten)])
  expect(cards.map((card) => [card.projectId, card.at, card.posts.map(({ id }) => id), card.video?.id])).toEqual([
    ['video', nine, ['b', 'c'], 'video'],
    ['alone', ten, [], 'alone'],
    ['video', ten, ['a'], undefined],
  ])
  expect(statesOf(cards[0]!)).toEqual([
    { state: 'scheduled', network: 'youtube', names: 'YouTube' },
    { state: 'failed', network: 'x', names: 'X' },
  ])
})

it('a network that gets its file at the moment itself is not said to have it before', () => {
  expect([stateShown('prepared', 'tiktok'), stateShown('preparing', 'tiktok')]).toEqual(['checked', 'checking'])
  expect([stateShown('prepared', 'youtube'), stateShown('live', 'tiktok')]).toEqual(['prepared', 'live'])
})

it('a video moves with its posts at its own moment, waiting ones alone at another, and posts that are out stay', () => {
  const [own, other] = cardsOf([post('a', nine), post('b', ten)], [video('video', nine)])
  expect(movingOf(own!)?.posts).toBe('all')
  expect(movingOf(other!)?.posts).toEqual(['b'])
  const [out] = cardsOf([post('a', nine, { state: 'live', actions: ['remove'] })], [video('video', nine, [])])
  expect(movingOf(out!)).toBeNull()
})
