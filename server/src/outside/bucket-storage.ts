import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../kernel/database.ts'
import { openBucket, type Bucket, type BucketPlace } from './bucket.ts'
import { inPieces } from './bucket-pieces.ts'
import { openObject, wholeOf } from './bucket-reads.ts'
import { bucketParts } from './bucket-parts.ts'
import { bucketRows } from './bucket-rows.ts'
import { bucketArea } from './bucket-area.ts'
import {
  copiesKeptMs,
  dropEmptyFolders,
  filesOf,
  heldCopies,
  intoPlace,
  once,
  sha256Of,
  statIfThere,
  touched,
} from './local-copies.ts'
import {
  checkedFolder,
  checkedId,
  checkedName,
  keptFree,
  OtherBytes,
  StorageAway,
  StorageFull,
  TakenOver,
  type Copies,
  type Storage,
} from './storage.ts'

export type { BucketPlace } from './bucket.ts'

/** Bytes of uploads that wait in memory to be put, of all together, and of one at most and at least. */
const heldBytes = { all: 256 * 1024 ** 2, most: 8 * 1024 ** 2, least: 1024 ** 2 }
/** For how long after the bucket said that it is full nothing new is let in. */
const fullForMs = 30_000

/**
 * Storage in a bucket: `quarantine/<id>/…` holds the pieces of uploads, `assets/<id>/…` what was checked and made of it,
 * `chunks/` and `exports/` the shelves. Under `root` lie local copies, each of which may be lost at any time.
 */
