import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The shape of the contract, as callers depend on it: of each operation, schema and webhook every place (`body.title`,
 * `answer.items[].id`) with what may stand there. Read from the OpenAPI document; words are no part of it.
 */
export type Shape = Record<string, Record<string, Place>>
type Place = {
  /** A JSON type, a reference to a schema (`#Project`), or what an operation as a whole is. */
  is: string
  /** May be left out. */
  optional?: true
  nullable?: true
  values?: readonly unknown[]
  least?: number
  most?: number
  /** Of a text: a digest of the pattern it follows. */
  pattern?: string
}
type Json = Record<string, any>

/** The shape of the last release; `npm run release-fixture` writes it. */
export const releasedFile = join(import.meta.dirname, '../../contract/released.json')
export const releasedShape = (): Shape => JSON.parse(readFileSync(releasedFile, 'utf8')) as Shape

export const changelogFile = join(import.meta.dirname, '../../docs/contract-changelog.md')
const unreleased = '## Not released yet'

/** The changelog once this release is made: what was not released is its section. */
export const released = (page: string, release: string): string =>
  page.replace(`\n${unreleased}\n`, `\n${unreleased}\n\n## ${release}\n`)

/** A line for each place, so that a change is a line of a diff. */
export const writeShape = (shape: Shape): string => {
  const subjects = Object.entries(shape).map(([subject, places]) => {
    const lines = Object.entries(places).map(([place, what]) => `  ${JSON.stringify(place)}: ${JSON.stringify(what)}`)
    return ` ${JSON.stringify(subject)}: {\n${lines.join(',\n')}\n }`
  })
  return `{\n${subjects.join(',\n')}\n}\n`
}

export const shapeOf = (openapi: Json): Shape => {
  const shape: Shape = {}
  for (const [path, methods] of Object.entries(openapi.paths as Json))
    for (const [method, operation] of Object.entries(methods as Json))
      shape[operation.operationId as string] = operationShape(`${method.toUpperCase()} ${path}`, operation)
  for (const [name, schema] of Object.entries(openapi.components.schemas as Json))
    shape[name] = flat(schema as Json, 'answer', false)
  for (const [type, { post }] of Object.entries((openapi.webhooks ?? {}) as Json))
    shape[type] = flat(post.requestBody.content['application/json'].schema, 'answer', false)
  return shape
}

const operationShape = (address: string, operation: Json): Record<string, Place> => {
  const succeeds = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
  const isByKey = (operation.security as Json[]).some((one) => 'apiKey' in one)
  const answer = operation.responses[succeeds[0]!].content?.['application/json']?.schema
  const body = operation.requestBody?.content['application/json']?.schema
  return {
    '': { is: `${address} → ${succeeds.join(', ')}` },
    ...(isByKey ? { 'by API key': { is: 'yes' } } : {}),
    ...Object.assign(
      {},
      ...((operation.parameters ?? []) as Json[]).map((one) =>
        flat(one.schema as Json, `${one.in}.${one.name}`, one.required !== true),
      ),
    ),
    ...(body ? flat(body, 'body', operation.requestBody.required !== true) : {}),
    ...(answer ? flat(answer, 'answer', false) : {}),
  }
}

const flat = (schema: Json, path: string, isOptional: boolean): Record<string, Place> => {
  const more: Partial<Place> = isOptional ? { optional: true } : {}
  const choices = schema.anyOf as Json[] | undefined
  if (choices) {
    const real = choices.filter(({ type }) => type !== 'null')
    const nullable = real.length < choices.length
    if (real.length === 1) {
      const found = flat(real[0]!, path, isOptional)
      return nullable ? { ...found, [path]: { ...found[path]!, nullable: true } } : found
    }
    return Object.assign(
      { [path]: { is: 'one of', ...more, ...(nullable ? { nullable: true } : {}) } },
      ...real.map((one, place) => flat(one, `${path}|${place}`, false)),
    )
  }
  if (schema.$ref) return { [path]: { is: `#${String(schema.$ref).split('/').at(-1)}`, ...more } }
  const properties = Object.entries((schema.properties ?? {}) as Json)
  const required = (schema.required ?? []) as string[]
  const bounds = {
    least: schema.minLength ?? schema.minItems ?? schema.minimum,
    most: schema.maxLength ?? schema.maxItems ?? schema.maximum,
    // A format says more than the pattern that it is written as.
    pattern: schema.pattern && !schema.format ? digest(schema.pattern) : undefined,
    values: schema.enum ?? (schema.const === undefined ? undefined : [schema.const]),
  }
  const own: Place = {
    is: [schema.type ?? 'anything', schema.format].filter(Boolean).join(' '),
    ...more,
    ...(Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined)) as Partial<Place>),
  }
  return Object.assign(
    { [path]: own },
    ...properties.map(([name, one]) => flat(one as Json, `${path}.${name}`, !required.includes(name))),
    schema.items ? flat(schema.items as Json, `${path}[]`, false) : {},
    typeof schema.additionalProperties === 'object'
      ? flat(schema.additionalProperties as Json, `${path}{}`, false)
      : {},
  )
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

