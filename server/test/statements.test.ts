import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SymbolFlags, type Checker, type Type } from 'typescript/unstable/sync'
import '../src/kernel/database.ts'
import { freshDatabase } from './database.ts'
import { readStatements, type Statement } from './statements.ts'

/**
 * Each `sql<Row>` declares the columns that PostgreSQL returns for the statement: PostgreSQL parses and describes each one,
 * and runs none.
 */
let client: pg.Client
let types: Map<number, PgType>
let columns: Map<string, { name: string; isNotNull: boolean }>
let read: ReturnType<typeof readStatements>

beforeAll(async () => {
  const { superuserUrl } = await freshDatabase()
  client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const found = await client.query<{ oid: number; name: string; element: number }>(
    `select oid::int, typname as name, case when typcategory = 'A' then typelem::int else 0 end as element from pg_type`,
  )
  types = new Map(found.rows.map(({ oid, name, element }) => [oid, { name, element }]))
  const attributes = await client.query<{ key: string; name: string; not_null: boolean }>(
    `select attrelid || ' ' || attnum as key, attname as name, attnotnull as not_null from pg_attribute where attnum > 0`,
  )
  columns = new Map(attributes.rows.map(({ key, name, not_null }) => [key, { name, isNotNull: not_null }]))
  read = readStatements()
})
afterAll(async () => {
  read?.done()
  await client?.end()
})

it('every SQL statement of the server is valid in PostgreSQL and returns what its row type declares', async () => {
  expect(read.statements.length).toBeGreaterThan(300)
  const faults: string[] = []
  for (const statement of read.statements)
    for (const text of statement.texts) faults.push(...(await faultsOf(statement, text)))
  expect(faults).toEqual([])
})

it('every SQL statement can be checked, except the listed ones with columns known only at run time', () => {
  expect(read.unread.sort()).toEqual(putTogether)
})

it('no SQL statement selects “*”', () => {
  const everything = read.statements.filter(({ texts }) =>
    texts.some((text) => /\bselect\s+(\w+\.)?\*|,\s*\w+\.\*|\breturning\s+(\w+\.)?\*/i.test(text)),
  )
  expect(everything.map(({ at }) => at)).toEqual([])
})

it('the driver returns each SQL type as the kind that row types are compared with', async () => {
  const samples = Object.entries(kinds).map(([name, { sample }]) => `${sample}::${name}`)
  const { rows } = await client.query({ text: `select ${samples.join(', ')}`, rowMode: 'array' })
  const handed = (rows[0] as unknown[]).map(kindOf)
  expect(handed).toEqual(Object.values(kinds).map(({ kind }) => kind))
})

/** Changes of a row by the names of their columns, and the columns of a table that an export gives. */
const putTogether = [
  'server/src/accounts/store.ts: sql.ref(name)',
  'server/src/personal-data/exports.ts: sql.ref(name)',
  'server/src/personal-data/removal-store.ts: sql.table(table)',
  'server/src/projects/store.ts: sql.ref(name)',
  'server/src/tenants/store.ts: sql.ref(name)',
  'server/src/tenants/store.ts: sql.ref(name)',
]

type PgType = { name: string; element: number }
type Kind = 'number' | 'string' | 'boolean' | 'Date' | 'Buffer' | 'json'

const kinds: Record<string, { kind: Kind; sample: string }> = {
  int2: { kind: 'number', sample: '1' },
  int4: { kind: 'number', sample: '1' },
  int8: { kind: 'number', sample: '1' },
  float4: { kind: 'number', sample: '1' },
  float8: { kind: 'number', sample: '1' },
  numeric: { kind: 'number', sample: '1' },
  text: { kind: 'string', sample: `'a'` },
  varchar: { kind: 'string', sample: `'a'` },
  uuid: { kind: 'string', sample: `'00000000-0000-4000-8000-000000000000'` },
  date: { kind: 'string', sample: `'2026-01-01'` },
  time: { kind: 'string', sample: `'10:00'` },
  bool: { kind: 'boolean', sample: 'true' },
  timestamptz: { kind: 'Date', sample: `'2026-01-01'` },
  bytea: { kind: 'Buffer', sample: `'a'` },
  json: { kind: 'json', sample: `'{}'` },
  jsonb: { kind: 'json', sample: `'{}'` },
}

