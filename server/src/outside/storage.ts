import { constants, type Stats } from 'node:fs'
import { cp, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * Where people's files lie. An upload stays in quarantine, under its id, until it has been checked; then it is admitted
 * among the assets, where each id has a folder of its own. Whatever a call has answered for outlives a power cut.
 * Ids are UUIDs and names are ours (`original.mp4`, `2/poster.jpg`), never a name that somebody sent.
 */
export type Storage = {
  /** Bytes that are free on the disk, the kept room among them. */
  free: () => Promise<number>
  /**
   * Throws a `DiskFull` when less than the kept room would be left after `bytes` more: uploads leave `keptFree.upload`,
   * what is made of them `keptFree.work`.
   */
  requireRoom: (what: 'upload' | 'work', bytes?: number) => Promise<void>
  /** Whether rows that people write find room: they leave `keptFree.write`. */
  hasRoom: (what: 'write') => Promise<boolean>

  /** Makes an empty upload; one that exists stays as it is. */
  create: (id: string) => Promise<void>
  /** How many bytes of an upload are durably here; undefined when there is nothing of it. */
  received: (id: string) => Promise<number | undefined>
  /**
   * Writes to an upload from `offset` on and answers where it ends now. What came before an error is kept.
   * `onBytes` hears how far it has come. What has come is written together, each time as `turn` lets it. Throws a
   * `DiskFull` before the bytes that would need the kept room.
   */
  append: (
    id: string,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
    onBytes?: (offset: number) => void,
    turn?: <T>(work: () => Promise<T>) => Promise<T>,
  ) => Promise<number>
  /** Copies a local file into quarantine. */
  take: (id: string, path: string) => Promise<void>
  /** The local path of an upload, for programs that look into it. */
  quarantined: (id: string) => string
  /** Moves a checked upload into its asset's folder; safe to repeat. */
  admit: (id: string, name: string) => Promise<void>
  /** Removes an upload from quarantine. */
  refuse: (id: string) => Promise<void>

  /** The local path of an asset's file or folder. */
  path: (id: string, name: string) => string
  /** Makes an empty folder inside an asset's folder, for one attempt's output, and answers its path. */
  makeFolder: (id: string, name: string) => Promise<string>
  /** Returns once an asset's file is durable. */
  settle: (id: string, name: string) => Promise<void>
  /** Opens an asset's file; undefined when it is not there. Close it, or let a stream of it end. */
  open: (id: string, name: string) => Promise<StoredFile | undefined>
  /** Removes whatever the asset's folder holds beside these files. */
  prune: (id: string, keep: readonly string[]) => Promise<void>
  /** A folder for work that may be lost, below a name of ours (`renders/…/2`); emptied first unless `keep`. Answers its path. */
  workFolder: (name: string, options?: { keep?: boolean }) => Promise<string>
  /** Removes a folder of work. */
  dropWork: (name: string) => Promise<void>
  /** The ids of which anything lies in quarantine or among the assets, untouched since `before`. */
  untouched: (before: Date) => Promise<string[]>
  /** Removes everything of this id, in quarantine and among the assets. */
  remove: (id: string) => Promise<void>
}

export type StoredFile = {
  size: number
  modifiedAt: Date
  /** Both ends included. */
  stream: (start?: number, end?: number) => Readable
  close: () => Promise<void>
}

/**
 * Bytes that stay free: `upload` for what is made of the files, `work` of that for the database, which ends on a full disk,
 * and `write` of that for what the database needs beside what people write.
 */
export type KeptFree = { upload: number; work: number; write: number }
export const keptFree: KeptFree = { upload: 2 * 1024 ** 3, work: 1024 ** 3, write: 512 * 1024 ** 2 }

/** The kept room would be needed. `reason` is what runs of work ask an error for (kernel/attempt.ts). */
export class DiskFull extends Error {
  readonly reason = 'disk-full'
  constructor() {
    super('the disk is full up to the room that is kept free')
  }
}

let opened: Storage | undefined

/** Opens the storage under `dataDir` for this process: rooms and jobs find it by `storage()`. */
export const openStorage = async (dataDir: string, disk?: Disk): Promise<void> => {
  opened = await diskStorage(join(dataDir, 'media'), disk)
}

export const storage = (): Storage => {
  if (!opened) throw new Error('openStorage() was not called')
  return opened
}

/** What is asked about the disk; unless said, the one that the folder lies on. */
export type Disk = { free: () => Promise<number>; kept: KeptFree }

/** Storage in a folder of this machine. */
export const diskStorage = async (root: string, disk: Disk = diskOf(root)): Promise<Storage> => {
  const quarantine = join(root, 'quarantine')
  const assets = join(root, 'assets')
  await Promise.all([mkdir(quarantine, { recursive: true }), mkdir(assets, { recursive: true })])
  const inQuarantine = (id: string) => join(quarantine, checkedId(id))
  const inWork = (name: string) => join(root, 'work', checkedFolder(name))
  const inAsset = (id: string, name = '') => join(assets, checkedId(id), name && checkedName(name))

  const requireRoom: Storage['requireRoom'] = async (what, bytes = 0) => {
    if ((await disk.free()) < disk.kept[what] + bytes) throw new DiskFull()
  }

  return {
    free: disk.free,
    requireRoom,
    // A disk that cannot be asked refuses nothing: what is written says itself whether it went.
    hasRoom: (what) =>
      disk.free().then(
        (free) => free >= disk.kept[what],
        () => true,
      ),
    create: async (id) => {
      await using handle = await open(inQuarantine(id), constants.O_WRONLY | constants.O_CREAT, 0o600)
      await handle.sync()
      await syncFolder(quarantine)
    },
    received: async (id) => {
      await using handle = await openIfThere(inQuarantine(id), 'r+')
      await handle?.datasync()
      return (await handle?.stat())?.size
    },
    append: async (id, offset, bytes, onBytes, turn = (work) => work()) => {
      await using upload = await openForAppend(inQuarantine(id))
      // A hole would look like bytes that arrived.
      if ((await upload.stat()).size !== offset) throw new Error(`upload ${id} does not end at ${offset}`)
      let at = offset
      let safe = offset
      try {
        for await (const first of inBatches(bytes)) {
          await turn(async () => {
            const batch = await first.rest()
            await requireRoom('upload', batch.length)
            at += await writeAll(upload, batch, at)
            if (at - safe < syncEvery) return
            await upload.datasync()
            safe = at
          })
          onBytes?.(at)
        }
      } finally {
        await turn(() => upload.datasync())
      }
      return at
    },
    take: async (id, path) => {
      await cp(path, inQuarantine(id), { mode: constants.COPYFILE_FICLONE })
      await syncFile(inQuarantine(id))
      await syncFolder(quarantine)
    },
    quarantined: inQuarantine,
    admit: async (id, name) => {
      await makeDurableFolder(inAsset(id))
      await rename(inQuarantine(id), inAsset(id, name)).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT' || !(await statIfThere(inAsset(id, name)))) throw error
      })
      await Promise.all([syncFolder(inAsset(id)), syncFolder(quarantine)])
    },
    refuse: async (id) => {
      await rm(inQuarantine(id), { force: true })
      await syncFolder(quarantine)
    },
    path: inAsset,
    makeFolder: async (id, name) => {
      await rm(inAsset(id, name), { recursive: true, force: true })
      await makeDurableFolder(inAsset(id, name))
      return inAsset(id, name)
    },
    settle: async (id, name) => {
      await syncFile(inAsset(id, name))
      await syncFolder(dirname(inAsset(id, name)))
    },
    open: async (id, name) => {
      const handle = await openIfThere(inAsset(id, name), 'r')
      if (!handle) return undefined
      const { size, mtime } = await handle.stat()
      return {
        size,
        modifiedAt: mtime,
        stream: (start, end) => handle.createReadStream({ start, end, highWaterMark: 256 * 1024 }),
        close: () => handle.close(),
      }
    },
    prune: async (id, keep) => {
      const entries = await readdir(inAsset(id), { withFileTypes: true, recursive: true }).catch(ifMissing([]))
      for (const entry of entries) {
        const name = join(entry.parentPath, entry.name).slice(inAsset(id).length + 1)
        if (keep.some((kept) => kept === name || kept.startsWith(`${name}/`))) continue
        await rm(join(inAsset(id), name), { recursive: true, force: true })
      }
    },
    workFolder: async (name, { keep = false } = {}) => {
      if (!keep) await rm(inWork(name), { recursive: true, force: true })
      await mkdir(inWork(name), { recursive: true })
      return inWork(name)
    },
    dropWork: async (name) => rm(inWork(name), { recursive: true, force: true }),
    untouched: async (before) => {
      const found = new Set<string>()
      for (const folder of [quarantine, assets])
        for (const name of await readdir(folder)) {
          const seen = isId.test(name) ? await statIfThere(join(folder, name)) : undefined
          if (seen && seen.mtime < before) found.add(name)
        }
      return [...found]
    },
    remove: async (id) => {
      await rm(inQuarantine(id), { force: true })
      await rm(inAsset(id), { recursive: true, force: true })
    },
  }
}