export type Change = { subject: string; place: string; what: string; breaks: boolean }

/** What differs, and whether a caller of before may notice: answers may only get more, requests may only ask for less. */
export const changesBetween = (was: Shape, now: Shape): Change[] =>
  [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((subject): Change[] => {
    const [before, after] = [was[subject], now[subject]]
    if (!before) return [{ subject, place: '', what: 'is new', breaks: false }]
    if (!after) return [{ subject, place: '', what: 'is gone', breaks: true }]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((place): Change[] => {
      const found = changeOf(before[place], after[place], isAnswer(place))
      // What a list or an object holds, and parts of it, are said by itself where it is new.
      const isOfNew = place
        .matchAll(/[.[{|]/g)
        .some(({ index }) => !before[place.slice(0, index)] && after[place.slice(0, index)])
      return found ? [{ subject, place, ...found, breaks: found.breaks && !isOfNew }] : []
    })
  })

const isAnswer = (place: string): boolean => place.startsWith('answer')

const changeOf = (
  was: Place | undefined,
  now: Place | undefined,
  ofAnswer: boolean,
): Pick<Change, 'what' | 'breaks'> | undefined => {
  if (!was) return { what: 'is new', breaks: !ofAnswer && now!.is !== 'yes' && now!.optional !== true }
  if (!now) return { what: 'is gone', breaks: true }
  if (was.is !== now.is) return { what: `was ${was.is} and is ${now.is}`, breaks: true }
  const found = differencesOf(was, now)
  if (found.length === 0) return undefined
  return {
    what: found.map(({ what }) => what).join(', '),
    // More may stand there: a request may become so, and an answer may not. Less may: the other way round.
    breaks: found.some(({ isWider, noReaderMinds }) => (ofAnswer ? isWider && !noReaderMinds : !isWider)),
  }
}

/** `noReaderMinds`: whoever reads answers is told to expect it. */
type Difference = { what: string; isWider: boolean; noReaderMinds?: true }

const differencesOf = (was: Place, now: Place): Difference[] => {
  const found: Difference[] = []
  const marks = { optional: 'be left out', nullable: 'be null' } as const
  for (const mark of ['optional', 'nullable'] as const)
    if (was[mark] !== now[mark])
      found.push({ what: `may ${now[mark] ? '' : 'no longer '}${marks[mark]}`, isWider: now[mark] === true })
  const without = ({ values = [] }: Place, { values: others = [] }: Place) =>
    values.filter((one) => !others.includes(one))
  if (was.values && now.values) {
    const [gone, added] = [without(was, now), without(now, was)]
    if (gone.length > 0) found.push({ what: `is no longer ${gone.join(', ')}`, isWider: false })
    if (added.length > 0) found.push({ what: `may be ${added.join(', ')}`, isWider: true, noReaderMinds: true })
  } else if (was.values || now.values) found.push({ what: 'has other values', isWider: !now.values })
  if (was.pattern !== now.pattern)
    found.push({ what: 'has another pattern', isWider: now.pattern === undefined, noReaderMinds: true })
  const bounds = [
    ['most', (now.most ?? Infinity) - (was.most ?? Infinity)],
    ['least', (was.least ?? -Infinity) - (now.least ?? -Infinity)],
  ] as const
  for (const [bound, wider] of bounds)
    if (was[bound] !== now[bound])
      found.push({ what: `at ${bound} ${now[bound] ?? 'anything'}`, isWider: wider > 0, noReaderMinds: true })
  return found
}

/** The section of docs/contract-changelog.md about what was not released yet: its lines, each with what it names in code. */
export const unreleasedOf = (page: string): { text: string; subjects: string[]; breaks: boolean }[] => {
  const section = page.split(`\n${unreleased}\n`)[1]?.split('\n## ')[0] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((text) => ({
      text,
      subjects: [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
      breaks: text.startsWith('- **Breaks callers.**'),
    }))
}

/** Whether a line's name is about this operation, schema or webhook: `webhooks.*` is about all of a room. */
export const names = (name: string, subject: string): boolean =>
  name === subject || (name.endsWith('*') && subject.startsWith(name.slice(0, -1)))
