import { z } from 'zod'
import { Profile, User } from '@clear-to-post/contract/accounts'
import { everyCall } from '@clear-to-post/contract/api'
import { Asset } from '@clear-to-post/contract/assets'
import { successesOf, type CallShape } from '@clear-to-post/contract/call'
import { kinds, refusals, type Kind } from '@clear-to-post/contract/errors'
import { Failure } from '@clear-to-post/contract/failure'
import { Feedback } from '@clear-to-post/contract/feedback'
import { Goal } from '@clear-to-post/contract/goals'
import { Note } from '@clear-to-post/contract/notes'
import { Notification, Trigger } from '@clear-to-post/contract/notifications'
import { Comment } from '@clear-to-post/contract/comments'
import { Project, TimelineItem, Cut } from '@clear-to-post/contract/projects'
import { Category, ScriptLibrary, Script } from '@clear-to-post/contract/scripts'
import { Charge, Plan, Product, Subscription } from '@clear-to-post/contract/subscriptions'
import { Tenant } from '@clear-to-post/contract/tenants'
import { scopeOf } from '@clear-to-post/contract/scope'
import { webhookData, WebhookMessage } from '@clear-to-post/contract/webhook-events'
import { access } from '@clear-to-post/domain/access'
import { keyCallsPerMinute } from '@clear-to-post/domain/most-kept'
import { freshMinutes } from '@clear-to-post/domain/second-factor'
import { webhookTypes } from '@clear-to-post/domain/webhooks'
import { workflow, statuses, verbs, type Verb } from '@clear-to-post/domain/workflow'
import type { OtherOperation } from './operation.ts'
import { otherOperations } from './other-operations.ts'

type Schema = Record<string, unknown>

/** The contract as OpenAPI 3.1, and uploads, media and events: each with who may and what it refuses. `version` is the product's. */
export const openapi = (version: string): Schema => ({
  openapi: '3.1.0',
  info: {
    title: 'Clear to Post',
    version,
    description:
      'Every path answers with and without its trailing slash. A failure is `{ message, kind, code, requestId, issues? }`. ' +
      'Send `X-Request-Id` with a POST, PUT or DELETE: a repeat with the same id answers the first result.',
  },
  servers: [{ url: '/' }],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ctp_…', description: keysText },
    },
    schemas: componentSchemas(),
  },
  paths: paths(),
  webhooks: webhookOperations(),
})

const keysText =
  'A key for programs, made in the panel (Profile, API keys). It does what its scopes allow and its owner may. Each answer ' +
  `says by \`RateLimit\` how many of its ${keyCallsPerMinute} calls a minute are left; a 429 says by \`Retry-After\` when to come back.`

/** Who may call, in words. */
export const whoMay = ({ access: permission }: CallShape): string =>
  permission === 'anyone' ? 'Anyone' : permission === 'signed-in' ? 'Anyone signed in' : access[permission].join(', ')

/** The workflow table as a page for people. */
export const workflowPage = (): string =>
  [
    '# The workflow',
    '',
    'Generated from `domain/src/workflow.ts`. Do not edit: run `npm run docs`.',
    '',
    '| verb | from | who | button |',
    '|---|---|---|---|',
    ...verbs.map((verb) => {
      const rule = workflow[verb] as {
        from: readonly (keyof typeof statuses)[]
        who: object
        fromFor?: Record<string, readonly (keyof typeof statuses)[]>
      }
      const from = rule.from.map((status) => `${status} ${statuses[status]}`).join(', ') || '–'
      const who = Object.entries(rule.who).map(([role, reach]) => {
        const narrower = rule.fromFor?.[role]
        return `${role} (${reach}${narrower ? `; only from ${narrower.map((status) => statuses[status]).join(', ')}` : ''})`
      })
      return `| ${verb} | ${from} | ${who.join(', ')} | ${workflow[verb as Verb].label} |`
    }),
    '',
  ].join('\n')

/** Who may make which call, as a page for people. */
export const accessPage = (): string =>
  [
    '# Who may call what',
    '',
    'Generated from the contract and `domain/src/access.ts`. Do not edit: run `npm run docs`.',
    '',
    '| call | method | path | who | API key with |',
    '|---|---|---|---|---|',
    ...everyCall.map(
      ({ name, shape }) =>
        `| ${name} | ${shape.method} | \`${addressOf(shape)}\` | ${whoMay(shape)} | ${scopeOf(shape) ?? ''} |`,
    ),
    '',
  ].join('\n')

const addressOf = (shape: CallShape): string => (shape.base ?? '/api') + shape.path.replace(/:(\w+)/g, '{$1}')

const paths = (): Schema => {
  const byPath: Record<string, Schema> = {}
  for (const { name, shape } of everyCall)
    (byPath[addressOf(shape)] ??= {})[shape.method.toLowerCase()] = operation(name, shape)
  for (const other of otherOperations) (byPath[other.path] ??= {})[other.method.toLowerCase()] = otherOperation(other)
  return byPath
}

// What is sent to the endpoints of companies (docs/webhooks.md), signed as Standard Webhooks says.
const webhookOperations = (): Schema =>
  Object.fromEntries(
    webhookTypes.map((type) => [
      type,
      {
        post: {
          operationId: `webhook ${type}`,
          tags: ['webhooks'],
          summary: `Sent to each endpoint that hears of \`${type}\``,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: written(WebhookMessage.extend({ type: z.literal(type), data: webhookData[type] }), 'output'),
              },
            },
          },
          responses: { '2XX': { description: 'Taken; anything else is tried again' } },
        },
      },
    ]),
  )

