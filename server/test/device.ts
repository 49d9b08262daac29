import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Spool } from '../../web/app/spool/spool.ts'
import { takeFiles } from '../../web/app/spool/take-files.ts'
import type { Take, TakeNotes } from '../../web/app/spool/take.ts'

/** A phone for tests: its disk is a folder, and a page on it can die at any moment. */
export const openDevice = async (folder: string): Promise<Spool> => {
  await mkdir(folder, { recursive: true })
  const files = takeFiles({
    open: async (id) => syncFile(join(folder, id)),
    remove: async (id) => rmSync(join(folder, id), { force: true }),
  })
  return new Spool(notesIn(folder), [files])
}

/** The browser's way to a file of its own, on this machine's disk. */
const syncFile = (path: string) => {
  const file = openSync(path, 'a+')
  closeSync(file)
  const at = openSync(path, 'r+')
  return {
    write: (bytes: Uint8Array, { at: from }: { at: number }) => writeSync(at, bytes, 0, bytes.length, from),
    read: (bytes: Uint8Array, { at: from }: { at: number }) => readSync(at, bytes, 0, bytes.length, from),
    getSize: () => fstatSync(at).size,
    truncate: (size: number) => ftruncateSync(at, size),
    flush: () => fdatasyncSync(at),
    close: () => closeSync(at),
  }
}

/** Each take's note as a file that is written beside the old one and put in its place; one after another. */
const notesIn = (folder: string): TakeNotes => {
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }
  const path = (id: string) => join(folder, `${id}.json`)
  const find = async (id: string) =>
    readFile(path(id), 'utf8').then(
      (text) => JSON.parse(text) as Take,
      () => undefined,
    )
  const put = async (take: Take) => {
    const fresh = `${path(take.id)}.${Math.random().toString(36).slice(2)}`
    {
      await using file = await open(fresh, 'w')
      await file.writeFile(JSON.stringify(take))
      await file.datasync()
    }
    await rename(fresh, path(take.id))
  }
  return {
    find,
    put: (take) => inTurn(() => put(take)),
    change: (id, part) =>
      inTurn(async () => {
        const take = await find(id)
        if (!take) return undefined
        await put({ ...take, ...part })
        return { ...take, ...part }
      }),
    all: async () => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json'))
      return (await Promise.all(names.map((name) => find(name.slice(0, -5))))).flatMap((take) => take ?? [])
    },
    drop: (id) => inTurn(() => rm(path(id), { force: true })),
  }
}
