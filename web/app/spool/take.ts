import type { TakeLog } from '@clear-to-post/domain/take-log'

/** What a device knows of a take: how much of it is safe on its disk, and how far the service has it. */
export type Take = {
  /** A UUID; the service knows the take by it, too, unless it had to be sent anew. */
  id: string
  /** The UUID that the service knows it by since it was sent anew. */
  sentAs?: string
  userId: string
  fileName: string
  /** Media type without its codecs. */
  type: string
  /** In `Date.now()` time. */
  begunAt: number
  /** Bytes that are flushed. Nothing beyond them is ever read, shown or sent. */
  safeBytes: number
  /** How long what is safe lasts, ms. */
  safeMs: number
  /** The recorder has put down its last byte, or the officer has taken what there is as the whole. */
  isEnded: boolean
  /** Where its bytes lie. */
  place: Place
  /** Where the service receives it, as it answered. */
  address: string | null
  /** Bytes that the service has acknowledged. */
  sentBytes: number
  /** What the recorder has noted so far; missing where it notes nothing. */
  log?: TakeLog
  /** The service has that, too. */
  isLogTold?: boolean
  /** Its length was told to the service, which means that the service has all of it. */
  isTold: boolean
}

export const places = ['files', 'database', 'memory'] as const
export type Place = (typeof places)[number]

/** Rows about takes, each change durable when its promise is kept. */
export type TakeNotes = {
  put: (take: Take) => Promise<void>
  /** Undefined where it is gone; then nothing is written. */
  change: (id: string, part: Partial<Take>) => Promise<Take | undefined>
  find: (id: string) => Promise<Take | undefined>
  all: () => Promise<Take[]>
  drop: (id: string) => Promise<void>
}

/** Where bytes of takes lie: one growing file for each. */
export type TakeBytes = {
  place: Place
  /** Writes a little, and removes it again: browsers say by doing alone whether they keep anything. Throws what the disk throws. */
  tryOut: () => Promise<void>
  /** Writes behind the first `at` bytes, whatever stood there, and keeps its promise when that is flushed. Answers where it ends. */
  append: (id: string, at: number, bytes: ArrayBuffer) => Promise<number>
  /** At most `most` bytes from `from` on. */
  read: (id: string, from: number, most: number) => Promise<ArrayBuffer>
  /** Lets go of what it holds open; the bytes stay. */
  close: (id: string) => Promise<void>
  drop: (id: string) => Promise<void>
  /** False once the disk was full and what was set aside for the end of a take has been used; missing where nothing is. */
  hasRoom?: () => Promise<boolean>
}
