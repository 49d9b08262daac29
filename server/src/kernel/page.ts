import type { PageRules } from '@clear-to-post/contract/call'
import { refusal } from '@clear-to-post/contract/errors'
import { operations, type Operation, type PageQuery } from '@clear-to-post/contract/page'
import { sql, type Reader } from './database.ts'
import type { RawBuilder } from 'kysely'

/**
 * How a call's declared fields stand in SQL: the expression for each filter and order, and the row's id.
 * An order that makes sense within some rows only says within which.
 */
export type PageColumns = {
  columns: Readonly<Record<string, RawBuilder<unknown>>>
  id: RawBuilder<unknown>
  orderedWithin?: Readonly<Record<string, RawBuilder<unknown>>>
  /** The condition of each `search`, by its words: each place by `holds`. */
  searches?: Readonly<Record<string, (words: string) => RawBuilder<unknown>>>
}

/**
 * Runs one keyset page: it costs the same at any depth. `select` is handed the page's condition, order and limit
 * and must select `page_key` (text) and `page_id` beside its own columns, as `keys` prints them.
 * Throws `request.invalid` naming any field or operation that the call does not declare.
 */
export const page = async <Row extends { page_key: string | null; page_id: string }>(
  tx: Reader,
  rules: PageRules,
  { columns, id, orderedWithin = {}, searches = {} }: PageColumns,
  query: PageQuery,
  select: (parts: {
    where: RawBuilder<unknown>
    tail: RawBuilder<unknown>
    keys: RawBuilder<unknown>
  }) => RawBuilder<Row>,
): Promise<{ rows: Row[]; nextCursor: string | null }> => {
  const [field, direction] = (query.orderBy ?? rules.defaultOrder).split(':') as [string, 'asc' | 'desc']
  if (!rules.orders.includes(field))
    throw invalid('orderBy', `Order by ${rules.orders.join(', ')}; “${field}” is not one of them`)
  const column = columns[field]!
  const down = direction === 'desc'
  const conditions = (query.wheres ?? []).map((text) => condition(rules, columns, searches, text))
  const after = query.cursor === undefined ? null : readCursor(query.cursor, field, direction)
  // What has no key has no place in this order, and could not be found again by a cursor.
  conditions.push(sql`${column} is not null`)
  if (orderedWithin[field]) conditions.push(orderedWithin[field])
  if (after) conditions.push(sql`(${column}, ${id}) ${down ? sql`<` : sql`>`} (${after.key}, ${after.id}::uuid)`)
  const order = down ? sql`desc` : sql`asc`
  // The limit is written out: a plan that is kept must know that only a page is wanted.
  const rows = await tx
    .rows(
      select({
        where: sql.join(conditions, sql` and `),
        tail: sql`order by ${column} ${order}, ${id} ${order} limit ${sql.raw(String(query.perPage + 1))}`,
        keys: sql`${column}::text as page_key, ${id} as page_id`,
      }),
    )
    .catch((error: unknown) => {
      // Filters were read as what they must be; a key that its column cannot read came with a cursor.
      throw after && (error as { code?: string }).code?.startsWith('22') ? noCursor() : error
    })
  const more = rows.length > query.perPage
  const items = more ? rows.slice(0, query.perPage) : rows
  const last = items.at(-1)
  return { rows: items, nextCursor: more && last ? writeCursor(field, direction, last.page_key, last.page_id) : null }
}

/**
 * Whether a text holds these words, in any case. They are looked for in one go, as a pattern in which no sign means anything
 * (`***=`): ILIKE begins anew at each letter, and of a text that nearly holds them all along each of those goes far.
 */
export const holds = (text: RawBuilder<unknown>, words: string): RawBuilder<unknown> =>
  sql`${text} ~* ${`***=${words}`}`

