import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { vi } from 'vitest'
import type { TestDatabase } from './database.ts'
import { openService } from './service.ts'

/**
 * Two walls stand between tenants: row-level security, and each query's own condition. Either must hold alone.
 * Nothing in the product can take one down; these tests do it from outside: it rewrites statements on their way to
 * PostgreSQL, or lets the product connect as a role that no policy binds.
 */
export const walls = {
  'both walls': () => openService(),
  'row-level security alone': () => {
    takeDownConditions()
    return openService()
  },
  'the queries’ own conditions alone': () => openService({}, roleWithoutPolicies),
}

// Every condition that the code marks as a wall becomes true, before PostgreSQL sees it.
let rewritten = 0
/** How many conditions became true. */
export const conditionsTakenDown = (): number => rewritten

export const takeDownConditions = () => {
  rewritten = 0
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const without = (text: string) => text.replaceAll('/* wall */', () => (rewritten++, 'true or'))
    const [first, ...rest] = args
    if (typeof first === 'string') return query.call(this, without(first), ...rest)
    const { text } = first as { text?: string }
    return query.call(this, text === undefined ? first : { ...(first as object), text: without(text) }, ...rest)
  } as typeof pg.Client.prototype.query)
}

/** A role with the product's rights that row-level security does not bind; the product itself would refuse it. */
export const roleWithoutPolicies = async ({ appUrl, superuserUrl }: TestDatabase): Promise<string> => {
  const [name, password] = [`unbound_${randomBytes(6).toString('hex')}`, randomUUID()]
  const superuser = new pg.Client({ connectionString: superuserUrl })
  await superuser.connect()
  await superuser.query(`create role ${name} login bypassrls password '${password}' in role clear_app`)
  await superuser.end()
  const url = new URL(appUrl)
  url.username = name
  url.password = password
  return url.href
}

/** Puts the queries' conditions back. */
export const restoreConditions = () => {
  vi.restoreAllMocks()
  rewritten = 0
}
