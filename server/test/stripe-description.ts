import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Stripe's published description of its API as its SDK brings it along: the `.d.ts` files "generated from our OpenAPI spec"
 * of the pinned version. Read here as data, so that requests are judged as they arrive, after the SDK has written them.
 */
const folder = join(dirname(fileURLToPath(import.meta.resolve('stripe'))), 'resources')

type Field = { type: string; isOptional: boolean }
type Described = { interfaces: Map<string, Map<string, Field>>; aliases: Map<string, string> }

/** What is wrong with a request's parameters by the description; empty when nothing is. */
export const problemsOf = (file: string, name: string, params: unknown): string[] => {
  const described = read(file)
  if (!described.interfaces.has(name)) throw new Error(`Stripe describes no ${name} in ${file}`)
  return check(described, name, '', params, 'params')
}

/** `items[0][price]=a` → `{ items: [{ price: 'a' }] }`. */
export const decode = (form: URLSearchParams): unknown => {
  const root: Record<string, unknown> = {}
  for (const [key, value] of form) {
    const path = key.split(/[[\]]+/).filter(Boolean)
    let at = root
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>
    at[path.at(-1)!] = value
  }
  return listed(root)
}

const listed = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, listed(one)] as const)
  return entries.length > 0 && entries.every(([key], index) => key === String(index))
    ? entries.map(([, one]) => one)
    : Object.fromEntries(entries)
}

const cache = new Map<string, Described>()
const read = (file: string): Described => {
  const known = cache.get(file)
  if (known) return known
  const text = readFileSync(join(folder, `${file}.d.ts`), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
  const described: Described = { interfaces: new Map(), aliases: new Map() }
  const scope: (string | null)[] = []
  let fields: Map<string, Field> | undefined
  const full = (name: string) => [...scope.filter((one) => one !== null), name].join('.')
  for (const line of text.split('\n')) {
    const space = /\bnamespace (\w+) \{/.exec(line)
    const shape = /\binterface (\w+)(?: extends (\w+))? \{/.exec(line)
    const alias = /^\s*(?:export )?type (\w+) = (.*);/.exec(line)
    const field = /^\s*['"]?([\w-]+)['"]?(\?)?: (.*);$/.exec(line)
    if (shape) {
      fields = new Map()
      if (shape[2] === 'PaginationParams')
        for (const [name, type] of [
          ['limit', 'number'],
          ['starting_after', 'string'],
          ['ending_before', 'string'],
        ] as const)
          fields.set(name, { type, isOptional: true })
      described.interfaces.set(full(shape[1]!), fields)
      if (!line.includes('}')) scope.push(null)
    } else if (space) scope.push(space[1]!)
    else if (alias) described.aliases.set(full(alias[1]!), alias[2]!)
    else if (field && fields) fields.set(field[1]!, { type: field[3]!, isOptional: field[2] === '?' })
    else if (/\{\s*$/.test(line)) scope.push(null)
    else if (/^\s*\}/.test(line)) scope.pop()
  }
  cache.set(file, described)
  return described
}

const check = (described: Described, type: string, scope: string, value: unknown, at: string): string[] => {
  const options = unionOf(type)
  if (options.length > 1) {
    const all = options.map((option) => check(described, option, scope, value, at))
    return all.some((problems) => problems.length === 0) ? [] : all.toSorted((a, b) => a.length - b.length)[0]!
  }
  const wrong = [`${at} is ${JSON.stringify(value)}, not ${type}`]
  const generic = /^(Array|Emptyable)<(.*)>$/.exec(type)
  if (generic?.[1] === 'Emptyable') return value === '' ? [] : check(described, generic[2]!, scope, value, at)
  if (generic)
    return Array.isArray(value)
      ? value.flatMap((one, index) => check(described, generic[2]!, scope, one, `${at}[${index}]`))
      : wrong
  if (type.startsWith("'")) return value === type.slice(1, -1) ? [] : wrong
  if (type === 'string') return typeof value === 'string' ? [] : wrong
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(String(value)) ? [] : wrong
  if (type === 'boolean') return value === 'true' || value === 'false' ? [] : wrong
  if (type === 'MetadataParam' || type === 'RangeQueryParam')
    return typeof value === 'object' && Object.values(value!).every((one) => typeof one === 'string') ? [] : wrong
  // Anything else than what is listed would be a word that only a later version knows.
  if (type === 'OtherString') return wrong
  const [name, fields] = find(described.interfaces, scope, type)
  if (fields) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
    const given = value as Record<string, unknown>
    const unknown = Object.keys(given).filter((key) => !fields.has(key))
    const missing = [...fields].filter(([key, { isOptional }]) => !isOptional && !(key in given)).map(([key]) => key)
    return [
      ...unknown.map((key) => `${at}.${key} is not described`),
      ...missing.map((key) => `${at}.${key} is missing`),
      ...Object.entries(given).flatMap(([key, one]) =>
        fields.has(key) ? check(described, fields.get(key)!.type, name, one, `${at}.${key}`) : [],
      ),
    ]
  }
  const [within, alias] = find(described.aliases, scope, type)
  if (alias === undefined) throw new Error(`Stripe’s description has no ${type} (in ${scope})`)
  return check(described, alias, within.split('.').slice(0, -1).join('.'), value, at)
}

// A name is looked for in the scope it stands in, then outwards.
const find = <T>(map: Map<string, T>, scope: string, name: string): [string, T | undefined] => {
  for (let parts = scope.split('.').filter(Boolean); ; parts = parts.slice(0, -1)) {
    const full = [...parts, name].join('.')
    if (map.has(full)) return [full, map.get(full)]
    if (parts.length === 0) return [name, undefined]
  }
}

const unionOf = (type: string): string[] => {
  const parts: string[] = ['']
  let depth = 0
  for (const sign of type) {
    if (sign === '<') depth++
    if (sign === '>') depth--
    if (sign === '|' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}