const kindOf = (value: unknown): Kind => {
  if (value instanceof Date) return 'Date'
  if (Buffer.isBuffer(value)) return 'Buffer'
  return typeof value === 'object' ? 'json' : (typeof value as Kind)
}

const faultsOf = async ({ at, row }: Statement, text: string): Promise<string[]> => {
  const described = await describe(text).catch((error: unknown) => String((error as Error).message))
  if (typeof described === 'string') return [`${at}: ${described} in ${text.replace(/\s+/g, ' ')}`]
  if (row === undefined) return []
  const { checker } = read
  const declared = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]))
  const wrong = described.flatMap((field) => {
    const property = declared.get(field.name)
    if (!property) return [`${field.name} is read and not declared`]
    return faultsOfColumn(field, checker.getTypeOfSymbol(property)!, text, checker)
  })
  const names = new Set(described.map(({ name }) => name))
  const missing = [...declared]
    .filter(([name, { flags }]) => !names.has(name) && !(flags & SymbolFlags.Optional))
    .map(([name]) => `${name} is declared and not read`)
  return [...wrong, ...missing].map((fault) => `${at}: ${fault}`)
}

const faultsOfColumn = (field: pg.FieldDef, declared: Type, text: string, checker: Checker): string[] => {
  const type = checker.typeToString(declared)
  const parts = declared.isUnionType() ? declared.getTypes() : [declared]
  const nulls = parts.filter((part) => checker.typeToString(part) === 'null')
  const values = parts.filter((part) => !nulls.includes(part))
  const { name } = types.get(field.dataTypeID)!
  const faults = values.every((one) => fits(one, field.dataTypeID, checker))
    ? []
    : [`${field.name} is ${name}, not ${type}`]
  const column = columns.get(`${field.tableID} ${field.columnID}`)
  const isFound =
    column && new RegExp(`\\b${column.name}\\s*(is\\s+not\\s+null|[=<>]|in\\b)`, 'i').test(conditionsOf(text))
  if (column && !column.isNotNull && nulls.length === 0 && !isFound && !isJson(field.dataTypeID))
    faults.push(`${field.name} may be null, not ${type}`)
  return faults
}

/** What a comparison has found is not null. */
const conditionsOf = (text: string): string => text.slice(text.search(/\bwhere\b/i))

const isJson = (oid: number): boolean => /^jsonb?$/.test(types.get(oid)!.name)

/** Whether every value of the declared type could come in this column, apart from null. */
const fits = (declared: Type, oid: number, checker: Checker): boolean => {
  const { name, element } = types.get(oid)!
  if (element !== 0)
    return (
      checker.isArrayLikeType(declared) &&
      checker.getTypeArguments(declared as never).every((one) => fits(one, element, checker))
    )
  switch (kinds[name]?.kind) {
    case 'number':
      return checker.isTypeAssignableTo(declared, checker.getNumberType())
    case 'string':
      return checker.isTypeAssignableTo(declared, checker.getStringType())
    case 'boolean':
      return checker.isTypeAssignableTo(declared, checker.getBooleanType())
    case 'Date':
    case 'Buffer':
      return declared.getSymbol()?.name === kinds[name].kind
    case 'json':
      return true
    default:
      return false
  }
}

/** The columns that PostgreSQL says a statement returns; it is parsed, and not run. */
const describe = (text: string): Promise<pg.FieldDef[]> =>
  new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = []
    const description = {
      submit: (connection: pg.Connection) => {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => (fields = message.fields),
      handleReadyForQuery: () => resolve(fields),
      handleError: reject,
    }
    client.query(description)
  })
