import { constants, type Stats } from 'node:fs'
import { cp, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  checkedFile,
  checkedFolder,
  checkedId,
  checkedName,
  isStoredId,
  keptFree,
  StorageFull,
  type Copies,
  type KeptFree,
  type StorageArea,
  type AreaClass,
  type Storage,
  type StoredFile,
} from './storage.ts'

/** What is asked about the disk; unless said, the one that the folder lies on. */
export type Disk = { free: () => Promise<number>; kept: KeptFree }

/** Storage in a folder of this machine, whose files have paths: tests and the backup of one machine look at them. */
export type DiskStorage = Storage & {
  /** The local path of an upload. */
  quarantined: (id: string) => string
  /** The local path of an asset's file or folder. */
  path: (id: string, name: string) => string
}

/** Storage in a folder of this machine. */
export const diskStorage = async (root: string, disk: Disk = diskOf(root)): Promise<DiskStorage> => {
  const quarantine = join(root, 'quarantine')
  const assets = join(root, 'assets')
  await Promise.all([mkdir(quarantine, { recursive: true }), mkdir(assets, { recursive: true })])
  const inQuarantine = (id: string) => join(quarantine, checkedId(id))
  const inWork = (name: string) => join(root, 'work', checkedFolder(name))
  const inAsset = (id: string, name = '') => join(assets, checkedId(id), name && checkedName(name))

  const requireRoom: Storage['requireRoom'] = async (what, bytes = 0) => {
    if ((await disk.free()) < disk.kept[what] + bytes) throw new StorageFull()
  }

  const isThere = async (path: string) => (await statIfThere(path)) !== undefined
  // A file that lies here is its own copy.
  const copies: Copies = {
    of: async (id, name) => ((await isThere(inAsset(id, name))) ? inAsset(id, name) : undefined),
    upload: async (id) => inQuarantine(id),
    [Symbol.asyncDispose]: async () => {},
  }
  const area = (what: AreaClass): StorageArea => {
    const folder = async (name: string) => {
      await mkdir(inWork(`${what}/${name}`), { recursive: true })
      return inWork(`${what}/${name}`)
    }
    return {
      folder,
      bring: async () => {},
      keep: async () => {},
      list: async (name) => {
        const names = await readdir(inWork(`${what}/${name}`)).catch(ifMissing([]))
        return Promise.all(
          names.toSorted().map(async (file) => {
            return { name: file, size: (await stat(join(inWork(`${what}/${name}`), file))).size }
          }),
        )
      },
      open: (name, file) => openFile(join(inWork(`${what}/${name}`), checkedFile(file))),
      names: () => readdir(inWork(what)).catch(ifMissing([])),
      drop: (name) => rm(inWork(`${what}/${name}`), { recursive: true, force: true }),
      // By size (trimCache).
      trim: async () => [],
    }
  }

  return {
    kind: 'disk',
    free: disk.free,
    requireRoom,
    uploadRoom: async () => (await disk.free()) - disk.kept.upload,
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
      await using upload = await openForAppend(inQuarantine(id), offset)
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
    parts: undefined,
    dropLateParts: async () => 0,
    take: async (id, path) => {
      await cp(path, inQuarantine(id), { mode: constants.COPYFILE_FICLONE })
      await syncFile(inQuarantine(id))
      await syncFolder(quarantine)
    },
    quarantined: inQuarantine,
    admit: async (id, name) => {
      await makeDurableFolder(inAsset(id))
      // What was admitted once is never replaced.
      if (await statIfThere(inAsset(id, name))) await rm(inQuarantine(id), { force: true })
      else await rename(inQuarantine(id), inAsset(id, name))
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
    open: (id, name) => openFile(inAsset(id, name)),
    copies: () => copies,
    prune: async (id, folders, keep) => {
      const kept = keep.map((name) => inAsset(id, name))
      for (const folder of folders.map((name) => inAsset(id, name))) {
        const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(ifMissing([]))
        for (const path of [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))])
          if (!kept.some((one) => one === path || one.startsWith(`${path}/`)))
            await rm(path, { recursive: true, force: true })
      }
    },
    workFolder: async (name, { keep = false } = {}) => {
      if (!keep) await rm(inWork(name), { recursive: true, force: true })
      await mkdir(inWork(name), { recursive: true })
      return inWork(name)
    },
    dropWork: async (name) => rm(inWork(name), { recursive: true, force: true }),
    untouched: async function* (before) {
      const found = new Set<string>()
      for (const folder of [quarantine, assets])
        for (const name of await readdir(folder)) {
          const seen = isStoredId(name) ? await statIfThere(join(folder, name)) : undefined
          if (seen && seen.mtime < before) found.add(name)
        }
      const all = [...found]
      for (let at = 0; at < all.length; at += 1000) yield all.slice(at, at + 1000)
    },
    area,
    tidy: async () => {},
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

const openForAppend = async (path: string, offset: number): Promise<FileHandle> => {
  const handle = await openIfThere(path, 'r+')
  if (handle) return handle
  if (offset > 0) throw new Error(`there is no upload at ${path} that ends at ${offset}`)
  // Its row was committed and the crash came before the file; or the disk lost it: the client is told to start again.
  const fresh = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
  await syncFolder(dirname(path))
  return fresh
}

const openFile = async (path: string): Promise<StoredFile | undefined> => {
  const handle = await openIfThere(path, 'r')
  if (!handle) return undefined
  const { size, mtime } = await handle.stat()
  return {
    size,
    modifiedAt: mtime,
    stream: (start, end) => handle.createReadStream({ start, end, highWaterMark: 64 * 1024 }),
    close: () => handle.close(),
  }
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
