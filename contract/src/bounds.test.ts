import { expect, it } from 'vitest'
import { z } from 'zod'
import { Look } from '@clear-to-post/edit/read-look'
import { Recipe } from '@clear-to-post/edit/read-recipe'
import { everyCall } from './api.ts'

/** Texts and lists without a length of their own, each with the reason. */
const elsewhere: Record<string, string> = {
  'tracking.send ': 'read as an event or left out; nothing of it is kept as it came',
  'tracking.send {}': 'read as an event or left out; nothing of it is kept as it came',
  'edits.save recipe{}': 'read as a Recipe before anything else',
  'looks.add content{}': 'read as a Look before anything else',
  ...Object.fromEntries(
    ['createTrigger notification.', 'updateTrigger notification.', 'testTrigger notification.', 'push '].map((at) => [
      `notifications.${at}metadata{}`,
      'of 5,000 letters together',
    ]),
  ),
  ...Object.fromEntries(
    ['identity.confirm proof.', 'identity.passkey ', 'identity.secondFactor proof.', 'security.addPasskey '].flatMap(
      (at) =>
        ['response{}', 'clientExtensionResults{}'].map((part) => [
          `${at}credential.${part}`,
          'checked by the passkey library; the key alone is kept',
        ]),
    ),
  ),
}

it('every text and list that a body, a recipe or a look takes has a most length', () => {
  const bodies = everyCall.flatMap(({ name, shape }) =>
    shape.body ? unboundedIn(shape.body).map((path) => `${name} ${path}`) : [],
  )
  const documents = Object.entries({ Recipe, Look }).flatMap(([name, schema]) =>
    unboundedIn(schema).map((path) => `${name} ${path}`),
  )
  expect(everyCall.filter(({ shape }) => shape.body).length).toBeGreaterThan(40)
  expect([...bodies, ...documents].toSorted()).toEqual(Object.keys(elsewhere).toSorted())
})

it('a text, a list and their parts without a length are found by their places', () => {
  const schema = z.object({
    open: z.string(),
    short: z.string().max(3),
    list: z.array(z.string().max(3)),
    deep: z.record(z.uuid(), z.array(z.object({ text: z.string().optional() })).max(2)),
    id: z.uuid(),
    colour: z.string().regex(/^#[0-9a-f]{6}$/),
    any: z.record(z.string().max(3), z.unknown()),
    digits: z.string().regex(/^\d+$/),
    either: z.union([z.string(), z.number()]).nullable(),
  })
  expect(unboundedIn(schema)).toEqual(['any{}', 'deep{}[].text', 'digits', 'either', 'list[]', 'open'])
})

type Node = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  maxLength?: number
  maxItems?: number
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  propertyNames?: Node
  items?: Node | boolean
  prefixItems?: Node[]
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
  $ref?: string
  $defs?: Record<string, Node>
}

/**
 * The places of a schema that take a text or a list of any length, as `field.field`. `[]` is a list's item, `{}` a record's
 * value. Moments and ids have a length by what they are.
 */
const unboundedIn = (schema: z.ZodType): string[] => {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node
  const found: string[] = []
  const seen = new Set<Node>()
  const visit = (node: Node, path: string, bounded: boolean): void => {
    if (node.$ref !== undefined) {
      const named = node.$ref === '#' ? root : root.$defs?.[node.$ref.split('/').at(-1)!]
      if (!named || seen.has(named)) return
      seen.add(named)
      return visit(named, path, bounded)
    }
    const types = [node.type ?? []].flat()
    const isBounded = bounded || node.maxLength !== undefined
    for (const part of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])])
      visit(part, path, isBounded)
    if (isAnything(node)) found.push(path)
    if (types.includes('string') && !isBounded && !isShort(node)) found.push(path)
    if (types.includes('array')) {
      if (node.maxItems === undefined && !node.prefixItems) found.push(`${path}[]`)
      if (typeof node.items === 'object') visit(node.items, `${path}[]`, false)
      for (const item of node.prefixItems ?? []) visit(item, `${path}[]`, false)
    }
    for (const [name, part] of Object.entries(node.properties ?? {}))
      visit(part, path === '' ? name : `${path}.${name}`, false)
    if (typeof node.additionalProperties === 'object') visit(node.additionalProperties, `${path}{}`, false)
  }
  visit(root, '', false)
  return found.toSorted()
}

/** `z.unknown()`, as far as a schema says it. */
const isAnything = (node: Node): boolean =>
  !['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf', 'not'].some((key) => key in node)

const isShort = ({ enum: values, const: value, format, pattern }: Node): boolean =>
  values !== undefined ||
  value !== undefined ||
  ['uuid', 'date', 'date-time'].includes(format ?? '') ||
  (pattern !== undefined && !/[*+]|\{\d+,\}/.test(pattern.replace(/\\./g, '')))
