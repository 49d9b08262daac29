import { randomUUID } from 'node:crypto'
import webPush from 'web-push'
import type { PushKey } from '../outside/push/push.ts'
import { sql, type Reader, type Tx } from '../kernel/database.ts'

export type DeviceRow = { id: string; name: string; created_at: Date; reached_at: Date | null }

/** Our name towards push services. The first who asks makes it, under which everybody then subscribes. */
export const pushKey = async (tx: Tx): Promise<PushKey> => {
  const found = await savedKey(tx)
  if (found) return found
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  await tx.count(sql`
    insert into push_key (public_key, private_key) values (${publicKey}, ${privateKey}) on conflict do nothing`)
  return (await savedKey(tx))!
}

const savedKey = (tx: Tx) =>
  tx.first(sql<PushKey>`select public_key as "publicKey", private_key as "privateKey" from push_key`)

export type NewDevice = {
  personId: string
  familyId: string
  endpoint: string
  p256dh: string
  auth: string
  name: string
}

/** More than these nobody has; the one that was longest out of reach makes room. */
const mostDevices = 20

export const saveDevice = async (tx: Tx, d: NewDevice): Promise<DeviceRow> => {
  const row = (await tx.first(sql<DeviceRow>`
    insert into push_device (person_id, family_id, endpoint, p256dh, auth, name)
    values (${d.personId}, ${d.familyId}, ${d.endpoint}, ${d.p256dh}, ${d.auth}, ${d.name})
    on conflict (endpoint) do update set person_id = excluded.person_id, family_id = excluded.family_id,
      p256dh = excluded.p256dh, auth = excluded.auth, name = excluded.name,
      created_at = case when push_device.person_id = excluded.person_id then push_device.created_at else now() end,
      reached_at = case when push_device.person_id = excluded.person_id then push_device.reached_at end
    returning id, name, created_at, reached_at`))!
  await tx.count(sql`
    delete from push_device where id in (
      select id from push_device where person_id = ${d.personId} and id <> ${row.id}
      order by coalesce(reached_at, created_at) desc offset ${mostDevices - 1})`)
  return row
}

/** The caller's browsers whose sign-in lives, the newest first. As the service: sign-ins are nobody's to read. */
export const devicesOf = (tx: Reader, personId: string) =>
  tx.rows(sql<DeviceRow>`
    select d.id, d.name, d.created_at, d.reached_at from push_device d ${liveSignIn}
    where d.person_id = ${personId} order by d.created_at desc, d.id desc`)

export const hasPhone = async (tx: Reader, personId: string): Promise<boolean> =>
  (await tx.first(
    sql`select 1 from person p where p.id = ${personId} and p.fcm_token is not null and ${phoneRings}`,
  )) !== undefined

export const deviceOf = (tx: Tx, personId: string, id: string) =>
  tx.first(sql`select 1 from push_device where id = ${id} and (/* wall */ person_id = ${personId})`)

export const dropDevice = (tx: Tx, personId: string, id: string) =>
  tx.count(sql`delete from push_device where id = ${id} and (/* wall */ person_id = ${personId})`)

const liveSignIn = sql`join session_family f on f.id = d.family_id and f.revoked_at is null and f.ends_at > now()`

/** Whether the sign-in that named the phone of `p` goes on; phones from before sign-ins were kept have none. */
const phoneRings = sql`(p.fcm_family_id is null or exists (
  select from session_family s where s.id = p.fcm_family_id and s.revoked_at is null and s.ends_at > now()))`

export type NewPush = {
  key: string
  userIds: readonly string[]
  title: string
  body: string
  url: string
  uselessAt: Date
  /** This device alone, if it is one of theirs. */
  deviceId: string | null
  /** Whether phones can be reached at all. */
  hasPhones: boolean
}

/** Writes a message and a delivery for each device that was not told under this key; undefined when there is none. */
export const addPush = async (tx: Tx, p: NewPush): Promise<{ id: string; count: number } | undefined> => {
  const id = randomUUID()
  const count = await tx.count(sql`
    with target as (
      select p.id as person_id, d.id as device_id
      from person p join push_device d on d.person_id = p.id ${liveSignIn}
      where p.id = any(${p.userIds}::uuid[]) and not p.is_disabled
        and (${p.deviceId}::uuid is null or d.id = ${p.deviceId}::uuid)
      union all
      select p.id, null from person p
      where p.id = any(${p.userIds}::uuid[]) and not p.is_disabled and p.fcm_token is not null and ${phoneRings}
        and ${p.hasPhones} and ${p.deviceId}::uuid is null
    ), untold as (
      select t.person_id, t.device_id from target t where not exists (
        select from push_delivery x
        where x.person_id = t.person_id and x.key = ${p.key} and x.device_id is not distinct from t.device_id)
    ), message as (
      insert into push (id, title, body, url, useless_at)
      select ${id}, ${p.title}, ${p.body}, ${p.url}, ${p.uselessAt} where exists (select from untold)
      returning id
    )
    insert into push_delivery (push_id, key, person_id, device_id)
    select message.id, ${p.key}, untold.person_id, untold.device_id from untold cross join message
    on conflict do nothing`)
  return count > 0 ? { id, count } : undefined
}

