import { sql, type Database, type Tx } from '../../kernel/database.ts'
import { signatureOf } from '../../outside/payments/events.ts'
import { newId, type Kind } from './objects.ts'

/** Says the events that wait at the product's own webhook door, in order; what is not taken is said again next time. */
export const deliverEvents = async (
  database: Database,
  post: (payload: string, signature: string) => Promise<boolean>,
): Promise<number> => {
  const { waiting, secret } = await database.asSystem(async (tx) => ({
    waiting: await undelivered(tx, 200),
    secret: await sandboxSecret(tx),
  }))
  let delivered = 0
  for (const event of waiting) {
    const payload = payloadOf(event)
    if (!(await post(payload, await signatureOf(payload, secret, new Date())))) break
    await database.asSystem((tx) => markDelivered(tx, event.seq, new Date()))
    delivered++
  }
  return delivered
}

/** An event as it travels. */
export const payloadOf = ({ id, type, kind, objectId, createdAt }: SandboxEvent): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: Math.floor(createdAt.getTime() / 1000),
    livemode: false,
    data: { object: { id: objectId, object: kind } },
  })

export type SandboxEvent = { seq: number; id: string; type: string; kind: Kind; objectId: string; createdAt: Date }

/** Tells about a thing; delivered later, in order. */
export const addEvent = (tx: Tx, type: string, objectId: string, at: Date) =>
  tx.count(sql`
    insert into sandbox_event (id, type, object_id, created_at) values (${newId('evt')}, ${type}, ${objectId}, ${at})`)

export const undelivered = (tx: Tx, limit: number) =>
  tx.rows(sql<SandboxEvent>`
    select e.seq, e.id, e.type, o.kind, e.object_id as "objectId", e.created_at as "createdAt"
    from sandbox_event e join sandbox_object o on o.id = e.object_id
    where e.delivered_at is null order by e.seq limit ${limit}`)

export const markDelivered = (tx: Tx, seq: number, at: Date) =>
  tx.count(sql`update sandbox_event set delivered_at = ${at} where seq = ${seq}`)

/** The secret that events are signed with. */
export const sandboxSecret = async (tx: Tx): Promise<string> =>
  (await tx.first(sql<{ value: Buffer }>`select value from service_secret where name = 'sandbox'`))!.value.toString(
    'hex',
  )
