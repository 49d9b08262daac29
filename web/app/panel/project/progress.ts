import type { Project } from '@clear-to-post/contract/projects'
import { isForAdmins } from '@clear-to-post/domain/plans'
import { hasEnded } from '@clear-to-post/domain/posting'
import { byWords, agoWords, monthWords, whenWords } from '../../times.ts'
import { needsOfficer, standingOf } from '../publishing/standing.ts'
import { messages } from './messages.ts'
import { Status } from '@clear-to-post/domain/workflow'

/** The stations of a video, as the ruler shows them. */
export const stations = ['queue', 'editing', 'approval', 'ready'] as const
export type Station = (typeof stations)[number]

/** One glance: when it is ready, who is next, and where on the way it is. */
export type ProjectProgress = {
  /** The big line. */
  when: string
  isLate: boolean
  next: string
  /** The viewer is the one everybody waits for. */
  isYou: boolean
  /** Null when it is on no way any more. */
  station: Station | null
}

type Viewer = { id: string; role: string }

export const progressOf = (project: Project, viewer: Viewer, now = new Date()): ProjectProgress => {
  const isOfficer = project.userId === viewer.id
  const isEditor = project.editorId === viewer.id
  const judges = project.actions.includes('approve')
  const { next, isYou = false, station } = places[project.status]({ project, isOfficer, isEditor, judges })
  return { ...whenOf(project, isOfficer, now), next, isYou, station }
}

const whenOf = (project: Project, isOfficer: boolean, now: Date): { when: string; isLate: boolean } => {
  const { status, dueBy, publishAt, submitMonth, modified, waitsFor, posts } = project
  const line = (when: string) => ({ when, isLate: false })
  if (status === Status.completed) return line(posts ? standingOf(posts, isOfficer).words : messages.ready)
  if (status === Status.canceled) return line(messages.canceledAgo(agoWords(modified, now)))
  if (waitsFor) return line(messages.waits[waitsFor])
  if (status === Status.scheduled)
    return line(publishAt ? messages.goesOut(whenWords(publishAt, now)) : messages.startsIn(monthWords(submitMonth)))
  if (!dueBy) return line(messages.inWork)
  const isLate = Date.parse(dueBy) < now.getTime()
  return { when: isLate ? messages.wasDue(whenWords(dueBy, now)) : messages.readyBy(byWords(dueBy, now)), isLate }
}

const whileItWaits = (waits: NonNullable<Project['waitsFor']>, isOfficer: boolean): Omit<Place, 'station'> =>
  isForAdmins(waits)
    ? { next: messages.next.officerInactive }
    : { next: isOfficer ? messages.next.youWait[waits] : messages.next.officerWaits, isYou: isOfficer }

type Asked = { project: Project; isOfficer: boolean; isEditor: boolean; judges: boolean }
type Place = { next: string; isYou?: boolean; station: Station | null }

/** What happens at the moment of a scheduled video: its posts say whether it is posted by itself, and not where it was to go. */
const atItsMoment = (
  { posts = [], destinations = [], hasPosts }: Project,
  isOfficer: boolean,
): Omit<Place, 'station'> => {
  const todo = isOfficer ? standingOf(posts).next : undefined
  if (todo !== undefined) return { next: todo, isYou: true }
  if (posts.some(({ state }) => !hasEnded(state))) return { next: messages.next.posts }
  if (!isOfficer) return { next: messages.next.weTell }
  const wereTakenBack = hasPosts && posts.length === 0 && destinations.some((one) => one !== 'download')
  return { next: wereTakenBack ? messages.next.unposted : messages.next.weTellYou }
}

const places: Record<Project['status'], (asked: Asked) => Place> = {
  [Status.submitted]: ({ project, isEditor }) => ({
    next: isEditor
      ? messages.next.yourTurn
      : project.queue?.place
        ? messages.next.place(project.queue.place)
        : messages.next.queue,
    isYou: isEditor,
    station: 'queue',
  }),
  [Status.inProgress]: ({ project, isEditor }) => ({
    next: isEditor ? messages.next.youEdit : messages.next.edits(project.editorName),
    isYou: isEditor,
    station: 'editing',
  }),
  [Status.completed]: ({ project: { posts }, isOfficer }) => ({
    next: posts
      ? ((isOfficer ? standingOf(posts).next : undefined) ?? messages.next.posted)
      : isOfficer
        ? messages.next.youPost
        : messages.next.officerPosts,
    isYou: isOfficer && (posts === undefined || posts.some(({ state }) => needsOfficer(state))),
    station: 'ready',
  }),
  [Status.waitingApproval]: ({ judges, isOfficer }) => ({
    next: judges ? messages.next.youApprove : isOfficer ? messages.next.approval : messages.next.othersApprove,
    isYou: judges,
    station: 'approval',
  }),
  [Status.denied]: ({ project, isEditor }) => ({
    next: isEditor ? messages.next.youFix : messages.next.fixes(project.editorName),
    isYou: isEditor,
    station: 'editing',
  }),
  [Status.revisioning]: ({ project, isEditor }) => ({
    next: isEditor ? messages.next.youRevise : messages.next.revises(project.editorName),
    isYou: isEditor,
    station: 'editing',
  }),
  [Status.canceled]: () => ({ next: messages.next.canceled, station: null }),
  [Status.scheduled]: ({ project, isOfficer }) =>
    project.publishAt
      ? { ...atItsMoment(project, isOfficer), station: 'ready' }
      : project.waitsFor
        ? { ...whileItWaits(project.waitsFor, isOfficer), station: null }
        : { next: isOfficer ? messages.next.yourMonth : messages.next.month, isYou: isOfficer, station: null },
}
