import { z } from 'zod'
import { keyDays, scopes } from '@clear-to-post/domain/scopes'
import { call } from './call.ts'
import { PageQuery, pageOf } from './page.ts'
import { visible } from './visible.ts'

const Moment = z.iso.datetime()
const Scope = z.enum(scopes)

/** A key by which a program calls in the name of its owner, a person or a company itself, without the key itself. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** How the key begins. */
  prefix: z.string(),
  scopes: z.array(Scope).max(scopes.length),
  createdAt: Moment,
  endsAt: Moment,
  /** To the minute. */
  lastUsedAt: Moment.nullable(),
  /** `over`: its time has run out; `ended`: its owner's sessions were ended, or their role, company or password changed. */
  state: z.enum(['good', 'over', 'revoked', 'ended']),
})
export type ApiKey = z.infer<typeof ApiKey>

/** The same, with whose it is. `isCompanys`: the company's own, which has no address. */
export const OwnedApiKey = ApiKey.extend({
  ownerName: z.string(),
  ownerEmail: z.string(),
  isCompanys: z.boolean().optional(),
})
export type OwnedApiKey = z.infer<typeof OwnedApiKey>

export const apiKeys = {
  list: call({
    method: 'GET',
    path: '/api-keys/',
    summary: 'My keys for programs, the newest first, and what I may allow one',
    access: 'signed-in',
    returns: z.object({
      items: z.array(ApiKey),
      offered: z.array(Scope).max(scopes.length),
      /** What I may allow one of my company's own; empty for whoever makes none. */
      offeredForCompany: z.array(Scope).max(scopes.length),
    }),
    refuses: [],
  }),
  create: call({
    method: 'POST',
    path: '/api-keys/',
    summary: 'Make a key for a program; the key is answered this once and never again',
    access: 'signed-in',
    needsFreshSignIn: true,
    needsVerifiedAddress: true,
    body: z.strictObject({
      name: visible(80),
      scopes: z.array(Scope).min(1).max(scopes.length),
      days: z.literal([...keyDays]),
      /** A key of my company's own, as one of its ADMINs: it does not end with who made it. */
      forCompany: z.literal(true).optional(),
    }),
    returns: z.object({ key: z.string(), made: ApiKey }),
    creates: true,
    // Its answer is a secret.
    unrecorded: true,
    refuses: ['api-key.too-many', 'api-key.not-yours'],
  }),
  revoke: call({
    method: 'POST',
    path: '/api-keys/:keyId/revoke/',
    summary: 'End a key of mine, or as an ADMIN one of my company or of somebody of it; from now on it is refused',
    access: 'signed-in',
    params: z.object({ keyId: z.uuid() }),
    returns: ApiKey,
    refuses: ['api-key.not-found'],
  }),
  ofCompany: call({
    method: 'GET',
    path: '/api-keys/list/',
    summary: 'The keys of everybody within my reach, and of the companies themselves',
    access: 'api-key.list',
    query: PageQuery,
    page: {
      filters: { owner: 'search', ownerId: 'uuid', isGood: 'boolean', createdAt: 'time' },
      orders: ['createdAt', 'endsAt'],
      defaultOrder: 'createdAt:desc',
    },
    returns: pageOf(OwnedApiKey),
    refuses: [],
  }),
}
