import type { z } from 'zod'
import type { Permission } from '@clear-to-post/domain/access'
import type { Scope } from '@clear-to-post/domain/scopes'
import type { RefusalCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: `anyone` and `signed-in` are said aloud; everything else is a row of the domain's access table. */
export type Access = 'anyone' | 'signed-in' | Permission

/** The filters and orders a paged call declares; anything else is refused by name. Field → how its values are read. `words`: a list, of which one word is meant; `search`: words that may stand in any of several places. */
export type PageRules = {
  filters: Readonly<Record<string, 'number' | 'text' | 'uuid' | 'time' | 'boolean' | 'words' | 'search'>>
  orders: readonly string[]
  defaultOrder: `${string}:${'asc' | 'desc'}`
}

export type CallShape = {
  method: Method
  /** Below `base`, as in the specification, with the trailing slash where it has one; both spellings answer. */
  path: `/${string}`
  /** `/api` unless said. */
  base?: '/api' | '/identity'
  summary: string
  access: Access
  /** By which a key for programs may make this call: where `access` is `signed-in`, or leads to another scope. */
  scope?: Scope
  /** Refused with `account.unverified` until the caller has shown that their address is theirs. */
  needsVerifiedAddress?: true
  /**
   * Refused with `session.not-fresh` unless the caller signed in on this device, or confirmed with their password, within the
   * last `freshMinutes` (domain/second-factor.ts). A list: only where the body names one of these fields.
   */
  needsFreshSignIn?: true | readonly string[]
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** Also takes `application/x-www-form-urlencoded`. */
  form?: true
  page?: PageRules
  returns: z.ZodType
  /** 201 for a call that creates; the created thing is the body. Some create only when their body names no `id`. */
  creates?: true | 'without-id'
  /** Requests one address may make in a minute; for calls open to anyone. */
  perMinute?: number
  /** Asks a service outside while the caller waits: `outsidePerMinute` (domain/most-kept.ts) of them for each person. */
  asksOutside?: true
  /** Request ids make no replay here: the answer carries a secret that is not kept, or repeats are harmless. */
  unrecorded?: true
  /** Whatever is wrong with the request answers this, with 200: the page that calls must never hear of a failure. */
  neverFails?: unknown
  refuses: readonly RefusalCode[]
}

/** The statuses with which a call may succeed. */
export const successesOf = ({ creates }: CallShape): readonly (200 | 201)[] =>
  creates === 'without-id' ? [200, 201] : [creates ? 201 : 200]

/** Whether a call with this body needs a fresh sign-in; `data.name` is a field within a field. */
export const needsFreshSignIn = ({ needsFreshSignIn: needs = [] }: CallShape, body: unknown): boolean =>
  needs === true || needs.some((field) => valueAt(body, field.split('.')) !== undefined)

const valueAt = (value: unknown, names: readonly string[]): unknown =>
  names.reduce((within: unknown, name) => (within as Record<string, unknown> | undefined)?.[name], value)

/** Declares one call. The value is all that server, client, OpenAPI and tests read. */
export const call = <const C extends CallShape>(shape: C): C => shape

type In<S> = S extends z.ZodType ? z.input<S> : never
type Out<S> = S extends z.ZodType ? z.output<S> : undefined

/** What a client hands over. */
export type CallInput<C extends CallShape> = (C['params'] extends z.ZodType ? { params: In<C['params']> } : unknown) &
  (C['query'] extends z.ZodType ? { query?: In<C['query']> } : unknown) &
  (C['body'] extends z.ZodType
    ? undefined extends In<C['body']>
      ? { body?: In<C['body']> }
      : { body: In<C['body']> }
    : unknown)

/** What a handler receives, read and checked. */
export type CallRequest<C extends CallShape> = {
  params: Out<C['params']>
  query: Out<C['query']>
  body: Out<C['body']>
}

/** What the call answers. */
export type CallAnswer<C extends CallShape> = z.output<C['returns']>

/** What a handler may return: the answer before zod has read it. */
export type CallReply<C extends CallShape> = z.input<C['returns']>
