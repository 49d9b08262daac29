import { z } from 'zod'
import { givenUpActs, jobKinds } from '@clear-to-post/domain/job-kinds'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'

/** `earlier`: of a release that is no more. */
const Kind = z.enum([...jobKinds, 'earlier'])

/** A job that used up its tries: what it was to do is not done. */
export const GivenUpJob = z.object({
  id: z.uuid(),
  kind: Kind,
  /** When it was given up. */
  at: z.iso.datetime(),
  /** When it was asked for, and how often it was tried; absent for one of an earlier release. */
  askedAt: z.iso.datetime().optional(),
  tries: z.number().int().optional(),
  /** The words of the last error, without addresses and keys. */
  why: z.string(),
  company: z.object({ id: z.uuid(), name: z.string() }).optional(),
  project: z.object({ id: z.uuid(), title: z.string() }).optional(),
  /** How often it was sent again before, and given up again. */
  sentBefore: z.number().int(),
  /** What I may do with it. */
  actions: z.array(z.enum(givenUpActs)).max(givenUpActs.length),
})
export type GivenUpJob = z.infer<typeof GivenUpJob>

const Chosen = z.strictObject({ jobIds: z.array(z.uuid()).min(1).max(100) })
/** Of how many it was done; those that somebody else settled meanwhile do not count. */
const Settled = z.object({ count: z.number().int() })

export const jobs = {
  givenUp: call({
    method: 'GET',
    path: '/jobs/given-up/list/',
    summary: 'Jobs that used up their tries and wait for somebody’s decision; kept for two weeks',
    access: 'job.settle',
    query: PageQuery,
    page: { filters: { kind: 'text' }, orders: ['at'], defaultOrder: 'at:desc' },
    returns: pageOf(GivenUpJob),
    refuses: ['tenant.service-only'],
  }),
  counts: call({
    method: 'GET',
    path: '/jobs/given-up/counts/',
    summary: 'How many jobs used up their tries, by kind, most first',
    access: 'job.settle',
    returns: z.object({ items: z.array(z.object({ kind: Kind, count: z.number().int() })).max(jobKinds.length + 1) }),
    refuses: ['tenant.service-only'],
  }),
  sendAgain: call({
    method: 'POST',
    path: '/jobs/given-up/send-again/',
    summary: 'Send jobs again that used up their tries, each with all of its tries; the audit log says who did',
    access: 'job.settle',
    body: Chosen,
    returns: Settled,
    refuses: ['tenant.service-only'],
  }),
  sendAll: call({
    method: 'POST',
    path: '/jobs/given-up/send-all/',
    summary: 'The same for a thousand of one kind, the oldest first',
    access: 'job.settle',
    body: z.strictObject({ kind: z.enum(jobKinds) }),
    returns: Settled,
    refuses: ['tenant.service-only'],
  }),
  letRest: call({
    method: 'POST',
    path: '/jobs/given-up/let-rest/',
    summary: 'Let jobs rest that used up their tries: they are not done, and no longer named',
    access: 'job.settle',
    body: Chosen,
    returns: Settled,
    refuses: ['tenant.service-only'],
  }),
}
