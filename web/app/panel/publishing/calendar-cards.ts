import type { Project } from '@clear-to-post/contract/projects'
import type { Post } from '@clear-to-post/contract/publishing'
import { stateShown } from './state-shown.ts'
import { networks } from '@clear-to-post/domain/networks'

/** What of one video goes out, or went, at one moment: its posts, and the video itself where this is its own moment. */
export type CalendarCard = {
  key: string
  projectId: string
  title: string
  /** An ISO instant. */
  at: string
  posts: readonly Post[]
  /** The scheduled video, where it goes out now; without posts it is there to download. */
  video?: Project
}

/** What is moved in time, and where it stands now: a whole video, by the number of its last event on the page, or some of its posts alone. */
export type Moving = { projectId: string; title: string; from: string; seq?: number; posts: readonly string[] | 'all' }

/** Posts and scheduled videos by video and moment, the earliest first. */
export const cardsOf = (posts: readonly Post[], videos: readonly Project[]): CalendarCard[] => {
  const cards = new Map<string, CalendarCard>()
  for (const post of posts) {
    const key = keyOf(post.projectId, post.dueAt)
    const card = cards.get(key) ?? {
      key,
      projectId: post.projectId,
      title: post.projectTitle,
      at: post.dueAt,
      posts: [],
    }
    cards.set(key, { ...card, posts: [...card.posts, post] })
  }
  for (const video of videos) {
    if (video.publishAt === undefined) continue
    const key = keyOf(video.id, video.publishAt)
    const card = cards.get(key) ?? { key, projectId: video.id, title: video.title, at: video.publishAt, posts: [] }
    cards.set(key, { ...card, video })
  }
  return [...cards.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.key < b.key ? -1 : 1))
}

const keyOf = (projectId: string, at: string): string => `${projectId} ${at.slice(0, 16)}`

/** What may be moved of a card: its video with all that is due with it, or the posts that wait; null where nothing may. */
export const movingOf = ({ projectId, title, at, posts, video }: CalendarCard): Moving | null => {
  const own = { projectId, title, from: at }
  if (video?.actions.includes('reschedule')) return { ...own, seq: video.seq, posts: 'all' }
  const waiting = posts.filter(({ actions }) => actions.includes('move'))
  return waiting.length > 0 ? { ...own, posts: waiting.map(({ id }) => id) } : null
}

/** The states of a card's posts, each with the networks that stand so, in the order of the posts. */
export const statesOf = ({ posts }: CalendarCard): (Pick<Post, 'state' | 'network'> & { names: string })[] =>
  [...Map.groupBy(posts, ({ state, network }) => stateShown(state, network)).values()].map((some) => ({
    state: some[0]!.state,
    network: some[0]!.network,
    names: some.map(({ network }) => networks[network].name).join(', '),
  }))