const diskOf = (root: string): Disk => ({
  free: async () => {
    const { bavail, bsize } = await statfs(root)
    return bavail * bsize
  },
  kept: keptFree,
})

// Written bytes are made durable this often, so that the last request of a big upload need not wait for all of them.
const syncEvery = 32 * 1024 * 1024

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const checkedId = (id: string): string => {
  if (!isId.test(id)) throw new Error('bad asset id')
  return id
}

const checkedName = (name: string): string => {
  if (!/^(\d+|(\d+\/)?[a-z0-9-]+\.[a-z0-9]+)$/.test(name)) throw new Error(`bad file name ${name}`)
  return name
}

const checkedFolder = (name: string): string => {
  if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name)) throw new Error(`bad folder name ${name}`)
  return name
}

const openForAppend = async (path: string): Promise<FileHandle> => {
  const handle = await openIfThere(path, 'r+')
  if (handle) return handle
  // Its row was committed and the crash came before the file; or the disk lost it: the client is told to start again.
  const fresh = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  await syncFolder(dirname(path))
  return fresh
}

const openIfThere = (path: string, flags: string): Promise<FileHandle | undefined> =>
  open(path, flags).catch(ifMissing(undefined))

const statIfThere = (path: string): Promise<Stats | undefined> => stat(path).catch(ifMissing(undefined))

