import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallShape } from '@clear-to-post/contract/call'
import { mayEver } from '@clear-to-post/domain/access'
import type { Role } from '@clear-to-post/domain/roles'

/** Every column of every table outside PostgreSQL's own schemas: `person.email`, `pgboss.job.data`. Partitions by their parent. */
export const columnsOf = async (superuserUrl: string): Promise<{ table: string; column: string }[]> =>
  withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ schema: string; name: string; column: string }>(`
      select n.nspname as schema, c.relname as name, a.attname as column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      order by 1, 2, a.attnum`)
    return rows.map(({ schema, name, column }) => ({ table: schema === 'public' ? name : `${schema}.${name}`, column }))
  })

/**
 * Where any of these words stands: every column of every table, the planner's samples, and every file below `folder` with
 * its name. In whatever letters and as whatever a row shows them: text, JSON, arrays, and bytes as hex.
 */
export const placesOf = async (
  { superuserUrl, folder }: { superuserUrl: string; folder: string },
  words: readonly string[],
): Promise<string[]> => {
  const patterns = words.flatMap((word) => [patternOf(word), Buffer.from(word).toString('hex')])
  const found = await withClient(superuserUrl, async (client) => {
    const hits: string[] = []
    for (const { table, column } of await columnsOf(superuserUrl)) {
      const from = table
        .split('.')
        .map((part) => client.escapeIdentifier(part))
        .join('.')
      const { rows } = await client.query(
        `select from ${from} t where t.${client.escapeIdentifier(column)}::text ~* any($1) limit 1`,
        [patterns],
      )
      if (rows.length > 0) hits.push(`${table}.${column}`)
    }
    const samples = await client.query<{ place: string }>(
      `select distinct tablename || '.' || attname as place from pg_stats
       where schemaname not in ('pg_catalog', 'information_schema')
         and (most_common_vals::text ~* any($1) or histogram_bounds::text ~* any($1))`,
      [patterns],
    )
    return [...hits, ...samples.rows.map(({ place }) => `sample of ${place}`)]
  })
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const text = entry.isFile() ? await readFile(path, 'latin1') : ''
    if (words.some((word) => new RegExp(patternOf(word), 'i').test(`${path}\n${text}`)))
      found.push(`file ${relative(folder, path)}`)
  }
  return found.toSorted()
}

/** Lets the planner take its samples, as autovacuum does at any moment. */
export const takeSamples = (superuserUrl: string) => withClient(superuserUrl, (client) => client.query('analyze'))

/** Some digits count as a number by itself only: times, ids and hashes hold any four of them by chance. */
const patternOf = (word: string): string =>
  /^\d+$/.test(word) ? `(^|[^0-9a-z-])${word}($|[^0-9a-z-])` : word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The fields into which somebody of this role can write what they like: `projects.create.body.title`. */
export const textFields = (role: Role): string[] =>
  everyCall
    .filter(({ shape: { access } }) => access === 'anyone' || access === 'signed-in' || mayEver(role, access))
    .flatMap(({ name, shape }) => [
      ...(shape.body ? textsIn(schemaOf(shape.body), `${name}.body`) : []),
      // What pages are filtered by is not kept.
      ...(shape.query && !shape.page ? textsIn(schemaOf(shape.query), `${name}.query`) : []),
    ])
    .filter((path, i, all) => all.indexOf(path) === i)

/** The fields of an input that hold the mark. */
export const markedFields = (shape: CallShape, input: unknown, mark: RegExp): string[] => {
  const name = everyCall.find((call) => call.shape === shape)!.name
  const walk = (value: unknown, path: string): string[] => {
    if (typeof value === 'string') return mark.test(value) ? [path] : []
    if (Array.isArray(value)) return value.flatMap((one) => walk(one, `${path}[]`))
    if (value === null || typeof value !== 'object') return []
    return Object.entries(value).flatMap(([key, one]) => walk(one, `${path}.${key}`))
  }
  return walk(input, name)
}

type Json = {
  type?: string
  anyOf?: Json[]
  properties?: Record<string, Json>
  items?: Json
  enum?: unknown
  const?: unknown
  format?: string
  pattern?: string
}
const schemaOf = (shape: z.ZodType): Json => z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }) as Json

const textsIn = (schema: Json, path: string): string[] => {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => textsIn(one, path))
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => textsIn(one, `${path}.${key}`))
  if (schema.type === 'array') return schema.items ? textsIn(schema.items, `${path}[]`) : []
  const isFree = schema.type === 'string' && !('enum' in schema) && !('const' in schema)
  // An address of a page is free text, too: whatever follows its host.
  return isFree && !schema.pattern && (!schema.format || schema.format === 'uri') ? [path] : []
}

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
