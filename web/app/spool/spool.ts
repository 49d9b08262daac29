import type { TakeLog } from '@clear-to-post/domain/take-log'
import type { Take, TakeBytes, TakeNotes } from './take.ts'

/**
 * Takes on their way: what a recorder puts out goes to the device's disk first, and from there to the service. A fragment
 * counts as safe when it is flushed and the note that says so is, too: in this order, so that what a note calls safe is there
 * whatever ends in between. Needs no page: any tab goes on with what another one left.
 */
export class Spool {
  readonly #notes: TakeNotes
  readonly #places: readonly [TakeBytes, ...TakeBytes[]]
  #chosen: TakeBytes
  #refusal: unknown
  readonly #listeners = new Set<(id: string) => void>()
  /** Fragments are written one after another, for each take. */
  readonly #writing = new Map<string, Promise<unknown>>()

  /** The first of `places` takes what is new, until another is chosen; the others still give out what lies there. */
  constructor(notes: TakeNotes, places: readonly [TakeBytes, ...TakeBytes[]]) {
    this.#notes = notes
    this.#places = places
    this.#chosen = places[0]
  }

  /** Where new takes lie; `memory` means that a closed page loses them. */
  get place() {
    return this.#chosen.place
  }

  /** Why that is not on the disk: what the last place before it threw. */
  get refusal() {
    return this.#refusal
  }

  /**
   * New takes go to the first place that takes something now: browsers refuse without a word beforehand, and disks fill. Where
   * the room of the device `isUsedUp`, that is the memory.
   */
  async choosePlace({ isUsedUp = false } = {}): Promise<void> {
    this.#refusal = undefined
    for (const place of this.#places) {
      try {
        if (isUsedUp && place.place !== 'memory') throw new DOMException('No room is left', 'QuotaExceededError')
        // Notes of what lies in files are in the database.
        if (place.place === 'files') await this.#places.find((other) => other.place === 'database')?.tryOut()
        await place.tryOut()
        this.#chosen = place
        return
      } catch (error) {
        this.#refusal = error
        console.warn(`This browser keeps no takes in ${place.place}`, error)
      }
    }
  }

  /** Whether what is new still has room; once it has not, what is written now is the last that there is room for. */
  async hasRoom(): Promise<boolean> {
    return (await this.#chosen.hasRoom?.()) ?? true
  }

  /** Hears the id of every take of which something has changed. Answers how to stop. */
  listen(listener: (id: string) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async begin(about: Pick<Take, 'id' | 'userId' | 'fileName' | 'type' | 'begunAt'>): Promise<void> {
    const blank = { safeBytes: 0, safeMs: 0, isEnded: false, address: null, sentBytes: 0, isTold: false }
    await this.#notes.put({ ...about, ...blank, place: this.place })
    this.#tell(about.id)
  }

  /**
   * Puts down what the recorder gave out; `ms`: how long the take is with it, `log`: all that was noted of it so far. Answers how many bytes are safe now. Throws what
   * the disk throws (QuotaExceededError where it is full); what was safe before stays so.
   */
  append(id: string, bytes: Blob, ms: number, log?: TakeLog): Promise<number> {
    const work = async () => {
      const take = await this.#notes.find(id)
      if (take === undefined) throw new Error('This take is gone')
      const safeBytes = await this.#of(take).append(id, take.safeBytes, await bytes.arrayBuffer())
      await this.#notes.change(id, { safeBytes, safeMs: ms, ...(log && { log }) })
      this.#tell(id)
      return safeBytes
    }
    const done = (this.#writing.get(id) ?? Promise.resolve()).then(work)
    // What follows a failed fragment would leave a hole: it fails, too.
    done.catch(() => undefined)
    this.#writing.set(id, done)
    return done
  }

  /** What is safe is the whole take: after the recorder's last byte, or because it will never come. */
  async end(id: string): Promise<void> {
    await this.#writing.get(id)?.catch(() => undefined)
    await this.note(id, { isEnded: true })
    this.#writing.delete(id)
  }

  async read(id: string, from: number, most: number): Promise<ArrayBuffer> {
    const take = await this.#notes.find(id)
    if (take === undefined) throw new Error('This take is gone')
    return this.#of(take).read(id, from, Math.min(most, take.safeBytes - from))
  }

  /** All that is safe, as a file: to watch, and to keep where the service is not to be had. */
  async file(id: string): Promise<File | null> {
    const take = await this.#notes.find(id)
    if (take === undefined || take.safeBytes === 0) return null
    const parts: ArrayBuffer[] = []
    for (let at = 0; at < take.safeBytes; at += pieceBytes) parts.push(await this.read(id, at, pieceBytes))
    return new File(parts, take.fileName, { type: take.type })
  }

  async note(id: string, part: Partial<Take>): Promise<void> {
    await this.#notes.change(id, part)
    this.#tell(id)
  }

  find(id: string): Promise<Take | undefined> {
    return this.#notes.find(id)
  }

  /** A person's takes that are not with the service yet, oldest first. */
  async takesOf(userId: string): Promise<Take[]> {
    const all = await this.#notes.all()
    return all.filter((take) => take.userId === userId).toSorted((a, b) => a.begunAt - b.begunAt)
  }

  /** Removes the take from this device. */
  async drop(id: string): Promise<void> {
    const take = await this.#notes.find(id)
    await this.#notes.drop(id)
    // Whoever is just writing hears that it is gone; then nobody holds the file.
    await this.#writing.get(id)?.catch(() => undefined)
    this.#writing.delete(id)
    if (take) await this.#of(take).drop(id)
    this.#tell(id)
  }

  /** Lets another tab open what this one has written. */
  async close(id: string): Promise<void> {
    for (const place of this.#places) await place.close(id)
  }

  #of(take: Take): TakeBytes {
    const found = this.#places.find(({ place }) => place === take.place)
    if (!found) throw new Error(`This page cannot read takes in ${take.place}`)
    return found
  }

  #tell(id: string): void {
    for (const listener of this.#listeners) listener(id)
  }
}

const pieceBytes = 8 * 1024 * 1024