const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value
    throw error
  }

const writeAll = async (handle: FileHandle, chunk: Uint8Array, at: number): Promise<number> => {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, at + done)
    done += bytesWritten
  }
  return chunk.length
}

/** At most so many bytes are written at once. */
const batchBytes = 512 * 1024

/**
 * Waits for the next bytes; `rest` answers them with those that have come meanwhile, without waiting for more. Nothing is
 * asked of `bytes` before that, so a sender waits while others are written. An error of `bytes` comes after what came
 * before it.
 */
async function* inBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ rest: () => Promise<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]()
  let asked: Promise<IteratorResult<Uint8Array>> | undefined
  const ask = () => {
    asked ??= source.next()
    // Whoever waits for it hears of its failure; until then nobody listens.
    asked.catch(() => {})
    return asked
  }
  try {
    for (;;) {
      const { value, done } = await ask()
      asked = undefined
      if (done) return
      yield {
        rest: async () => {
          const chunks = [value]
          let length = value.length
          while (length < batchBytes) {
            const next = await Promise.race([ask(), nothingYet()]).catch(() => undefined)
            if (!next || next.done) break
            asked = undefined
            chunks.push(next.value)
            length += next.value.length
          }
          return chunks.length === 1 ? value : Buffer.concat(chunks, length)
        },
      }
    }
  } finally {
    if (!asked) await source.return?.()
    else void asked.then(() => source.return?.()).catch(() => {})
  }
}

// What lies in the buffers on the way comes within this round of the loop.
const nothingYet = () => new Promise<undefined>((resolve) => setImmediate(() => setImmediate(resolve, undefined)))

const makeDurableFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true })
  await syncFolder(path)
  await syncFolder(dirname(path))
}

const syncFile = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r+')
  await handle.sync()
}

// A file's name is durable only when its folder is.
const syncFolder = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r')
  await handle.sync()
}