/** A delivery that is ours to try until its claim ends. Where it goes is null when nobody may be told there any more. */
export type Claimed = {
  id: number
  attempts: number
  person_id: string
  device_id: string | null
  title: string
  body: string
  url: string
  useless_at: Date
  endpoint: string | null
  p256dh: string | null
  auth: string | null
  fcm_token: string | null
}

/** Claims up to `limit` due deliveries of a message, each for nobody else until `seconds` from now. */
export const claimDeliveries = (tx: Tx, pushId: string, { limit, seconds }: { limit: number; seconds: number }) =>
  tx.rows(sql<Claimed>`
    with due as materialized (
      select id from push_delivery
      where push_id = ${pushId} and state = 'waiting' and due_at <= clock_timestamp()
      order by due_at limit ${limit} for update skip locked
    ), claimed as (
      update push_delivery x
      set attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${seconds})
      from due where x.id = due.id returning x.id, x.attempts, x.person_id, x.device_id, x.push_id
    )
    select c.id, c.attempts, c.person_id, c.device_id, m.title, m.body, m.url, m.useless_at,
      d.endpoint, d.p256dh, d.auth, case when c.device_id is null and ${phoneRings} then p.fcm_token end as fcm_token
    from claimed c join push m on m.id = c.push_id
      left join person p on p.id = c.person_id and not p.is_disabled
      left join (push_device d ${liveSignIn}) on d.id = c.device_id and d.person_id = p.id`)

/** What became of a claimed delivery. `due_at`: when a waiting one may be tried again. */
export type Settled = Pick<Claimed, 'id' | 'attempts' | 'device_id' | 'person_id' | 'fcm_token'> & {
  state: 'waiting' | 'sent' | 'failed' | 'gone' | 'dropped'
  error: string | null
  due_at: Date | null
}

/** Writes what became of them, unless somebody claimed one anew meanwhile; forgets devices that are gone. */
export const settleDeliveries = async (tx: Tx, all: readonly Settled[]): Promise<void> => {
  await tx.count(sql`
    update push_delivery x
    set state = s.state, error = s.error, due_at = coalesce(s.due_at, x.due_at),
      settled_at = case when s.state = 'waiting' then null else clock_timestamp() end
    from jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      as s(id bigint, attempts integer, state text, error text, due_at timestamptz)
    where x.id = s.id and x.attempts = s.attempts and x.state = 'waiting'`)
  const devices = (state: Settled['state']) =>
    all.flatMap((one) => (one.state === state && one.device_id ? [one.device_id] : []))
  if (devices('sent').length > 0)
    await tx.count(sql`update push_device set reached_at = now() where id = any(${devices('sent')}::uuid[])`)
  if (devices('gone').length > 0)
    await tx.count(sql`delete from push_device where id = any(${devices('gone')}::uuid[])`)
  for (const { person_id, fcm_token } of all.filter(({ state, fcm_token }) => state === 'gone' && fcm_token !== null))
    await tx.count(sql`update person set fcm_token = null where id = ${person_id} and fcm_token = ${fcm_token}`)
}

/** Says of what a message told that no device of these people showed it; in the panel it stands as before. */
export const markUnshown = (tx: Tx, pushId: string, personIds: readonly string[]) =>
  tx.count(sql`
    update notification n set status = 'failed', error = 'It could not be shown on your devices.'
    from push_delivery f
    where f.push_id = ${pushId} and f.person_id = any(${personIds as string[]}::uuid[]) and f.state = 'failed'
      and n.user_id = f.person_id and n.cause = substr(f.key, length('notice:') + 1) and n.status = 'delivered'
      and not exists (
        select from push_delivery x where x.person_id = f.person_id and x.key = f.key and x.state in ('waiting', 'sent'))`)

/** When the next waiting delivery of a message is due; null when none waits. */
export const nextDue = async (tx: Tx, pushId: string): Promise<Date | null> =>
  (await tx.first(sql<{ at: Date | null }>`
    select min(due_at) as at from push_delivery where push_id = ${pushId} and state = 'waiting'`))!.at

/** Everything that was shown, or waits to be shown, to this person alone, and their part in the rest. */
export const dropPushesTo = async (tx: Tx, personId: string): Promise<void> => {
  await tx.count(sql`
    delete from push m where id in (select push_id from push_delivery where person_id = ${personId})
      and not exists (select from push_delivery x where x.push_id = m.id and x.person_id <> ${personId})`)
  await tx.count(sql`delete from push_delivery where person_id = ${personId}`)
  await tx.count(sql`delete from push_device where person_id = ${personId}`)
}

/** Browsers whose sign-in has ended, and messages that are older than `before`. */
export const dropOld = async (tx: Tx, before: Date): Promise<void> => {
  await tx.count(sql`
    delete from push_device d using session_family f
    where f.id = d.family_id and (f.revoked_at is not null or f.ends_at <= now())`)
  await tx.count(sql`
    update person p set fcm_token = null, fcm_family_id = null where p.fcm_family_id is not null and not ${phoneRings}`)
  await tx.count(sql`delete from push where created_at < ${before}`)
}
