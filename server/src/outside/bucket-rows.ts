import { sql, type Database } from '../kernel/database.ts'

/** A part of an upload, as an object of its own that is written once. */
export type Piece = { at: number; bytes: number; key: string; sha256: string; is_direct: boolean }

/**
 * What the database knows of files in a bucket. A row is there before the first byte is and goes after the last one, so that
 * nothing lies there that no row names; and an upload grows only by whoever took it over last.
 */
export const bucketRows = (database: Database) => ({
  /** There is, or will be, something of this file. */
  touch: async (id: string): Promise<void> => {
    await database.asSystem((tx) =>
      tx.count(
        sql`insert into stored_file (asset_id) values (${id}) on conflict (asset_id) do update set touched_at = clock_timestamp()`,
      ),
    )
  },

  beginUpload: async (id: string): Promise<void> => {
    await database.asSystem((tx) =>
      tx.count(sql`
        insert into stored_file as s (asset_id, received_bytes) values (${id}, 0)
        on conflict (asset_id) do update set received_bytes = coalesce(s.received_bytes, 0), touched_at = now()`),
    )
  },

  /** How much of an upload stands; undefined where there is none. */
  received: async (id: string): Promise<number | undefined> =>
    (
      await database.asSystem((tx) =>
        tx.first(sql<{ received_bytes: number | null }>`select received_bytes from stored_file where asset_id = ${id}`),
      )
    )?.received_bytes ?? undefined,

  /** The same, and from now on only `writer` adds to it. */
  takeOver: async (id: string, writer: string): Promise<number | undefined> =>
    (
      await database.asSystem((tx) =>
        tx.first(sql<{ received_bytes: number }>`
          update stored_file set writer = ${writer}, touched_at = now()
          where asset_id = ${id} and received_bytes is not null returning received_bytes`),
      )
    )?.received_bytes,

  /** Acknowledges a piece that is in the bucket; false where another writer went on, or the upload is gone. */
  addPiece: async (
    id: string,
    writer: string,
    { at, bytes, key, sha256 }: Omit<Piece, 'is_direct'>,
  ): Promise<boolean> =>
    (await database.asSystem((tx) =>
      tx.count(sql`
        with grown as (
          update stored_file set received_bytes = received_bytes + ${bytes}, touched_at = now()
          where asset_id = ${id} and writer = ${writer} and received_bytes = ${at} returning asset_id)
        insert into stored_piece (asset_id, at, bytes, key, sha256)
        select asset_id, ${at}, ${bytes}, ${key}, ${sha256} from grown`),
    )) === 1,

  pieces: (id: string): Promise<Piece[]> =>
    database.asSystem((tx) =>
      tx.rows(
        sql<Piece>`select at, bytes, key, sha256, is_direct from stored_piece where asset_id = ${id} order by at`,
      ),
    ),

  endUpload: async (id: string): Promise<void> => {
    await database.asSystem(async (tx) => {
      await tx.count(sql`update stored_file set received_bytes = null, writer = null where asset_id = ${id}`)
      await tx.count(sql`delete from stored_piece where asset_id = ${id}`)
    })
  },

  isKnown: async (id: string): Promise<boolean> =>
    (await database.asSystem((tx) => tx.count(sql`select from stored_file where asset_id = ${id}`))) === 1,

  /**
   * What a file’s objects may go by: nobody adds to its upload from now on. Answers with the moment, for `forget`; undefined
   * where nothing of it is known.
   */
  beginRemoval: async (id: string): Promise<string | undefined> =>
    (
      await database.asSystem((tx) =>
        tx.first(sql<{ touched_at: string }>`
          update stored_file set writer = gen_random_uuid(), touched_at = clock_timestamp() where asset_id = ${id}
          returning touched_at::text as touched_at`),
      )
    )?.touched_at,

  /**
   * Answers whether it is forgotten: not where something was put since `moment` (`again`), nor while somebody may still put a
   * part of it (`later`).
   */
  forget: (id: string, moment: string): Promise<'forgotten' | 'again' | 'later'> =>
    database.asSystem(async (tx) => {
      if (await tx.first(sql`select from stored_part where asset_id = ${id} limit 1`)) return 'later'
      const gone = await tx.count(
        sql`delete from stored_file where asset_id = ${id} and touched_at = ${moment}::timestamptz`,
      )
      return gone === 1 ? 'forgotten' : 'again'
    }),

  /** Ids beyond `after` in their order that nobody touched since `before`, a thousand at most. */
  untouched: async (before: Date, after: string): Promise<string[]> =>
    (
      await database.asSystem((tx) =>
        tx.rows(sql<{ asset_id: string }>`
          select asset_id from stored_file where asset_id > ${after} and touched_at < ${before} order by asset_id limit 1000`),
      )
    ).map(({ asset_id }) => asset_id),
})
