import pg from 'pg'
import { z } from 'zod'
import { everyCall } from '@clear-to-post/contract/api'
import type { CallShape } from '@clear-to-post/contract/call'
import { mayEver } from '@clear-to-post/domain/access'
import type { Sample } from './samples.ts'
import type { Stage } from './stage.ts'
import type { Person, Service } from './service.ts'

/** Whether this call lets the role in at all. */
export const admits = ({ access }: CallShape, { role }: Person) =>
  access !== 'anyone' && (access === 'signed-in' || mayEver(role, access))

/** Ids that the payment service gives, which are no UUIDs, of what belongs to somebody. */
const ownedTexts = ['chargeId']

/** Where ids may stand in a schema, as dotted paths; `*` is any place of a list. */
export const idsIn = (schema: JsonSchema, path: string): string[] => [
  ...(schema.format === 'uuid' || ownedTexts.some((name) => path.endsWith(`.${name}`)) ? [path] : []),
  ...(schema.anyOf ?? []).flatMap((one) => idsIn(one, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => idsIn(one, `${path}.${key}`)),
  ...(schema.items ? idsIn(schema.items, `${path}.*`) : []),
]
export type JsonSchema = {
  type?: string
  format?: string
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
}

export const placesOf = (shape: CallShape): string[] => [
  ...(['params', 'query', 'body'] as const).flatMap((part) =>
    shape[part] ? idsIn(z.toJSONSchema(shape[part], { io: 'input', unrepresentable: 'any' }) as JsonSchema, part) : [],
  ),
  ...Object.entries(shape.page?.filters ?? {}).flatMap(([field, kind]) => (kind === 'uuid' ? [`wheres.${field}`] : [])),
]

/** Every place of the contract where an id may stand: in a path, a query, a body or a list's filter. */
export const places = everyCall.flatMap(({ name, shape }) =>
  [...new Set(placesOf(shape))].map((place) => ({ name, shape, place })),
)

/** Fields that are called ids and are texts, of no kind that is tried here. */
export const otherTextIds = everyCall.flatMap(({ name, shape }) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    shape[part]
      ? textIdsIn(z.toJSONSchema(shape[part], { io: 'input', unrepresentable: 'any' }) as JsonSchema, part).map(
          (place) => `${name} ${place}`,
        )
      : [],
  ),
)
function textIdsIn(schema: JsonSchema, path: string): string[] {
  const isTextId = schema.type === 'string' && schema.format !== 'uuid' && /(\.id|Ids?(\.\*)?)$/.test(path)
  return [
    ...(isTextId && idsIn(schema, path).length === 0 ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((one) => textIdsIn(one, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => textIdsIn(one, `${path}.${key}`)),
    ...(schema.items ? textIdsIn(schema.items, `${path}.*`) : []),
  ]
}

/** The ids of a stage that somebody might put there; every one of them where the place's name tells nothing. */
export const idsFor = (name: string, place: string, stage: Stage): string[] =>
  kindsIn(stage)[kindOf(name, place)] ??
  Object.values(kindsIn(stage))
    .flat()
    .filter((id) => !ownedTexts.some((kind) => kindsIn(stage)[kind]!.includes(id)))

/** What kind of id stands at a place; a plain `id` is one of the call's own room. */
export const kindOf = (name: string, place: string): string => {
  const field = place.replace(/\.\*$/, '').split('.').at(-1)!
  // Of a cut that was sent, which no stage has.
  if (name === 'projects.captions' && field === 'assetId') return 'sentCut'
  return field === 'id' ? name.split('.')[0]! : field
}

/** The ids of a stage by their kind. */
export const kindsIn = ({ officer, editor, qa, admin, ...stage }: Stage): Record<string, string[]> => {
  const people = [officer.id, editor.id, qa.id, admin.id, stage.company]
  const files = [stage.asset, stage.unused, stage.cut, stage.clipFile, stage.clipDraft, stage.take]
  return {
    projectId: [stage.project.id, stage.begun.id],
    projects: [stage.project.id, stage.begun.id],
    accounts: people,
    userId: people,
    userIds: people,
    actorId: people,
    personId: people,
    ownerId: people,
    editorId: people,
    assigneeId: people,
    assetId: files,
    assets: files,
    finalVideoId: files,
    renderId: [stage.render],
    deviceId: [stage.device],
    payerId: [...people, stage.tenantId],
    tenantId: [stage.tenantId],
    tenantIds: [stage.tenantId],
    categoryId: [stage.category],
    clipId: [stage.clip],
    clips: [stage.clip],
    lookId: [stage.look],
    commentId: [stage.comment],
    connectionId: [stage.connection, stage.account],
    postId: [stage.post],
    invitationId: [stage.invitation],
    keyId: [stage.apiKey, stage.companysKey],
    endpointId: [stage.endpoint],
    threadId: [stage.thread],
    deliveryId: [stage.delivery],
    viewId: [stage.view],
    chargeId: [stage.charge],
    notes: [stage.note],
    scripts: [stage.script, stage.libraryScript, stage.category],
    notifications: [stage.triggerId, stage.notification],
  }
}

/** The same request with `id` at this place, which is made where there was none. */
export const withId = (
  sample: Sample,
  place: string,
  id: string,
): { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } => {
  const [part, ...path] = place.split('.') as [string, ...string[]]
  const copy = structuredClone({ params: sample.params, query: sample.query, body: sample.body })
  if (part === 'wheres') return { ...copy, query: { ...copy.query, wheres: `${path[0]}:eq:${id}` } }
  return { ...copy, [part]: put(copy[part as 'body'], path, id) }
}
const put = (value: unknown, [key, ...rest]: string[], id: string): unknown => {
  if (key === undefined) return id
  if (key === '*') return [put(Array.isArray(value) ? value[0] : undefined, rest, id)]
  const of = (value ?? {}) as Record<string, unknown>
  return { ...of, [key]: put(of[key], rest, id) }
}

export const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
export const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Every row of the database in which an id of a stage stands, as text. */
export const rowsNaming = async ({ urls }: Service, stage: Stage): Promise<string[]> => {
  const ids = [...new Set(JSON.stringify(stage).match(uuid)!)].join('|')
  const superuser = new pg.Client({ connectionString: urls.superuserUrl })
  await superuser.connect()
  const tables = await superuser.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const each = tables.rows.map(({ name }) => `select '${name} ' || row_to_json(t) as row from ${name} t`)
  const { rows } = await superuser.query<{ row: string }>(
    `select row from (${each.join(' union all ')}) rows where row ~ $1 order by row`,
    [ids],
  )
  await superuser.end()
  return rows.map(({ row }) => row)
}