export const bucketStorage = async ({
  database,
  root,
  place,
  bucket = openBucket(place),
}: {
  database: Database
  root: string
  place: BucketPlace
  bucket?: Bucket
}): Promise<Storage> => {
  const rows = bucketRows(database)
  const [copiesRoot, workRoot] = [join(root, 'copies'), join(root, 'work')]
  await Promise.all([copiesRoot, workRoot].map((folder) => mkdir(folder, { recursive: true })))
  const copyOf = (id: string, name: string) => join(copiesRoot, checkedId(id), checkedName(name))
  const uploadCopyOf = (id: string) => join(copiesRoot, checkedId(id), 'upload')
  const inWork = (name: string) => join(workRoot, checkedFolder(name))
  const keyOf = (id: string, name: string) => `assets/${checkedId(id)}/${checkedName(name)}`

  const parts = bucketParts({ database, bucket })
  const held = heldCopies()
  const writers = new Map<string, string>()
  let appending = 0
  let wasFullAt = -Infinity
  const noteFull = (error: unknown): never => {
    if (error instanceof StorageFull) wasFullAt = performance.now()
    throw error
  }

  const isFull = () => performance.now() - wasFullAt < fullForMs

  const free = async () => {
    const { bavail, bsize } = await statfs(root)
    return bavail * bsize
  }
  const requireLocalRoom = async (bytes: number) => {
    if ((await free()) >= keptFree.work + bytes) return
    for (const { path } of (await filesOf(copiesRoot)).toSorted((a, b) => a.usedMs - b.usedMs)) {
      if (held.isHeld(path)) continue
      await rm(path, { force: true })
      if ((await free()) >= keptFree.work + bytes) return
    }
    throw new StorageFull()
  }

  const removeBelow = async (prefix: string, isKept: (key: string) => boolean = () => false) => {
    for await (const page of bucket.list(prefix)) for (const { key } of page) if (!isKept(key)) await bucket.remove(key)
  }

  /** A file of the bucket's comes to `path`, whole and as it was put, or not at all. */
  const bring = async (
    key: string,
    path: string,
    expected: { size: number; sha256: string | null },
    signal?: AbortSignal,
  ) => {
    await requireLocalRoom(expected.size)
    await intoPlace(path, async (write) => {
      const digest = createHash('sha256')
      for await (const bytes of wholeOf(bucket, key, 0, expected.size - 1, signal)) {
        digest.update(bytes)
        await write(bytes)
      }
      if (expected.sha256 !== null && digest.digest('hex') !== expected.sha256)
        throw new StorageAway(`the bucket gave back other bytes of ${key} than were put`)
    })
  }

  const bringUpload = async (id: string, signal?: AbortSignal) => {
    const path = uploadCopyOf(id)
    const pieces = await rows.pieces(id)
    const size = pieces.reduce((sum, { bytes }) => sum + bytes, 0)
    if (pieces.length === 0 && (await rows.received(id)) === undefined) throw new Error(`there is no upload ${id}`)
    if ((await statIfThere(path))?.size === size) return path
    await requireLocalRoom(size)
    await intoPlace(path, async (write) => {
      for (const { key, bytes, sha256, is_direct: isDirect } of pieces) {
        // What came through us was compared before; its sender's own word was not.
        if (isDirect && (await bucket.head(key))?.size !== bytes) throw new OtherBytes(`${key} has another length`)
        const digest = createHash('sha256')
        for await (const some of wholeOf(bucket, key, 0, bytes - 1, signal)) {
          digest.update(some)
          await write(some)
        }
        if (digest.digest('hex') === sha256) continue
        if (isDirect) throw new OtherBytes(`${key} has other bytes than were declared`)
        throw new StorageAway(`the bucket gave back other bytes of ${key} than were put`)
      }
    })
    return path
  }

  const bringOnce = once<string | undefined>()
  const copies: Storage['copies'] = (signal) => {
    const lease = held.lease()
    return {
      of: async (id, name) => {
        // Whoever sends one reads it as unchanged, so its times stay while somebody has it; it stays with them.
        const isInUse = held.isHeld(copyOf(id, name))
        const path = lease.hold(copyOf(id, name))
        if (isInUse ? await statIfThere(path) : await touched(path)) return path
        return bringOnce(path, async () => {
          const found = await bucket.head(keyOf(id, name))
          if (!found) return undefined
          await bring(keyOf(id, name), path, found, signal)
          return path
        })
      },
      upload: async (id) => (await bringOnce(lease.hold(uploadCopyOf(id)), () => bringUpload(id, signal)))!,
      [Symbol.asyncDispose]: async () => lease.end(),
    } satisfies Copies
  }

  /** Puts one piece and acknowledges it. Throws `TakenOver` where another writer went on meanwhile. */
  const putPiece = async (id: string, writer: string, at: number, bytes: Uint8Array) => {
    const key = `quarantine/${checkedId(id)}/${at}-${randomUUID()}`
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await bucket.put(key, bytes).catch(noteFull)
    if (await rows.addPiece(id, writer, { at, bytes: bytes.length, key, sha256 })) return
    await bucket.remove(key).catch(() => {})
    throw new TakenOver(id)
  }

  const refuse = async (id: string) => {
    if (!(await rows.isKnown(id))) return
    // Nobody adds to it while it goes. Bytes first: should the crash come between, whoever does it again finds nothing to remove.
    await rows.takeOver(id, randomUUID())
    await removeBelow(`quarantine/${checkedId(id)}/`)
    await rows.endUpload(id)
    writers.delete(id)
    await rm(uploadCopyOf(id), { force: true })
  }

  /** Where the file was removed meanwhile its row is back then, and with it whoever removes what no file of the product’s is about. */
  const putLocal = async (id: string, name: string, path: string) => {
    await rows.touch(id)
    await bucket.putFile(keyOf(id, name), path, { sha256: await sha256Of(path) }).catch(noteFull)
    await rows.touch(id)
  }

  return {
    kind: 'bucket',
    free,
    requireRoom: async (what, bytes = 0) => {
      if (what === 'work') await requireLocalRoom(bytes)
      else if (isFull()) throw new StorageFull('the bucket is full')
    },
    uploadRoom: async () => (isFull() ? -1 : Infinity),
    // Rows lie at the database's own host.
    hasRoom: async () => true,

    create: (id) => rows.beginUpload(checkedId(id)),
    received: async (id, { takeOver = false } = {}) => {
      if (!takeOver) return rows.received(checkedId(id))
      const writer = randomUUID()
      const received = await rows.takeOver(checkedId(id), writer)
      if (received !== undefined) remember(writers, id, writer)
      return received
    },
    append: async (id, offset, bytes, onBytes) => {
      let writer = writers.get(id)
      writers.delete(id)
      if (writer === undefined) {
        writer = randomUUID()
        // Its row was committed and the crash came before the file; the sender is told to start again.
        await rows.beginUpload(checkedId(id))
        await rows.takeOver(id, writer)
      }
      if ((await rows.received(id)) !== offset) throw new Error(`upload ${id} does not end at ${offset}`)
      let at = offset
      let putting: Promise<void> | undefined
      appending++
      try {
        const most = () => Math.max(heldBytes.least, Math.min(heldBytes.most, heldBytes.all / 2 / appending))
        // One piece is put while the next one comes.
        for await (const piece of inPieces(bytes, most)) {
          await putting
          const from = at
          at += piece.length
          putting = putPiece(id, writer, from, piece).then(() => onBytes?.(from + piece.length))
          putting.catch(() => {})
        }
        await putting
      } catch (error) {
        // What came before the line broke is put, and its failure is said first.
        await putting
        throw error
      } finally {
        appending--
      }
      return at
    },
    parts: place.publicUrl === undefined ? undefined : parts,
    dropLateParts: parts.dropLate,
    take: async (id, path) => {
      await refuse(id)
      await rows.beginUpload(checkedId(id))
      const writer = randomUUID()
      await rows.takeOver(id, writer)
      let at = 0
      for await (const piece of inPieces(createReadStream(path, { highWaterMark: 1024 ** 2 }), () => heldBytes.most)) {
        await putPiece(id, writer, at, piece)
        at += piece.length
      }
    },
    admit: async (id, name) => {
      const key = keyOf(id, name)
      // What was admitted once is never replaced.
      if (await bucket.head(key)) return refuse(id)
      if ((await rows.received(id)) === undefined) throw new Error(`ENOENT: there is no upload ${id}, and no ${key}`)
      await using lease = copies()
      const path = await lease.upload(id)
      await putLocal(id, name, path)
      await mkdir(dirname(copyOf(id, name)), { recursive: true })
      await rename(path, copyOf(id, name))
      await refuse(id)
    },
    refuse,

    copies,
    makeFolder: async (id, name) => {
      await rm(copyOf(id, name), { recursive: true, force: true })
      await mkdir(copyOf(id, name), { recursive: true })
      return copyOf(id, name)
    },
    settle: (id, name) => putLocal(id, name, copyOf(id, name)),
    open: (id, name) => openObject(bucket, keyOf(id, name)),
    prune: async (id, folders, keep) => {
      const kept = new Set(keep.map((name) => keyOf(id, name)))
      const here = new Set(keep.map((name) => copyOf(id, name)))
      for (const folder of folders) {
        await removeBelow(`${keyOf(id, folder)}/`, (key) => kept.has(key))
        for (const { path } of await filesOf(copyOf(id, folder)))
          if (!here.has(path) && !held.isHeld(path)) await rm(path, { force: true })
      }
    },
    untouched: async function* (before) {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const ids = await rows.untouched(before, after)
        if (ids.length === 0) return
        yield ids
        after = ids.at(-1)!
      }
    },
    remove: async (id) => {
      await rm(join(copiesRoot, checkedId(id)), { recursive: true, force: true })
      // A piece that is being put is taken away again by whoever puts it; what else was put meanwhile goes in another round.
      for (let moment; (moment = await rows.beginRemoval(id));) {
        await removeBelow(`quarantine/${id}/`)
        await removeBelow(`assets/${id}/`)
        const end = await rows.forget(id, moment)
        // Somebody may still put a part of it: what comes so late goes with the parts (dropLateParts), and then the rest.
        if (end === 'later') await rows.endUpload(id)
        if (end !== 'again') return
      }
    },

    workFolder: async (name, { keep = false } = {}) => {
      if (!keep) await rm(inWork(name), { recursive: true, force: true })
      await mkdir(inWork(name), { recursive: true })
      return inWork(name)
    },
    dropWork: (name) => rm(inWork(name), { recursive: true, force: true }),
    area: (what) => bucketArea({ what, bucket, folderOf: (name) => inWork(`${what}/${name}`), bring, noteFull }),
    tidy: async (now) => {
      const before = now.getTime() - copiesKeptMs
      for (const { path, usedMs } of [...(await filesOf(copiesRoot)), ...(await filesOf(workRoot))])
        if (usedMs < before && !held.isHeld(path)) await rm(path, { force: true })
      await dropEmptyFolders(copiesRoot)
      await dropEmptyFolders(workRoot)
    },
  }
}

/** Keeps the newest thousand; one that is forgotten is taken over anew. */
const remember = (writers: Map<string, string>, id: string, writer: string) => {
  writers.delete(id)
  writers.set(id, writer)
  for (const oldest of writers.keys()) {
    if (writers.size <= 1000) return
    writers.delete(oldest)
  }
}
