import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readdir, writeFile, type FileHandle } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { inLineForTerminal } from '@clear-to-post/contract/visible'

/** What the list of a backup is called; the usual tool reads it too (`sha256sum -c SHA256SUMS`). */
export const checksumsFile = 'SHA256SUMS'
/** The sha-256 of the list itself: the seal of the backup. Kept elsewhere, too, it says whether this is the list that was made. */
export const checksumsDigestFile = 'SHA256SUMS.sha256'

/** SHA-256 in hexadecimal by path below the backup's folder, with forward slashes. */
export type Checksums = Map<string, string>

export type Copied = { size: number; sha256: string }

/**
 * Copies a file and answers the hash of the bytes that were read, which are those of the copy, readable by its owner alone. It is
 * durable and as old as the original, unless it is thrown away soon: `throwaway`, which ends a little after `most` bytes, too.
 * Throws when the copy exists, ENOENT when the original does not.
 */
export const copyFile = async (
  from: string | FileHandle,
  to: string,
  throwaway?: { most: number },
): Promise<Copied> => {
  const source = typeof from === 'string' ? await open(from, 'r') : from
  try {
    await using target = await open(to, 'wx', 0o600)
    const { atime, mtime } = await source.stat()
    const write = async (bytes: Buffer, at: number) => {
      for (let done = 0; done < bytes.length;)
        done += (await target.write(bytes, done, bytes.length - done, at + done)).bytesWritten
    }
    const copied = await readThrough(source, write, throwaway?.most)
    if (throwaway) return copied
    await target.utimes(atime, mtime)
    await target.sync()
    return copied
  } finally {
    if (typeof from === 'string') await source.close()
  }
}

export const hashOf = async (path: string): Promise<string> => {
  await using source = await openOwn(path)
  return (await readThrough(source)).sha256
}

/** A file of a backup whose bytes do not lie in it. */
export class NotItsOwn extends Error {
  readonly words = 'is no file of its own, but a link, a pipe or a device'
}

/**
 * Opens a file of a backup. What a link leads to is lost with the disk that it lies on; a pipe would be waited for, and a device
 * read, without an end. Throws `NotItsOwn`.
 */
export const openOwn = async (path: string): Promise<FileHandle> => {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const source = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw ['ELOOP', 'ENXIO'].includes(error.code ?? '') ? new NotItsOwn(path) : error
  })
  if ((await source.stat()).isFile()) return source
  await source.close()
  throw new NotItsOwn(path)
}

/** What a small file of a backup says. */
export const readOwn = async (path: string): Promise<string> => {
  await using source = await openOwn(path)
  return source.readFile('utf8')
}

export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Reads a file from its beginning to its end, a piece after the other; `take` may use a piece until it answers. One that is longer
 * than `most` is read for at most a piece more.
 */
const readThrough = async (
  source: FileHandle,
  take?: (bytes: Buffer, at: number) => Promise<void>,
  most = Infinity,
): Promise<Copied> => {
  const hash = createHash('sha256')
  const buffer = unused.pop() ?? Buffer.allocUnsafe(1024 * 1024)
  try {
    let size = 0
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, size)
      if (bytesRead === 0 || size > most) return { size, sha256: hash.digest('hex') }
      const bytes = buffer.subarray(0, bytesRead)
      hash.update(bytes)
      await take?.(bytes, size)
      size += bytesRead
    }
  } finally {
    unused.push(buffer)
  }
}
/** A backup has thousands of small files: to make a buffer for each, and to clear it away, took longer than to read it. */
const unused: Buffer[] = []

/** Writes the list and its seal, and answers the seal; what is listed must be durable already. */
export const writeChecksums = async (folder: string, sums: Checksums): Promise<string> => {
  const text = [...sums].sort(byPath).map(([path, sha256]) => `${sha256}  ${path}\n`)
  const seal = hashOfText(text.join(''))
  await writeFile(join(folder, checksumsFile), text.join(''), { mode: 0o600, flag: 'wx', flush: true })
  const line = `${seal}  ${checksumsFile}\n`
  await writeFile(join(folder, checksumsDigestFile), line, { mode: 0o600, flag: 'wx', flush: true })
  return seal
}

/**
 * The list of a backup. Throws a sentence when it is not the list that was written: by the seal that lies beside it, which
 * shows damage, and by `seal`, which was kept elsewhere and shows that somebody rewrote both.
 */
export const readChecksums = async (folder: string, seal?: string): Promise<Checksums> => {
  const [text, beside] = await Promise.all(
    [checksumsFile, checksumsDigestFile].map((name) =>
      readOwn(join(folder, name)).catch(() => {
        throw new Error(`${name} is missing: without it nobody can say what belongs to this backup.`)
      }),
    ),
  )
  const own = hashOfText(text!)
  if (own !== beside!.slice(0, 64))
    throw new Error(`${checksumsFile} is not as it was written: its own hash in ${checksumsDigestFile} is another.`)
  if (seal !== undefined && own !== seal.toLowerCase())
    throw new Error(
      `The seal of ${folder} is ${own}, and ${seal} was kept: somebody rewrote this backup, or that seal is another backup’s. Choose another backup.`,
    )
  const lines = text!.split('\n').filter(Boolean)
  refuseOddPaths(
    checksumsFile,
    lines.map((line) => line.slice(66)),
  )
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

/** Throws a sentence when one of the paths that this file of a backup names could lead out of a folder, or is named twice. */
export const refuseOddPaths = (file: string, paths: readonly string[]): void => {
  const seen = new Set<string>()
  for (const path of paths) {
    const isInside = path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
    const fault =
      !isInside || path.includes('\\') ? ', which is no path inside of a backup' : seen.has(path) ? ' twice' : null
    if (fault)
      throw new Error(
        `${file} names “${inLineForTerminal(path)}”${fault}: nothing was restored. Choose another backup.`,
      )
    seen.add(path)
  }
}

/** Every file below a folder, as paths below it with forward slashes. */
export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Makes names of files durable. */
export const syncFolder = async (path: string): Promise<void> => {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/** Does `work` for each of `all`, so many at once; the first error stops it. */
export const inParallel = async <T>(all: Iterable<T>, atOnce: number, work: (one: T) => Promise<void>) => {
  const queue = all[Symbol.iterator]()
  let failed = false
  const line = async () => {
    for (let next = queue.next(); !next.done && !failed; next = queue.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, line))
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason
}

const byPath = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : a > b ? 1 : 0)
