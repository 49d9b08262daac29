import type { CallAnswer, CallInput } from '@clear-to-post/contract/call'
import { projects } from '@clear-to-post/contract/projects'
import { sql } from '../src/kernel/database.ts'
import { callAs, makePerson, makeVideo, type Person, type Service } from './service.ts'

/** What many tests begin with, made by the calls of the product. One row straight into the database: service.ts. */
type Stage = Pick<Service, 'app' | 'database' | 'identity'>

/** A project that this person submits now, with a ready video of their own. Throws the call's refusals. */
export const submitProject = async (
  service: Stage,
  officer: Person,
  more: Partial<CallInput<typeof projects.create>['body']> = {},
): Promise<CallAnswer<typeof projects.create>> =>
  callAs(service, officer)(projects.create, {
    body: { title: 'Rate lock', assets: [await makeVideo(service, officer)], ...more },
  })

/** A day passes for what was sent in so far: twenty more may follow for each officer. */
export const letDayPass = ({ database }: Pick<Service, 'database'>): Promise<unknown> =>
  database.asSystem((tx) => tx.count(sql`update project set submitted_at = submitted_at - interval '1 day'`))

/** One of each who work on everybody's videos. */
export const makeStaff = async (service: Stage): Promise<{ editor: Person; qa: Person; admin: Person }> => ({
  editor: await makePerson(service, 'Editor'),
  qa: await makePerson(service, 'QA'),
  admin: await makePerson(service, 'ADMIN'),
})