const condition = (
  rules: PageRules,
  columns: PageColumns['columns'],
  searches: NonNullable<PageColumns['searches']>,
  text: string,
): RawBuilder<unknown> => {
  const [field = '', operation = '', ...rest] = text.split(':')
  const value = rest.join(':')
  // `constructor` and its like are on every object, and no field of ours.
  if (value.includes('\0')) throw invalid('wheres', 'A value holds a character that cannot be kept')
  const kind = Object.hasOwn(rules.filters, field) ? rules.filters[field] : undefined
  const column = columns[field]
  const search = kind === 'search' ? searches[field] : undefined
  if (kind === undefined || (column === undefined && search === undefined))
    throw invalid('wheres', `Filter by ${Object.keys(rules.filters).join(', ')}; “${field}” is not one of them`)
  if (!operations.includes(operation as Operation) || !allowed[kind].includes(operation as Operation))
    throw invalid('wheres', `“${field}” takes ${allowed[kind].join(', ')}; “${operation}” is not one of them`)
  if (search !== undefined) return search(value)
  if (column === undefined) throw new Error(`${field} has no column`)
  if (kind === 'words') return ofWords(column, operation as Operation, value)
  const read = (raw: string) => readValue(kind, field, raw)
  switch (operation as Operation) {
    case 'in':
      return sql`${column} in (${sql.join(valuesOf(value).map(read))})`
    case 'contains':
      return holds(column, value)
    case 'startsWith':
      return sql`${column} ilike ${`${escapeLike(value)}%`}`
    // What has no value is another, too.
    case 'ne':
      return sql`${column} is distinct from ${read(value)}`
    default:
      return sql`${column} ${sql.raw(comparisons[operation as keyof typeof comparisons])} ${read(value)}`
  }
}

const ofWords = (list: RawBuilder<unknown>, operation: Operation, value: string): RawBuilder<unknown> => {
  const some = (one: RawBuilder<unknown>) => sql`exists (select from unnest(${list}) as word where ${one})`
  switch (operation) {
    case 'contains':
      return some(holds(sql`word`, value))
    case 'startsWith':
      return some(sql`word ilike ${`${escapeLike(value)}%`}`)
    case 'ne':
      return sql`not ${some(sql`word = ${value}`)}`
    default:
      return some(sql`word = any(${operation === 'in' ? valuesOf(value) : [value]}::text[])`)
  }
}

const valuesOf = (value: string): string[] => {
  const values = value.split(',')
  if (values.length > 100) throw invalid('wheres', `“in” takes at most 100 values; these are ${values.length}`)
  return values
}

const comparisons = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const
const equality = ['eq', 'ne', 'in'] as const
const range = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in'] as const
const allowed: Record<PageRules['filters'][string], readonly Operation[]> = {
  number: range,
  time: range,
  uuid: equality,
  boolean: ['eq', 'ne'],
  text: operations,
  words: ['eq', 'ne', 'in', 'contains', 'startsWith'],
  search: ['contains'],
}

const readValue = (kind: PageRules['filters'][string], field: string, raw: string): string | number | boolean => {
  const wrong = () => invalid('wheres', `“${raw}” is no value for ${field}`)
  switch (kind) {
    case 'number': {
      const number = Number(raw)
      if (raw === '' || !Number.isFinite(number) || Math.abs(number) > 2 ** 31 - 1) throw wrong()
      return number
    }
    case 'boolean':
      if (raw !== 'true' && raw !== 'false') throw wrong()
      return raw === 'true'
    case 'uuid':
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(raw)) throw wrong()
      return raw
    case 'time': {
      const at = /^\d{4}-\d{2}-\d{2}/.test(raw) ? Date.parse(raw) : Number.NaN
      // The database's years have four digits, and none is 0.
      if (Number.isNaN(at) || !/^(?!0000)\d{4}-/.test(new Date(at).toISOString())) throw wrong()
      return new Date(at).toISOString()
    }
    case 'text':
    case 'words':
    case 'search':
      return raw
  }
}

const writeCursor = (field: string, direction: string, key: string | null, id: string): string =>
  Buffer.from(JSON.stringify([field, direction, key, id])).toString('base64url')

const readCursor = (cursor: string, field: string, direction: string): { key: string; id: string } => {
  try {
    const [f, d, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (f === field && d === direction && typeof key === 'string' && typeof id === 'string')
      return { key: checkedKey(key), id: readValue('uuid', 'cursor', id) as string }
  } catch {
    // Falls through to the one answer for every cursor that is not ours.
  }
  throw noCursor()
}

const noCursor = () => invalid('cursor', 'This cursor does not belong to this list. Start from the first page')

// The key is compared as the column's own type, so it must read as one: a number, an instant or any text.
const checkedKey = (key: string): string => {
  if (key.includes('\0')) throw new Error('bad key')
  return key
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, (c) => `\\${c}`)

const invalid = (path: string, message: string) => refusal('request.invalid', `${message}.`, [{ path, message }])
