import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StandInRequest } from './stand-in.ts'

/** What may stand somewhere: a plain value, one of some words, a list, or a shape by its name; `must` names fields of a shape. */
export type Shape = {
  is?: 'string' | 'number' | 'boolean' | 'any'
  one?: readonly string[]
  list?: Shape
  of?: string
  must?: readonly string[]
}
export type Described = {
  method: string
  path: string
  query: Readonly<Record<string, Shape>>
  /** Parameters without which it is refused. */
  must: readonly string[]
  /** The shape of its JSON. */
  body?: string
}

/** A network's own description of its interface, as far as it is asked by us (bin/network-descriptions.ts). */
export type Description = {
  /** The package that it was taken from. */
  source: string
  license: string
  methods: readonly Described[]
  shapes: Readonly<Record<string, Readonly<Record<string, Shape>>>>
}

export const describedBy = (network: 'x' | 'youtube'): Description =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'descriptions', `${network}.json`), 'utf8')) as Description

/** What a network's own description says against a request; null where it fits. `fields`: those of its body, where it is no JSON. */
export const problemBy = (
  { methods, shapes }: Description,
  { method, path, query, body, headers }: StandInRequest,
  fields?: Record<string, unknown>,
): string | null => {
  const found = methods.find(
    (one) => one.method === method && new RegExp(`^${one.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  if (!found) return `there is no ${method} ${path}`
  for (const [name, value] of query) {
    const shape = found.query[name]
    if (!shape) return `${found.path} has no parameter ${name}`
    const problem = problemOfText(shape, value)
    if (problem !== null) return `${name}: ${problem}`
  }
  const missing = found.must.find((name) => !query.has(name))
  if (missing !== undefined) return `${missing} is missing`
  const isJson = (headers['content-type'] ?? '').startsWith('application/json')
  if (fields === undefined && !isJson) return null
  if (found.body === undefined) return 'it takes no body'
  try {
    return problemOf(shapes, { of: found.body }, fields ?? JSON.parse(body.toString()), 'body')
  } catch {
    return 'the body is no JSON'
  }
}

const problemOfText = ({ is, one, list }: Shape, value: string): string | null => {
  if (list)
    return (
      value
        .split(',')
        .map((part) => problemOfText(list, part))
        .find((said) => said !== null) ?? null
    )
  if (one && !one.includes(value)) return `${value} is none of ${one.join(', ')}`
  if (is === 'number' && !/^\d+$/.test(value)) return `${value} is no number`
  return is === 'boolean' && !/^(true|false)$/.test(value) ? `${value} is neither true nor false` : null
}

const problemOf = (shapes: Description['shapes'], shape: Shape, value: unknown, at: string): string | null => {
  if (shape.list) {
    if (!Array.isArray(value)) return `${at} is no list`
    const said = value.map((part, index) => problemOf(shapes, shape.list!, part, `${at}[${index}]`))
    return said.find((one) => one !== null) ?? null
  }
  if (shape.one) return shape.one.includes(String(value)) ? null : `${at} is none of ${shape.one.join(', ')}`
  if (shape.of === undefined) return shape.is === 'any' || typeof value === shape.is ? null : `${at} is no ${shape.is}`
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at} is no object`
  const fields = shapes[shape.of]!
  const missing = fields['*']?.must?.find((name) => !(name in value))
  if (missing !== undefined) return `${at}.${missing} is missing`
  for (const [name, part] of Object.entries(value)) {
    const own = name === '*' ? undefined : fields[name]
    const said = own ? problemOf(shapes, own, part, `${at}.${name}`) : `${at} has no ${name}`
    if (said !== null) return said
  }
  return null
}
