import { randomUUID } from 'node:crypto'
import type { CallInput, CallShape } from '@clear-to-post/contract/call'
import { projects, type Project } from '@clear-to-post/contract/projects'
import { feedbackCriteria } from '@clear-to-post/domain/feedback'
import type { Status, Verb } from '@clear-to-post/domain/workflow'
import type { Random } from './random.ts'
import { makePerson, makeTenant, makeVideo, subscribe, type Person, type Service } from './service.ts'

/** A call somehow made: over a socket, or straight into the app. */
export type Send = <C extends CallShape>(shape: C, input: CallInput<C>) => Promise<unknown>

/** What sets the scene for their work: people and files that were there before. */
type Stage = Pick<Service, 'database' | 'identity'>

/** Something a person is about to do. It may be asked again and again with the same request id. */
export type Step = { verb: Verb; who: Person; requestId: string; ask: (send: Send) => Promise<Project> }
/** A step that was answered with success, and the project as the answer showed it. */
export type Answered = Step & { project: Project }

export type Work = {
  answered: Answered[]
  /** What somebody would do next. Often something sensible, sometimes not. */
  next: () => Promise<Step>
  note: (step: Step, project: Project) => void
}

/** Officers, editors, reviewers and an admin, and what they do with the few projects that all of them crowd around. */
export const openWork = async (service: Stage, random: Random): Promise<Work> => {
  const tenantId = await makeTenant(service)
  await subscribe(service, { tenantId })
  const people = {
    // The last one has no plan: only one free project.
    officers: await several(3, (n) => makePerson(service, 'User', n < 2 ? { tenantId } : {})),
    editors: await several(3, () => makePerson(service, 'Editor', { timeZone: random.one(zones) })),
    reviewers: await several(2, () => makePerson(service, 'QA')),
    admin: await makePerson(service, 'ADMIN'),
  }
  const answered: Answered[] = []
  const known = new Map<string, Project>()

  return {
    answered,
    note: (step, project) => {
      answered.push({ ...step, project })
      // Answers overtake each other on the way.
      if ((known.get(project.id)?.seq ?? 0) < project.seq) known.set(project.id, project)
    },
    next: async () => {
      const crowded = [...known.values()].slice(-10)
      const project = random.one(crowded)
      const verb = !project || random.next() < 0.1 ? 'create' : random.weighted(likely[project.status])
      return { verb, requestId: randomUUID(), ...(await plans[verb]!(service, random, people, project!)) }
    },
  }
}

type People = { officers: Person[]; editors: Person[]; reviewers: Person[]; admin: Person }
type Plan = (
  service: Stage,
  random: Random,
  people: People,
  project: Project,
) => Promise<{ who: Person; ask: Step['ask'] }>

// Every status also gets a verb or two that it does not allow: a refusal must leave nothing.
const likely: Record<Status, Partial<Record<Verb, number>>> = {
  0: { start: 8, reorder: 3, assign: 1, cancel: 1, approve: 1 },
  1: { send: 8, assign: 1, rollback: 1, cancel: 1, start: 1 },
  2: { review: 3, schedule: 4, rollback: 2, send: 1 },
  3: { approve: 5, deny: 4, rollback: 1, cancel: 1 },
  4: { start: 8, assign: 1, rollback: 1, cancel: 1 },
  5: { start: 8, rollback: 1, deny: 1 },
  6: { rollback: 4, start: 1 },
  7: { unschedule: 4, reschedule: 2, review: 1, rollback: 2, cancel: 1 },
}

const to = ({ id }: Project) => ({ params: { projectId: id } })
const asked = (who: Person, ask: (send: Send) => Promise<unknown>) => ({ who, ask: ask as Step['ask'] })
const owner = ({ officers }: People, project: Project) => officers.find(({ id }) => id === project.userId)!
const editorOf = ({ editors }: People, random: Random, project: Project) =>
  (random.next() < 0.8 && editors.find(({ id }) => id === project.editorId)) || random.one(editors)

const plans: Partial<Record<Verb, Plan>> = {
  create: async (service, random, { officers }) => {
    const who = random.one(officers)
    const body = {
      title: randomUUID(),
      assets: [await makeVideo(service, who)],
      ...(random.next() < 0.3 ? { submitMonth: inDays(62).slice(0, 7) } : {}),
    }
    return asked(who, (send) => send(projects.create, { body }))
  },
  start: async (_service, random, people, project) => {
    const who = random.next() < 0.9 ? editorOf(people, random, project) : people.admin
    const body = random.next() < 0.3 ? {} : { projectId: project.id }
    return asked(who, (send) => send(projects.start, { body }))
  },
  send: async (service, random, people, project) => {
    const who = editorOf(people, random, project)
    const body = { finalVideoId: await makeVideo(service, who, project) }
    return asked(who, (send) => send(projects.send, { ...to(project), body }))
  },
  approve: async (_service, random, { reviewers }, project) => {
    const body = {
      ...(random.next() < 0.3 ? { publishAt: inDays(9) } : {}),
      ...(random.next() < 0.3 ? { seq: project.seq } : {}),
    }
    return asked(random.one(reviewers), (send) => send(projects.approve, { ...to(project), body }))
  },
  deny: async (_service, random, { reviewers }, project) => {
    const criteria = feedbackCriteria.map((one) => ({ ...one, score: random.whole(0, 10) }))
    const body = { denyFeedback: { criteria }, categories: ['cut' as const] }
    return asked(random.one(reviewers), (send) => send(projects.deny, { ...to(project), body }))
  },
  review: async (_service, _random, people, project) =>
    asked(owner(people, project), (send) => send(projects.review, { ...to(project), body: { revision: 'Shorter' } })),
  schedule: async (_service, random, people, project) => {
    const body = { publishAt: inDays(random.whole(2, 20)) }
    return asked(owner(people, project), (send) => send(projects.schedule, { ...to(project), body }))
  },
  reschedule: async (_service, random, people, project) => {
    const body = { publishAt: inDays(random.whole(2, 30)) }
    return asked(owner(people, project), (send) => send(projects.reschedule, { ...to(project), body }))
  },
  unschedule: async (_service, random, people, project) =>
    asked(random.one([owner(people, project), people.admin]), (send) => send(projects.unschedule, to(project))),
  cancel: async (_service, random, people, project) =>
    asked(random.one([owner(people, project), people.admin]), (send) => send(projects.cancel, to(project))),
  rollback: async (_service, random, { admin, reviewers }, project) =>
    asked(random.one([admin, admin, ...reviewers]), (send) => send(projects.rollback, to(project))),
  reorder: async (_service, random, { admin }, project) => {
    const body = { projectId: project.id, position: random.whole(-4, 4) * 512 }
    return asked(admin, (send) => send(projects.reorder, { body }))
  },
  assign: async (_service, random, { admin, editors }, project) => {
    const body = { editorId: random.next() < 0.3 ? null : random.one(editors).id }
    return asked(admin, (send) => send(projects.assign, { ...to(project), body }))
  },
}

const zones = ['America/New_York', 'America/Los_Angeles', 'Pacific/Auckland'] as const
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const several = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))
