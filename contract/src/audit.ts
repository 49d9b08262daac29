import { z } from 'zod'
import { auditActs, auditFaults, auditKinds } from '@clear-to-post/domain/audit'
import { roles } from '@clear-to-post/domain/roles'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'

/** A longer value is cut to this many characters. */
export const longestAuditValue = 600
/** So many links of the chains are checked by one call. */
export const auditPortion = 2000

const Named = z.object({ id: z.string(), name: z.string().optional() })

export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** Absent: the service itself, or somebody who was not signed in. Without a name: somebody out of the caller's reach. */
  actor: Named.optional(),
  actorRole: z.enum(roles),
  /** The API key by which a program did it in the actor's name. Without a name: it is gone, or out of the caller's reach. */
  key: Named.optional(),
  kind: z.enum(auditKinds),
  act: z.enum(auditActs),
  subject: Named,
  /** The company in whose chain it stands; absent: the service's. */
  company: Named.optional(),
  /** A value that is absent was empty. Of what `isHidden` only that it changed is kept. */
  changes: z
    .array(
      z.object({
        field: z.string(),
        from: z.string().optional(),
        to: z.string().optional(),
        isHidden: z.boolean().optional(),
      }),
    )
    .max(500),
  /** The values went with the person whose they were. */
  isErased: z.boolean(),
  /** Its place in its chain and its link, sha-256 in hex; absent for the seconds until it has one. */
  seq: z.number().int().optional(),
  hash: z.string().optional(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const audit = {
  list: call({
    method: 'GET',
    path: '/audit/list/',
    summary:
      'Who changed what of people, companies, plans, triggers, criteria and settings; a company’s administrator sees its own',
    access: 'audit.read',
    query: PageQuery,
    page: {
      filters: {
        words: 'search',
        kind: 'text',
        act: 'text',
        at: 'time',
        actorId: 'uuid',
        personId: 'uuid',
        subjectId: 'text',
        tenantId: 'uuid',
      },
      orders: ['at'],
      defaultOrder: 'at:desc',
    },
    returns: pageOf(AuditEntry),
    refuses: [],
  }),
  verify: call({
    method: 'GET',
    path: '/audit/verify/',
    summary: 'Checks a portion of the chains in my reach: every link is made anew from what stands there',
    access: 'audit.read',
    query: z.strictObject({
      /** The `next` of the portion before. */
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
    }),
    returns: z.object({
      checked: z.number().int(),
      /** Of these the values went with their person; the links hold. */
      erased: z.number().int(),
      /** So many entries wait for a link; said by the first portion. */
      waiting: z.number().int(),
      faults: z
        .array(
          z.object({
            fault: z.enum(auditFaults),
            seq: z.number().int(),
            entryId: z.uuid(),
            at: z.iso.datetime().optional(),
          }),
        )
        .max(auditPortion),
      /** Null: there is no more. */
      next: z.number().int().nullable(),
    }),
    refuses: [],
  }),
}
