import type { Project } from '@clear-to-post/contract/projects'
import { agoWords, byWords, monthWords, whenInSentence } from '../../times.ts'
import { needsOfficer, standingOf, type Posts } from '../publishing/standing.ts'
import { messages } from './messages.ts'
import { Status } from '@clear-to-post/domain/workflow'

export const groupNames = ['needs-you', 'in-work', 'scheduled', 'done'] as const
export type GroupName = (typeof groupNames)[number]

/**
 * Where an officer looks for it. A finished video needs its officer until they did something with it, for two weeks; what was
 * posted by itself does only where one of its posts does.
 */
export const groupOf = (project: Project, now = new Date()): GroupName => {
  if (project.waitsFor) return 'needs-you'
  if (project.status === Status.scheduled) return 'scheduled'
  if (project.status === Status.canceled) return 'done'
  if (project.status !== Status.completed) return 'in-work'
  const isFresh = now.getTime() - Date.parse(project.modified) < 14 * 86_400_000
  const isOpen = project.posts ? project.posts.some(({ state }) => needsOfficer(state)) : isJustDelivered(project)
  return isFresh && isOpen ? 'needs-you' : 'done'
}

/** What happens now, and when it is ready where that was promised. */
export const stateWords = (project: Project, now = new Date()): { words: string; due?: string; isLate: boolean } => {
  const words = lines[project.status](project)
  if (project.dueBy === undefined || groupOf(project, now) !== 'in-work') return { words, isLate: false }
  const isLate = Date.parse(project.dueBy) < now.getTime()
  const due = isLate
    ? messages.overdue(whenInSentence(project.dueBy, now))
    : messages.byDue(byWords(project.dueBy, now))
  return { words, due, isLate }
}

const lines: Record<Project['status'], (project: Project) => string> = {
  [Status.submitted]: () => messages.inQueue,
  [Status.inProgress]: () => messages.editing,
  [Status.completed]: (project) =>
    project.posts
      ? postedWords(project.posts)
      : !isJustDelivered(project)
        ? messages.done(agoWords(project.modified))
        : verbOf(project) === 'publish'
          ? messages.due
          : messages.ready(whenInSentence(project.modified)),
  [Status.waitingApproval]: () => messages.checking,
  [Status.denied]: () => messages.fixing,
  [Status.revisioning]: () => messages.revising,
  [Status.canceled]: ({ modified }) => messages.canceled(agoWords(modified)),
  [Status.scheduled]: ({ publishAt, submitMonth, waitsFor }) =>
    waitsFor
      ? messages.waits[waitsFor]
      : publishAt === undefined
        ? messages.startsIn(monthWords(submitMonth))
        : messages.goesOut(whenInSentence(publishAt)),
}

const postedWords = (posts: Posts): string => {
  const { words, next } = standingOf(posts)
  return next === undefined ? words : `${words}. ${next}`
}

const isJustDelivered = (project: Project): boolean => verbOf(project) === 'approve' || verbOf(project) === 'publish'

const verbOf = ({ timeline }: Project): unknown =>
  timeline.reduce<Project['timeline'][number] | undefined>(
    (last, item) => (last === undefined || item.timestamp >= last.timestamp ? item : last),
    undefined,
  )?.metadata['verb']
