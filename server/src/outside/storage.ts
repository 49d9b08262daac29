import type { Readable } from 'node:stream'
import type { Stretch } from '@clear-to-post/domain/upload-parts'

/**
 * Where people's files lie: on this machine's disk, or in a bucket that many machines share (decision 500). An upload stays
 * in quarantine, under its id, until it has been checked; then it is admitted among the assets, where each id has a folder
 * of its own. Whatever a call has answered for outlives a power cut. Ids are UUIDs and names are ours (`original.mp4`,
 * `2/poster.jpg`), never a name that somebody sent. Nothing here is a path of a kept file: programs that need one are given
 * a copy (`copies`), which is the file itself where it lies on this machine.
 */
export type Storage = {
  readonly kind: 'disk' | 'bucket'
  /** Bytes that are free on this machine's disk, the kept room among them. */
  free: () => Promise<number>
  /**
   * Throws a `StorageFull` when less than the kept room would be left after `bytes` more: uploads leave `keptFree.upload`,
   * what is made of them `keptFree.work`.
   */
  requireRoom: (what: 'upload' | 'work', bytes?: number) => Promise<void>
  /** So many bytes of uploads find room beside what they leave free; of a bucket any number, and none while it is full (-1). */
  uploadRoom: () => Promise<number>
  /** Whether rows that people write find room: they leave `keptFree.write`. */
  hasRoom: (what: 'write') => Promise<boolean>

  /** Makes an empty upload; one that exists stays as it is. */
  create: (id: string) => Promise<void>
  /**
   * How many bytes of an upload are durably here; undefined when there is nothing of it. With `takeOver` whoever writes to it
   * elsewhere adds nothing more, so that the answer stays true until the caller appends.
   */
  received: (id: string, options?: { takeOver?: boolean }) => Promise<number | undefined>
  /**
   * Writes to an upload from `offset` on and answers where it ends now. What came before an error is kept.
   * `onBytes` hears how far it has come. What has come is written together, each time as `turn` lets it. Throws a
   * `StorageFull` before the bytes that find no room, and `TakenOver` when another writer went on.
   */
  append: (
    id: string,
    offset: number,
    bytes: AsyncIterable<Uint8Array>,
    onBytes?: (offset: number) => void,
    turn?: <T>(work: () => Promise<T>) => Promise<T>,
  ) => Promise<number>
  /** Parts that senders put into the bucket themselves; undefined where they do not reach one. */
  readonly parts: Parts | undefined
  /** Removes parts whose addresses ended and that nobody acknowledged, or needs any more. Answers how many. */
  dropLateParts: (now: Date) => Promise<number>
  /** Copies a local file into quarantine. */
  take: (id: string, path: string) => Promise<void>
  /** Moves a checked upload into its asset's folder; safe to repeat. */
  admit: (id: string, name: string) => Promise<void>
  /** Removes an upload from quarantine. */
  refuse: (id: string) => Promise<void>

  /** Files as local paths, for programs that look into them, for as long as the answer is held. */
  copies: (signal?: AbortSignal) => Copies
  /** Makes an empty local folder for one attempt's output, which becomes the asset's by `settle`, and answers its path. */
  makeFolder: (id: string, name: string) => Promise<string>
  /** Returns once an asset's file, out of a folder that was made for it, is durable. */
  settle: (id: string, name: string) => Promise<void>
  /** Opens an asset's file; undefined when it is not there. Close it, or let a stream of it end. */
  open: (id: string, name: string) => Promise<StoredFile | undefined>
  /** Removes what these folders of an asset hold beside these files; what others put into folders of their own stays. */
  prune: (id: string, folders: readonly string[], keep: readonly string[]) => Promise<void>
  /** The ids of which anything lies in quarantine or among the assets, untouched since `before`; a bounded number at a time. */
  untouched: (before: Date) => AsyncIterable<string[]>
  /** Removes everything of this id, in quarantine and among the assets. */
  remove: (id: string) => Promise<void>

  /** A local folder for work that may be lost, below a name of ours (`renders/…/2`); emptied first unless `keep`. Answers its path. */
  workFolder: (name: string, options?: { keep?: boolean }) => Promise<string>
  /** Removes a local folder of work. */
  dropWork: (name: string) => Promise<void>

  /** Small files that any host may need again: below a class, a folder's name, and a file's. */
  area: (what: AreaClass) => StorageArea
  /** Throws away local copies that nobody used for long; the kept files stay. */
  tidy: (now: Date) => Promise<void>
}

/** `chunks`: pieces of renders by project; `exports`: what was written down of a person, by export and attempt. */
export type AreaClass = 'chunks' | 'exports'

