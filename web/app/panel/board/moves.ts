import type { Project } from '@clear-to-post/contract/projects'
import { refuse, type ProjectFacts } from '@clear-to-post/domain/decide'
import { statuses, Status, type Verb } from '@clear-to-post/domain/workflow'
import type { Profile } from '@clear-to-post/contract/accounts'
import { messages } from './messages.ts'

/** What people do to a card: at once, on the video's own page, or after a question (`useMoves`). */
export type BoardVerb = Exclude<Verb, 'create' | 'release' | 'hold' | 'publish' | 'reorder' | 'reschedule'>

/** The verbs that bring a card into a column, the usual one first. Whether one is possible, `project.actions` says. */
export const verbsInto: Record<Status, readonly BoardVerb[]> = {
  [Status.submitted]: ['unschedule'],
  [Status.inProgress]: ['start'],
  [Status.completed]: ['approve', 'unschedule'],
  [Status.waitingApproval]: ['send'],
  [Status.denied]: ['deny'],
  [Status.revisioning]: ['review'],
  [Status.canceled]: ['cancel'],
  [Status.scheduled]: ['schedule'],
}

/** The verb that a drop on a column means, or why there is none, in the workflow's words. */
export const moveInto = (project: Project, column: Status, user: Profile): { verb: BoardVerb } | { why: string } => {
  const verbs = verbsInto[column]
  const verb = verbs.find(
    (one) => project.actions.includes(one) && (one !== 'unschedule' || backTo(project) === column),
  )
  if (verb) return { verb }
  const [usual] = verbs
  const own = project.withheld?.find((one) => one.verb === usual)?.reason
  const refusal =
    usual && refuse(usual, factsOf(project), { id: user.id, role: user.role, tenantId: user.tenantId ?? null })
  return { why: messages.noWay(project.title, statuses[column], own ?? refusal?.message ?? messages.noVerb) }
}

// What is unscheduled goes back to where it came from.
const backTo = (project: Project): Status => (project.finalVideoId ? Status.completed : Status.submitted)

// As far as the panel knows them; enough for the words of a refusal. The service alone decides.
const factsOf = (project: Project): ProjectFacts => ({
  status: project.status,
  userId: project.userId,
  editorId: project.editorId ?? null,
  tenantId: project.tenantId ?? null,
  finalVideoId: project.finalVideoId ?? null,
  approvedVideoId: project.finalVideoId ?? null,
  submitMonth: project.submitMonth,
  publishAt: project.publishAt ?? null,
  dueAt: null,
  editingBegun: false,
  isFree: project.isFree ?? false,
  timeZone: 'UTC',
  undoable: null,
})
