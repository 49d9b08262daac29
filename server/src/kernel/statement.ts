import { Kysely, PostgresDialect, type RawBuilder } from 'kysely'
import pg from 'pg'

// Kysely composes and prints the SQL; the connection is ours.
const printer = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: undefined as never }) })

/** A composed statement as the driver takes it. */
export const printed = (query: RawBuilder<unknown>): pg.QueryConfig => {
  const { sql: text, parameters } = query.compile(printer)
  return named(text, parameters as unknown[])
}

/**
 * A statement that is asked again and again gets a name, under which PostgreSQL keeps it parsed and planned: planning
 * costs more than running most of ours. Rare ones (filters can be combined at will) are not kept.
 */
export const named = (text: string, values: unknown[]): pg.QueryConfig => {
  if (!hasNames) return { text, values }
  const name = names.get(text)
  if (name !== undefined) return { name, text, values }
  if (seen.size > 2000) seen.clear()
  const times = (seen.get(text) ?? 0) + 1
  seen.set(text, times)
  if (times >= fromUse && names.size < mostNames) names.set(text, `s${names.size}`)
  return { text, values }
}

let hasNames = true
/**
 * Whether statements get names, for all of this process. Behind a pooler that lends a connection for one transaction they
 * do not: a name that one client gave is unknown, or another's, on the next connection.
 */
export const useNames = (yes: boolean): void => void (hasNames = yes)

let fromUse = 5
let mostNames = 300
/** From which use on a statement gets a name in this process, and how many do. Each connection keeps what has a name. */
export const nameFrom = (use: number, most: number): void => {
  fromUse = use
  mostNames = most
}

const names = new Map<string, string>()
const seen = new Map<string, number>()

// bigint and numeric arrive as numbers: byte counts and prices stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Days stay the text they are: as a Date they would shift with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