/** A area's files are worked on in a local folder, and kept by name. */
export type StorageArea = {
  /** The local folder of this name, made when it is not there. */
  folder: (name: string) => Promise<string>
  /** Brings those of these files that are kept, and not here yet, into the local folder. */
  bring: (name: string, files: readonly string[], signal?: AbortSignal) => Promise<void>
  /** Keeps these files of the local folder, as far as they are there; one that is kept already stays. */
  keep: (name: string, files: readonly string[]) => Promise<void>
  /** The kept files below this name, with their sizes. */
  list: (name: string) => Promise<{ name: string; size: number }[]>
  open: (name: string, file: string) => Promise<StoredFile | undefined>
  /** Names of the first level of which anything is kept. */
  names: () => Promise<string[]>
  /** Removes all that is kept below this name, and the local folder. */
  drop: (name: string) => Promise<void>
  /** Removes what is older, where that is not done by size; answers the names of the first level that lost something. */
  trim: (before: Date) => Promise<string[]>
}

export type Copies = AsyncDisposable & {
  /** The path of an asset's file, whole; undefined when it is not there. */
  of: (id: string, name: string) => Promise<string | undefined>
  /** The path of an upload's bytes. Throws when there are none, and `OtherBytes`. */
  upload: (id: string) => Promise<string>
}

/** What of an upload is here: its beginning, and stretches behind a gap; and who may add to it from now on. */
export type PartsHere = { writer: string; received: number; here: Stretch[] }
/** A part that is to be put: its bytes, and their sha-256 in hex. */
export type WantedPart = Stretch & { sha256: string }
/** Where it is to be put, with which headers, and until when. */
export type PartAddress = Stretch & {
  id: string
  url: string
  headers: Record<string, string>
  endsAt: Date
}

/** Uploads in parts that do not come through this process. Each throws `TakenOver` when another writer went on. */
export type Parts = {
  /** Takes an upload over: nobody who wrote to it before adds anything more. Undefined where there is none. `size`: what it was declared to have. */
  open: (id: string, size: number) => Promise<PartsHere | undefined>
  /**
   * Acknowledges those of these parts that are in the bucket with the length, and as far as the store says the checksum, that
   * was declared, within the file's size. Others are not counted.
   */
  acknowledge: (id: string, writer: string, size: number, partIds: readonly string[]) => Promise<PartsHere>
  /**
   * Addresses for parts that were found to fit. `most`: bytes that this sender may put beside what counts as their uploads', over
   * all of them. Throws `TooManyParts`, and `PartsOfSenderFull` beyond `most`.
   */
  addresses: (
    id: string,
    writer: string,
    wanted: readonly WantedPart[],
    sender: { id: string; most: number },
  ) => Promise<PartAddress[]>
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

/** No room is left. `reason` is what runs of work ask an error for (kernel/attempt.ts). */
export class StorageFull extends Error {
  readonly reason = 'disk-full'
  constructor(message = 'the disk is full up to the room that is kept free') {
    super(message)
  }
}

/** The place of the files does not answer, or not to us. It says nothing about a file. */
export class StorageAway extends Error {
  readonly reason = 'storage-away'
  /** It answers, and refuses us: a setting is wrong. */
  readonly refusesUs: boolean
  constructor(message: string, { refusesUs = false, cause }: { refusesUs?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.refusesUs = refusesUs
  }
}

/** Another writer went on with this upload: nothing more of this one's is added. */
export class TakenOver extends Error {
  constructor(id: string) {
    super(`another connection went on with upload ${id}`)
  }
}

/** More addresses of one upload are open than anybody needs. */
export class TooManyParts extends Error {}

/** As much as one sender may put beside their uploads has an address already. */
export class PartsOfSenderFull extends Error {}

/** What its sender put is not what they declared. */
export class OtherBytes extends Error {}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isStoredId = (id: string): boolean => isId.test(id)

export const checkedId = (id: string): string => {
  if (!isId.test(id)) throw new Error('bad asset id')
  return id
}

export const checkedName = (name: string): string => {
  if (!/^(\d+|(\d+\/)?[a-z0-9-]+\.[a-z0-9]+)$/.test(name)) throw new Error(`bad file name ${name}`)
  return name
}

export const checkedFolder = (name: string): string => {
  if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(name)) throw new Error(`bad folder name ${name}`)
  return name
}

/** A file of a area. */
export const checkedFile = (name: string): string => {
  if (!/^[a-z0-9_-]+(\.[a-z0-9]+){1,2}$/.test(name)) throw new Error(`bad file name ${name}`)
  return name
}

let opened: Storage | undefined

/** Sets the storage of this process: rooms and jobs find it by `storage()`. */
export const useStorage = (storage: Storage): void => void (opened = storage)

export const storage = (): Storage => {
  if (!opened) throw new Error('openStorage() was not called')
  return opened
}
