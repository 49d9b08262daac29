import { randomUUID } from 'node:crypto'
import { mostOpenParts, mostParts, overlap, uploadParts } from '@clear-to-post/domain/upload-parts'
import { sql, type Database, type Tx } from '../kernel/database.ts'
import type { Bucket } from './bucket.ts'
import { checkedId, PartsOfSenderFull, TakenOver, TooManyParts, type Parts, type PartsHere } from './storage.ts'

type PartRow = { id: string; at: number; bytes: number; sha256: string; key: string }

/** What began to be put just before its address ended may come for this long. */
const lateMs = 60 * 60 * 1000
const lateBy = (now: Date) => new Date(now.getTime() - lateMs)

/**
 * Parts of uploads that their senders put into the bucket themselves (decision 680). Each has a key of its own, which is put
 * to by one address. It counts when this process has seen it there, for whoever took the upload over last; and as a piece of
 * the upload as soon as everything before it is here.
 */
export const bucketParts = ({
  database,
  bucket,
}: {
  database: Database
  bucket: Bucket
}): Parts & { dropLate: (now: Date) => Promise<number> } => {
  /** Its row stays locked until the transaction ends, so what is read here stays true. */
  const lockFor = async (tx: Tx, id: string, writer: string): Promise<number> => {
    const file = await tx.first(sql<{ received_bytes: number }>`
      select received_bytes from stored_file
      where asset_id = ${id} and writer = ${writer} and received_bytes is not null for update`)
    if (!file) throw new TakenOver(id)
    return file.received_bytes
  }
  const hereOf = (tx: Tx, id: string, received: number) =>
    tx.rows(sql<{ at: number; bytes: number }>`
      select at, bytes from stored_part where asset_id = ${id} and state = 'put' and at >= ${received} order by at limit ${mostParts}`)

  const openRows = (tx: Tx, id: string, writer: string, partIds: readonly string[]) =>
    tx.rows(sql<PartRow>`
      select id, at, bytes, sha256, key from stored_part
      where asset_id = ${id} and writer = ${writer} and id = any(${partIds}::uuid[]) and state = 'open' order by at`)

  /** Those that lie in the bucket as they were declared. What lies there otherwise is removed. */
  const seen = async (rows: readonly PartRow[]): Promise<Set<string>> => {
    const found = new Set<string>()
    await Promise.all(
      rows.map(async ({ id, key, bytes, sha256 }) => {
        const there = await bucket.head(key)
        if (!there) return
        if (there.size === bytes && (there.checksum ?? sha256) === sha256) found.add(id)
        else await drop([{ id, key }])
      }),
    )
    return found
  }

  /** Objects first: should the crash come between, the rows say it again. Nobody acknowledges them meanwhile. */
  const drop = async (rows: readonly Pick<PartRow, 'id' | 'key'>[], now = new Date()): Promise<void> => {
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await database.asSystem((tx) =>
      tx.count(sql`update stored_part set writer = ${randomUUID()}, state = 'open' where id = any(${ids}::uuid[])`),
    )
    for (const { key } of rows) await bucket.remove(key)
    // An address that has not ended yet may be put to once more: its row stays until then.
    await database.asSystem((tx) =>
      tx.count(sql`delete from stored_part where id = any(${ids}::uuid[]) and ends_at < ${lateBy(now)}`),
    )
  }

  /** Adds what has become whole from the beginning to the upload's pieces, as far as its size; answers how far that goes. */
  const grow = async (tx: Tx, id: string, received: number, size: number): Promise<number> => {
    const grown = await tx.first(sql<{ received_bytes: number }>`
      with recursive whole as (
          (select p.id, p.at, p.bytes, p.sha256, p.key from stored_part p
           where p.asset_id = ${id} and p.state = 'put' and p.at = ${received} and p.at + p.bytes <= ${size})
          union all
          select p.id, p.at, p.bytes, p.sha256, p.key
          from whole w join stored_part p on p.asset_id = ${id} and p.state = 'put' and p.at = w.at + w.bytes and p.at + p.bytes <= ${size}),
        moved as (
          insert into stored_piece (asset_id, at, bytes, key, sha256, is_direct)
          select ${id}, at, bytes, key, sha256, true from whole returning at + bytes as ends),
        named as (update stored_part set state = 'piece' where id in (select id from whole))
      update stored_file set received_bytes = greatest(received_bytes, (select max(ends) from moved)), touched_at = now()
      where asset_id = ${id} returning received_bytes`)
    return grown!.received_bytes
  }

  /**
   * Bytes that this sender may put, or has put, beside what counts as their uploads': parts that nobody acknowledged, and all of
   * uploads that ended, for as long as their rows stand. Of one sender one at a time.
   */
  const besideUploads = async (tx: Tx, senderId: string): Promise<number> => {
    await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('parts of ' || ${senderId}, 0))`)
    const { bytes } = (await tx.first(sql<{ bytes: number }>`
      select coalesce(sum(p.bytes), 0)::float8 as bytes from stored_part p left join stored_file f on f.asset_id = p.asset_id
      where p.sender_id = ${senderId}::uuid
        and (p.state = 'open' or f.received_bytes is null or (p.state = 'put' and p.at < f.received_bytes))`))!
    return bytes
  }

  return {
    open: async (id, size) => {
      const writer = randomUUID()
      return database.asSystem(async (tx) => {
        const file = await tx.first(sql<{ received_bytes: number }>`
          update stored_file set writer = ${writer}, touched_at = now()
          where asset_id = ${checkedId(id)} and received_bytes is not null returning received_bytes`)
        if (!file) return undefined
        // What another way of sending has gone over meanwhile may have closed a gap.
        const received = await grow(tx, id, file.received_bytes, size)
        return { writer, received, here: await hereOf(tx, id, received) } satisfies PartsHere
      })
    },

    acknowledge: async (id, writer, size, partIds) => {
      const open = await database.asSystem((tx) => openRows(tx, checkedId(id), writer, partIds))
      const there = await seen(open)
      const surplus: PartRow[] = []
      const parts = await database.asSystem(async (tx) => {
        const received = await lockFor(tx, id, writer)
        const here = await hereOf(tx, id, received)
        for (const part of await openRows(tx, id, writer, [...there]))
          if (part.at < received || part.at + part.bytes > size || here.some((one) => overlap(one, part)))
            surplus.push(part)
          else {
            await tx.count(sql`update stored_part set state = 'put' where id = ${part.id}`)
            here.push(part)
          }
        const now = await grow(tx, id, received, size)
        return { writer, received: now, here: await hereOf(tx, id, now) } satisfies PartsHere
      })
      await drop(surplus)
      return parts
    },

    addresses: async (id, writer, wanted, sender) => {
      const endsAt = new Date(Date.now() + uploadParts.seconds * 1000)
      const parts = wanted.map(({ at, bytes, sha256 }) => {
        const part = randomUUID()
        return { id: part, at, bytes, sha256, key: `quarantine/${checkedId(id)}/part-${at}-${part}` }
      })
      await database.asSystem(async (tx) => {
        await lockFor(tx, id, writer)
        const open = (await tx.first(sql<{ parts: number }>`
          select count(*) as parts from stored_part where asset_id = ${id} and state = 'open' and ends_at > now()`))!
        if (open.parts + parts.length > mostOpenParts) throw new TooManyParts()
        const asked = parts.reduce((sum, { bytes }) => sum + bytes, 0)
        if ((await besideUploads(tx, sender.id)) + asked > sender.most) throw new PartsOfSenderFull()
        for (const part of parts)
          await tx.count(sql`
            insert into stored_part (id, asset_id, sender_id, writer, at, bytes, sha256, key, ends_at)
            values (${part.id}, ${id}, ${sender.id}, ${writer}, ${part.at}, ${part.bytes}, ${part.sha256}, ${part.key}, ${endsAt})`)
      })
      return Promise.all(
        parts.map(async ({ id: part, at, bytes, sha256, key }) => {
          const { url, headers } = await bucket.addressToPut(key, bytes, sha256, uploadParts.seconds)
          return { id: part, at, bytes, url, headers, endsAt }
        }),
      )
    },

    dropLate: async (now) => {
      // Whose address has ended: what is a piece of a living upload is named there.
      await database.asSystem((tx) =>
        tx.count(sql`
          delete from stored_part p where p.state = 'piece' and p.ends_at < ${lateBy(now)} and exists (
            select from stored_file f where f.asset_id = p.asset_id and f.received_bytes is not null)`),
      )
      for (let dropped = 0; ;) {
        const late = await database.asSystem((tx) =>
          tx.rows(sql<Pick<PartRow, 'id' | 'key'>>`
            select p.id, p.key from stored_part p left join stored_file f on f.asset_id = p.asset_id
            where p.ends_at < ${lateBy(now)}
              and (p.state = 'open' or f.received_bytes is null or (p.state = 'put' and p.at < f.received_bytes))
            order by p.ends_at limit 500`),
        )
        await drop(late, now)
        dropped += late.length
        if (late.length < 500) return dropped
      }
    },
  }
}