const operation = (name: string, shape: CallShape): Schema => ({
  operationId: name,
  tags: [name.split('.')[0]],
  summary: shape.summary,
  description: `Who: ${whoMay(shape)}.${freshWords(shape)}${keyWords(shape)}${shape.perMinute ? ` At most ${shape.perMinute} a minute from one network.` : ''}`,
  security: shape.access === 'anyone' ? [] : [{ bearer: [] }, ...(scopeOf(shape) === null ? [] : [{ apiKey: [] }])],
  ...parametersOf(shape),
  ...(shape.body
    ? {
        requestBody: {
          required: !shape.body.safeParse(undefined).success,
          content: Object.fromEntries(
            ['application/json', ...(shape.form ? ['application/x-www-form-urlencoded'] : [])].map((type) => [
              type,
              { schema: schemaOf(shape.body!, 'input') },
            ]),
          ),
        },
      }
    : {}),
  responses: {
    ...Object.fromEntries(
      successesOf(shape).map((status) => [
        status,
        {
          description: status === 201 ? 'Created' : 'Done',
          content: { 'application/json': { schema: schemaOf(shape.returns, 'output') } },
        },
      ]),
    ),
    ...failuresOf(shape),
  },
})

const keyWords = (shape: CallShape): string => {
  const scope = scopeOf(shape)
  return scope === null ? '' : ` By an API key: with \`${scope}\`.`
}

const freshWords = ({ needsFreshSignIn: needs }: CallShape): string => {
  if (needs === undefined) return ''
  const when = needs === true ? '' : ` when the body names ${needs.map((field) => `\`${field}\``).join(', ')}`
  return ` Needs a sign-in of the last ${freshMinutes} minutes on this device, or \`identity.confirm\`${when}.`
}

const otherOperation = ({ name, success, more, refuses, ...other }: OtherOperation): Schema => {
  const { status, ...answer } = success
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: other.summary,
    description: `${other.description}\n\nWho: ${other.who}.`,
    security: other.isSigned ? [{ bearer: [] }] : [],
    ...(other.parameters.length > 0 ? { parameters: other.parameters } : {}),
    ...(other.requestBody ? { requestBody: other.requestBody } : {}),
    responses: { [status]: answer, ...more, ...byStatus(refuses) },
  }
}

const parametersOf = (shape: CallShape): Schema => {
  const listed = (schema: z.ZodType | undefined, place: 'path' | 'query') => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Schema; required?: string[] }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: property,
      ...(name === 'wheres' && shape.page
        ? { description: `field:operation:value, repeatable. Fields: ${Object.keys(shape.page.filters).join(', ')}.` }
        : {}),
      ...(name === 'orderBy' && shape.page
        ? { description: `field:asc or field:desc. Fields: ${shape.page.orders.join(', ')}.` }
        : {}),
    }))
  }
  const parameters = [...listed(shape.params, 'path'), ...listed(shape.query, 'query')]
  return parameters.length > 0 ? { parameters } : {}
}

// Refusals by status: what every call may answer, and what this one declares.
const failuresOf = (shape: CallShape): Schema => {
  const general = [
    'request.invalid',
    ...(shape.body ? (['request.too-slow'] as const) : []),
    ...(shape.access === 'anyone' ? [] : ['session.required', 'session.ended']),
    ...(scopeOf(shape) === null ? [] : ['api-key.ended', 'api-key.scope', 'request.too-many']),
    ...(shape.access === 'anyone' || shape.access === 'signed-in' ? [] : ['access.forbidden']),
    ...(shape.needsVerifiedAddress ? ['account.unverified'] : []),
    ...(shape.needsFreshSignIn ? ['session.not-fresh'] : []),
    'service.unavailable',
  ] as const
  return byStatus([...general, ...shape.refuses] as (keyof typeof refusals)[])
}

const byStatus = (codes: readonly (keyof typeof refusals)[]): Schema => {
  const found = new Map<number, string[]>()
  for (const code of new Set(codes)) {
    const { kind, message } = refusals[code]
    const status = kinds[kind satisfies Kind]
    found.set(status, [...(found.get(status) ?? []), `\`${code}\`: ${message}`])
  }
  return Object.fromEntries(
    [...found].map(([status, lines]) => [
      status,
      {
        description: lines.join('\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    ]),
  )
}

// Entities are named once and pointed at; everything else stands where it is used.
const entities = {
  Asset,
  Category,
  Charge,
  Comment,
  Failure,
  Feedback,
  Goal,
  Note,
  Notification,
  Plan,
  Product,
  Profile,
  Project,
  Prompt: ScriptLibrary,
  Script,
  Subscription,
  Tenant,
  TimelineItem,
  Trigger,
  User,
  Cut,
}
const named = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(entities)) named.add(schema, { id })

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const name = io === 'output' ? named.get(schema)?.id : undefined
  return name ? { $ref: `#/components/schemas/${name}` } : written(schema, io)
}

const componentSchemas = (): Schema =>
  Object.fromEntries(Object.entries(entities).map(([name, schema]) => [name, written(schema, 'output')]))

const written = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $defs: defined, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    ...(io === 'output' ? { metadata: named } : {}),
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description
      if (description) jsonSchema.description = description
    },
  }) as Schema
  // A schema that has a name comes as a reference to its own definition.
  const name = named.get(schema)?.id
  const own = root.$ref !== undefined && name !== undefined ? (defined as Record<string, Schema>)[name]! : root
  const { $schema: _dialect, id: _id, ...rest } = own
  return JSON.parse(JSON.stringify(rest).replaceAll('#/$defs/', '#/components/schemas/')) as Schema
}
